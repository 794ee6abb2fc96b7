// SPDX-License-Identifier: MIT
#include "hqe/tables/table_roles.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>

#include "hqe/base/error.h"
#include "hqe/base/option_name.h"
#include "hqe/ensemble/team.h"
#include "hqe/tables/csv_cells.h"
#include "hqe/tables/headers.h"
#include "hqe/text/nearest.h"
#include "hqe/text/printable.h"

namespace hqe {
namespace {

using Columns = std::vector<std::size_t>;

std::vector<std::string> names_of(const TableRoles& roles, const Columns& columns) {
  std::vector<std::string> names;
  for (const std::size_t column : columns) names.push_back(roles.names[column]);
  return names;
}

std::size_t find_column(const std::string& file, const std::vector<std::string>& names,
                        const std::string& name, std::string_view asked_by) {
  const auto found = std::ranges::find(names, name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  throw InputError(file, "line 1", fmt::format("no column is called {}", printable(name)),
                   message("Correct {}: did you mean {}? There is {}", option(asked_by),
                           printable(nearest_word(name, names)), listed_columns(names)));
}

template <typename Wanted>
Columns columns_where(const std::vector<std::string>& names, Wanted wanted) {
  Columns found;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (wanted(names[i])) found.push_back(i);
  }
  return found;
}

bool is_asked(const TableColumns& asked, const std::string& name) {
  return std::ranges::find(asked.models, name) != asked.models.end();
}

/// A row where a column was asked for: its first cell has the name. Models are few, so is what is
/// looked at.
void check_no_row_is_called(const FileBytes& text, const std::string& name) {
  CsvCells cells(text);
  std::int64_t line = 0;
  for (bool is_first = true; line <= max_model_count && cells.next();
       is_first = cells.is_last_of_line()) {
    line = cells.line();
    if (!is_first || unquoted(cells) != name) continue;
    throw InputError(text.file, fmt::format("line {}", line),
                     fmt::format("a row is called {}, and no column: the table looks transposed",
                                 printable(name)),
                     std::string(turn_it));
  }
}

void settle_label(const FileBytes& text, const TableColumns& asked, bool truth_beside,
                  bool needs_label, TableRoles& roles) {
  const std::string& file = text.file;
  if (!asked.label.empty() && !truth_beside) {
    if (std::ranges::find(roles.names, asked.label) == roles.names.end()) {
      check_no_row_is_called(text, asked.label);
    }
    roles.label = find_column(file, roles.names, asked.label, "label_column");
    return;
  }
  const Columns found = columns_where(roles.names, [&](const std::string& name) {
    return is_label_header(name) && !is_asked(asked, name);
  });
  if (found.empty() || !needs_label) return;
  if (truth_beside) {
    throw InputError(file, fmt::format("column {}", printable(roles.names[found[0]])),
                     message("looks like true labels, and {} names others", option("labels")),
                     message("Leave one of them out, or say with {} which columns are models",
                             option("columns")));
  }
  if (found.size() > 1) {
    throw InputError(file, fmt::format("columns {}", listed_columns(names_of(roles, found))),
                     "all look like true labels",
                     message("Say which with {}, and the models with {}", option("label_column"),
                             option("columns")));
  }
  roles.label = found.front();
}

void settle_id(const std::string& file, const TableColumns& asked, TableRoles& roles) {
  if (!asked.id.empty()) {
    roles.id = find_column(file, roles.names, asked.id, "id_column");
    return;
  }
  const Columns found = columns_where(roles.names, [&](const std::string& name) {
    return is_id_header(name) && !is_asked(asked, name) &&
           !(roles.label && roles.names[*roles.label] == name);
  });
  if (found.empty()) return;
  if (found.size() > 1) {
    throw InputError(file, fmt::format("columns {}", listed_columns(names_of(roles, found))),
                     "all look like ids",
                     message("Say which with {}, and the models with {}", option("id_column"),
                             option("columns")));
  }
  roles.id = found.front();
  const std::string& name = roles.names[found.front()];
  roles.notes.push_back(
      message("column {} is taken as the samples' id, not as a model ({} says so; {} says "
              "otherwise)",
              printable(name), option("id_column", name), option("columns")));
}

void settle_model(const std::string& file, const TableColumns& asked, TableRoles& roles) {
  if (!asked.model.empty()) {
    roles.model = find_column(file, roles.names, asked.model, "model_column");
  }
  if (roles.model && !roles.id) {
    throw InputError(file, "line 1", "a table with a row a model and sample needs ids",
                     message("Name their column with {}", option("id_column")));
  }
}

/// A column of that name, or the columns of a model that `model.class` names.
Columns columns_asked(const std::string& file, const TableRoles& roles, const std::string& name) {
  Columns exact = columns_where(roles.names, [&](const auto& one) { return one == name; });
  if (!exact.empty()) return exact;
  Columns classes = columns_where(roles.names, [&](const std::string& one) {
    return one.starts_with(name + ".") || one.starts_with(name + "_");
  });
  if (!classes.empty()) return classes;
  return {find_column(file, roles.names, name, "columns")};
}

void settle_values(const std::string& file, const TableColumns& asked, TableRoles& roles) {
  roles.chosen = !asked.models.empty();
  for (const std::string& name : asked.models) {
    for (const std::size_t column : columns_asked(file, roles, name)) {
      if (column == roles.label || column == roles.id || column == roles.model) {
        throw InputError(file, fmt::format("column {}", printable(roles.names[column])),
                         "is a model and something else at once",
                         message("Leave it out of {}", option("columns")));
      }
      if (std::ranges::find(roles.values, column) == roles.values.end()) {
        roles.values.push_back(column);
      }
    }
  }
  if (!roles.chosen) {
    for (std::size_t i = 0; i < roles.names.size(); ++i) {
      if (i != roles.label && i != roles.id && i != roles.model) roles.values.push_back(i);
    }
  }
  for (const std::size_t column : roles.values) {
    if (roles.chosen || !is_label_header(roles.names[column])) continue;
    throw InputError(file, fmt::format("column {}", printable(roles.names[column])),
                     "looks like true labels too",
                     message("Say with {} which columns are models", option("columns")));
  }
}

}  // namespace

std::vector<Role> TableRoles::by_column() const {
  std::vector<Role> roles(names.size(), Role::skipped);
  for (const std::size_t column : values) roles[column] = Role::values;
  if (label) roles[*label] = Role::truth;
  if (id) roles[*id] = Role::id;
  if (model) roles[*model] = Role::model;
  return roles;
}

TableRoles roles_of_predictions(const FileBytes& text, const TableColumns& asked, bool truth_beside,
                                bool needs_label) {
  TableRoles roles;
  roles.names = read_header(text);
  settle_label(text, asked, truth_beside, needs_label, roles);
  settle_id(text.file, asked, roles);
  settle_model(text.file, asked, roles);
  settle_values(text.file, asked, roles);
  if (roles.values.empty()) {
    throw InputError(text.file, "line 1", "no column is left for a model",
                     "Give a column a model, or columns called model.class");
  }
  return roles;
}

TableRoles roles_of_truth(const FileBytes& text, const TableColumns& asked,
                          const std::string& id_name) {
  TableRoles roles;
  roles.names = read_header(text);
  settle_label(text, asked, false, true, roles);
  const bool same_id = std::ranges::find(roles.names, id_name) != roles.names.end();
  settle_id(text.file, {.label = {}, .id = same_id ? id_name : "", .model = {}, .models = {}},
            roles);
  roles.notes.clear();
  if (!roles.label && roles.names.size() == 2 && roles.id) roles.label = 1 - *roles.id;
  if (!roles.label || !roles.id) {
    const std::string_view option_name = roles.id ? "label_column" : "id_column";
    throw InputError(
        text.file, "line 1",
        fmt::format("no column is called {}", roles.id ? "label" : printable(id_name)),
        message("Name the column of {} with {}; there is {}", roles.id ? "true labels" : "ids",
                option(option_name), listed_columns(roles.names)));
  }
  return roles;
}

}  // namespace hqe
