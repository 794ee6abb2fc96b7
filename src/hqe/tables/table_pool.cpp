// SPDX-License-Identifier: MIT
#include "hqe/tables/table_pool.h"

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

#include "hqe/base/error.h"
#include "hqe/base/option_name.h"
#include "hqe/ensemble/team.h"
#include "hqe/files/mapped_file.h"
#include "hqe/tables/headers.h"
#include "hqe/tables/joining.h"
#include "hqe/tables/records.h"
#include "hqe/tables/table_roles.h"
#include "hqe/tables/table_text.h"
#include "hqe/tables/table_values.h"
#include "hqe/text/natural_order.h"
#include "hqe/text/printable.h"

namespace hqe {
namespace {

/// The true labels, in the order of ids.
struct TableTruth {
  Records records;
  std::size_t label = 0;
  std::optional<std::size_t> id;
};

Records read_roles(const FileBytes& text, const TableRoles& roles, bool spell_ids) {
  return read_records(text, roles.names, roles.by_column(), spell_ids);
}

/// Places of models by their natural order: shuffled rows must not change ids.
std::vector<std::int32_t> natural_ranks(const std::vector<std::string>& models) {
  std::vector<std::int32_t> order(models.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, [&](std::int32_t a, std::int32_t b) {
    return natural_less(models[static_cast<std::size_t>(a)], models[static_cast<std::size_t>(b)]);
  });
  std::vector<std::int32_t> ranks(models.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    ranks[static_cast<std::size_t>(order[i])] = static_cast<std::int32_t>(i);
  }
  return ranks;
}

Records sorted_truth(const Records& records, std::size_t label, std::size_t id) {
  const std::vector<std::int64_t> order = order_of_ids(records, records.columns[id], nullptr, {});
  if (order.empty()) return records;
  return arranged(records, order,
                  {{id, records.columns[id].storage}, {label, records.columns[label].storage}});
}

class TablePool {
 public:
  explicit TablePool(const TablePath& path) : path_(path) {}

  PoolParts read() {
    const FileBytes text = map_file(path_.predictions, "a table");
    return read_unchanged(text, [&] {
      if (path_.truth.empty()) return put_together(text, nullptr);
      const FileBytes truth = map_file(path_.truth, "a table of true labels");
      return read_unchanged(truth, [&] { return put_together(text, &truth); });
    });
  }

  PoolParts put_together(const FileBytes& text, const FileBytes* truth_text) {
    const bool needs_label = path_.kind != Kind::correctness;
    roles_ = roles_of_predictions(text, path_.columns, truth_text != nullptr, needs_label);
    parts_.notes = roles_.notes;
    records_ = read_roles(text, roles_, false);
    if (truth_text != nullptr) read_truth(text, *truth_text);
    std::set<std::string> labels;
    if (truth_) labels = distinct_labels(truth_->records, truth_->records.columns[truth_->label]);
    if (roles_.label) labels = distinct_labels(records_, records_.columns[*roles_.label]);
    values_ = settle_table_values(records_, roles_, labels, path_.kind);
    parts_.notes.insert(parts_.notes.end(), values_.notes.begin(), values_.notes.end());
    arrange();
    settle_rows();
    add_models();
    add_labels(labels);
    parts_.name = path_.predictions.stem().string();
    parts_.kind = path_.kind;
    parts_.files = {path_.predictions.string()};
    if (truth_text != nullptr) parts_.files.push_back(path_.truth.string());
    return std::move(parts_);
  }

 private:
  void read_truth(const FileBytes& text, const FileBytes& truth_text) {
    if (!roles_.id) {
      throw InputError(text.file, "line 1", "no column of ids, by which two tables are joined",
                       message("Name it with {}", option("id_column")));
    }
    const TableRoles roles = roles_of_truth(truth_text, path_.columns, roles_.names[*roles_.id]);
    Records truth = read_roles(truth_text, roles, false);
    const Storage here = records_.columns[*roles_.id].storage;
    const Storage there = truth.columns[*roles.id].storage;
    // Compared as text where one of the two is.
    if (here != there && here == Storage::counted) records_ = read_roles(text, roles_, true);
    if (here != there && there == Storage::counted) truth = read_roles(truth_text, roles, true);
    truth_ = {.records = sorted_truth(truth, *roles.label, *roles.id),
              .label = *roles.label,
              .id = roles.id};
  }

  /// Sorts rows by id and puts the columns of a model side by side, where they are not so.
  void arrange() {
    std::vector<std::int64_t> order;
    if (roles_.id) {
      const TableColumn* const model = roles_.model ? &records_.columns[*roles_.model] : nullptr;
      order = order_of_ids(records_, records_.columns[*roles_.id], model,
                           natural_ranks(records_.models));
    }
    const bool one_a_model =
        !roles_.model && std::ranges::all_of(values_.models, [](const auto& model) {
          return model.columns.size() == 1;
        });
    bool is_ready = order.empty();
    std::vector<Arranged> layout;
    for (const auto& role : {roles_.id, roles_.model, roles_.label}) {
      if (role) layout.push_back({*role, records_.columns[*role].storage});
    }
    for (const ModelColumns& model : values_.models) {
      const TableColumn& first = records_.columns[model.columns.front()];
      for (std::size_t i = 0; i < model.columns.size(); ++i) {
        const TableColumn& column = records_.columns[model.columns[i]];
        const Storage storage = values_.are_shares ? Storage::number : column.storage;
        layout.push_back({model.columns[i], storage});
        is_ready = is_ready && column.storage == storage &&
                   (one_a_model ? column.step == size_of(storage)
                                : column.offset == first.offset + i * size_of(storage));
      }
    }
    if (is_ready) return;
    records_ = one_a_model ? by_column(records_, order, layout) : arranged(records_, order, layout);
  }

  void settle_rows() {
    rows_ = records_.count;
    if (roles_.model) {
      rows_ = rows_a_model(records_, records_.columns[*roles_.id], records_.columns[*roles_.model]);
    }
    look_whether_transposed();
    if (truth_) {
      check_not_transposed();
      check_same_ids(records_, records_.columns[*roles_.id], rows_, truth_->records,
                     truth_->records.columns[*truth_->id]);
    }
  }

  /// Samples as columns: the ids of the true labels are the names of columns.
  void check_not_transposed() const {
    const TableColumn& id = truth_->records.columns[*truth_->id];
    const std::string first = truth_->records.spelled(0, id);
    if (std::ranges::find(roles_.names, first) == roles_.names.end()) return;
    throw InputError(records_.text.file, fmt::format("column {}", printable(first)),
                     fmt::format("is called by an id of {}: the table looks transposed",
                                 truth_->records.text.file),
                     std::string(turn_it));
  }

  /// The same where nobody knows true labels: more columns than rows, or a row that is called as
  /// true labels are.
  void look_whether_transposed() {
    if (truth_ || roles_.label || roles_.model || roles_.chosen || rows_ > max_model_count) return;
    for (std::int64_t row = 0; roles_.id && row < rows_; ++row) {
      const std::string id = records_.spelled(row, records_.columns[*roles_.id]);
      if (!is_label_header(id)) continue;
      throw InputError(
          records_.text.file,
          fmt::format("column {}", printable(records_.columns[*roles_.id].name)),
          fmt::format("a row is called {}, as true labels are: the table looks transposed",
                      printable(id)),
          message("{}; {} says that these columns are models", turn_it, option("columns")));
    }
    const std::size_t models = values_.models.size();
    if (models <= static_cast<std::size_t>(rows_)) return;
    const std::string found = fmt::format("{} rows have {} columns", rows_, models);
    const bool are_counted = std::ranges::all_of(
        values_.models, [](const ModelColumns& model) { return is_whole_number(model.model); });
    if (are_counted || models > static_cast<std::size_t>(max_model_count)) {
      throw InputError(
          records_.text.file, fmt::format("column {}", printable(values_.models.front().model)),
          fmt::format("looks like a sample, since {}: the table looks transposed", found),
          message("{}; {} says that these columns are models", turn_it, option("columns")));
    }
    parts_.notes.emplace_back(fmt::format("{}: {}, each taken as a model. {} if it is transposed",
                                          records_.text.file, found, turn_it));
  }

  void add_models() {
    const std::string file = path_.predictions.string();
    const auto add = [&](const std::string& name, const ModelColumns& model, std::int64_t first) {
      const TableColumn& column = records_.columns[model.columns.front()];
      parts_.models.push_back(
          {name,
           {},
           records_.array(column, model.columns.size(), first, rows_),
           fmt::format("{}: {} {}", file, roles_.model ? "model" : "column", printable(name))});
    };
    if (!roles_.model) {
      for (const ModelColumns& model : values_.models) add(model.model, model, 0);
      return;
    }
    for (std::int64_t first = 0; first < records_.count; first += rows_) {
      add(records_.spelled(first, records_.columns[*roles_.model]), values_.models.front(), first);
    }
  }

  void add_labels(const std::set<std::string>& labels) {
    const bool is_plain = std::ranges::all_of(
        values_.classes,
        [&, i = 0](const auto& word) mutable { return word == std::to_string(i++); });
    if (!is_plain) parts_.class_names = values_.classes;
    if (path_.kind == Kind::correctness || (!truth_ && !roles_.label)) return;
    const Records& records = truth_ ? truth_->records : records_;
    const TableColumn& column = records.columns[truth_ ? truth_->label : *roles_.label];
    parts_.labels = records.array(column, 1, 0, rows_);
    parts_.labels_file = fmt::format("{}: column {}", records.text.file, printable(column.name));
    if (roles_.model && !truth_) check_labels_agree(column);
    if (!is_plain && !parts_.labels->words) spell_labels(records, column, labels);
  }

  void check_labels_agree(const TableColumn& column) const {
    for (std::int64_t row = rows_; row < records_.count; ++row) {
      if (records_.number(row, column) == records_.number(row % rows_, column)) continue;
      const TableColumn& id = records_.columns[*roles_.id];
      const TableColumn& model = records_.columns[*roles_.model];
      throw InputError(
          records_.text.file, fmt::format("column {}", printable(column.name)),
          fmt::format("the id {} is {} for model {}, but {} for model {}",
                      printable(records_.spelled(row, id)),
                      printable(records_.spelled(row % rows_, column)),
                      printable(records_.spelled(row % rows_, model)),
                      printable(records_.spelled(row, column)),
                      printable(records_.spelled(row, model))),
          message("Correct it; if this column holds what models said, name the true labels with {}",
                  option("label_column")));
    }
  }

  /// Numbers that name columns are words.
  void spell_labels(const Records& records, const TableColumn& column,
                    const std::set<std::string>& labels) {
    const auto words =
        std::make_shared<const std::vector<std::string>>(labels.begin(), labels.end());
    const auto codes = std::make_shared<std::vector<std::int32_t>>();
    for (std::int64_t row = 0; row < rows_; ++row) {
      const auto found = std::ranges::lower_bound(*words, records.spelled(row, column));
      codes->push_back(static_cast<std::int32_t>(found - words->begin()));
    }
    parts_.labels = Array{.dtype = DType::int32,
                          .shape = {rows_, 1},
                          .strides = {sizeof(std::int32_t), sizeof(std::int32_t)},
                          .data = reinterpret_cast<const std::byte*>(codes->data()),
                          .owner = codes,
                          .words = words};
  }

  const TablePath& path_;
  TableRoles roles_;
  Records records_;
  std::optional<TableTruth> truth_;
  TableValues values_;
  std::int64_t rows_ = 0;
  PoolParts parts_;
};

}  // namespace

PoolParts read_table_text(const FileBytes& text, const TablePath& path) {
  return TablePool(path).put_together(text, nullptr);
}

PoolParts read_table_pool(const TablePath& path) { return TablePool(path).read(); }

}  // namespace hqe
