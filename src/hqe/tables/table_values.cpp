// SPDX-License-Identifier: MIT
#include "hqe/tables/table_values.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "hqe/base/error.h"
#include "hqe/base/option_name.h"
#include "hqe/tables/headers.h"
#include "hqe/text/printable.h"

namespace hqe {
namespace {

constexpr std::size_t most_classes = std::size_t{1} << 20;

/// Two shares rounded to two decimals are off 1 by as much, and by a hair.
constexpr double rounded_pair = 1.01e-2;

class ValueColumns {
 public:
  ValueColumns(const Records& records, const TableRoles& roles, const std::set<std::string>& truth,
               std::optional<Kind> kind)
      : records_(records), roles_(roles), truth_(truth), kind_(kind), columns_(roles.values) {}

  TableValues settle() {
    if (!roles_.chosen) leave_out_counting();
    if (columns_.empty()) {
      throw InputError(file(), "line 1", "no column is left for a model",
                       "Give a column a model, or columns called model.class");
    }
    const bool has_fractions = std::ranges::any_of(
        columns_, [&](std::size_t place) { return column(place).has_fractions; });
    values_.are_shares = kind_ ? has_scores(*kind_) : has_fractions;
    if (values_.are_shares) {
      take_shares();
    } else {
      one_a_model();
    }
    return std::move(values_);
  }

 private:
  [[nodiscard]] const std::string& file() const { return records_.text.file; }
  [[nodiscard]] const TableColumn& column(std::size_t place) const {
    return records_.columns[place];
  }
  [[nodiscard]] static std::string place_of(const TableColumn& column) {
    return fmt::format("column {}", printable(column.name));
  }

  /// Whole numbers, each larger than the last, that are no classes.
  [[nodiscard]] bool counts_rows(const TableColumn& column) const {
    if (column.is_text || column.has_fractions || !column.is_counting) {
      return false;
    }
    // Shares of 0 and 1 can do so in two rows.
    if (records_.count < 3) return false;
    if (truth_.size() < static_cast<std::size_t>(records_.count)) return true;
    for (std::int64_t row = 0; row < records_.count; ++row) {
      if (!truth_.contains(records_.spelled(row, column))) return true;
    }
    return false;
  }

  void leave_out_counting() {
    std::erase_if(columns_, [&](std::size_t place) {
      const TableColumn& one = column(place);
      if (!counts_rows(one)) return false;
      values_.notes.push_back(
          message("column {} counts the rows and is left out ({} sorts by it; {} says otherwise)",
                  printable(one.name), option("id_column", one.name), option("columns")));
      return true;
    });
  }

  void one_a_model() {
    for (const std::size_t place : columns_) {
      values_.models.push_back({column(place).name, {place}});
    }
    if (roles_.model && columns_.size() > 1) {
      throw InputError(file(), place_of(column(columns_[1])),
                       "a second column of predictions beside the models' names",
                       message("Say with {} which one is meant", option("columns")));
    }
  }

  void take_shares() {
    for (const std::size_t place : columns_) {
      if (!column(place).is_text) continue;
      throw InputError(file(), place_of(column(place)), "holds text where others hold numbers",
                       message("Say with {} which columns are models", option("columns")));
    }
    if (roles_.model && columns_.size() == 1) return one_a_model();
    const std::optional<ColumnGroups> groups = find_groups();
    const bool is_binary = truth_.size() == 2 && kind_ != Kind::logits && !roles_.model;
    if (is_binary && (!groups || (lie_within() && !sum_to_one(*groups)))) return one_a_model_each();
    if (!groups) refuse_ungrouped();
    values_.classes = groups->classes;
    for (const ColumnGroup& group : groups->models) {
      ModelColumns model{group.model, {}};
      for (const std::size_t i : group.columns) model.columns.push_back(columns_[i]);
      values_.models.push_back(std::move(model));
    }
    check_truth_named();
  }

  /// In a long table columns may be called by their classes alone.
  [[nodiscard]] std::optional<ColumnGroups> find_groups() const {
    std::vector<std::string> names;
    for (const std::size_t place : columns_) names.push_back(column(place).name);
    const bool are_classes = roles_.model && std::ranges::all_of(truth_, [&](const auto& word) {
                               return std::ranges::find(names, word) != names.end();
                             });
    if (are_classes) {
      for (std::string& name : names) name.insert(0, "model.");
      return group_columns(names, truth_);
    }
    std::optional<ColumnGroups> groups = group_columns(names, truth_);
    if (groups && roles_.model && groups->models.size() != 1) return std::nullopt;
    return groups;
  }

  [[nodiscard]] bool lie_within() const {
    return std::ranges::all_of(columns_, [&](std::size_t place) {
      const auto& one = column(place);
      return one.storage != Storage::number || (one.least >= 0 && one.most <= 1);
    });
  }

  [[nodiscard]] bool sum_to_one(const ColumnGroups& groups) const {
    for (std::int64_t row = 0; row < records_.count; ++row) {
      for (const ColumnGroup& group : groups.models) {
        double sum = 0;
        for (const std::size_t i : group.columns) sum += records_.number(row, column(columns_[i]));
        if (std::abs(sum - 1) > rounded_pair) return false;
      }
    }
    return true;
  }

  void one_a_model_each() {
    for (const std::size_t place : columns_) {
      const TableColumn& one = column(place);
      const bool is_number = one.storage == Storage::number;
      if (is_number && (one.least < 0 || one.most > 1)) {
        throw InputError(file(), place_of(one),
                         fmt::format("goes from {:.6g} to {:.6g}: no probabilities of one of two "
                                     "classes",
                                     one.least, one.most),
                         message("Say with {} which columns are models, or call columns "
                                 "model.class",
                                 option("columns")));
      }
      if (!one.has_fractions && !roles_.chosen && !kind_) {
        throw InputError(file(), place_of(one), "holds whole numbers where others hold fractions",
                         message("Say with {} which columns are models", option("columns")));
      }
      values_.models.push_back({one.name, {place}});
    }
  }

  [[noreturn]] void refuse_ungrouped() const {
    const auto one = std::ranges::find_if(columns_, [&](std::size_t place) {
      return column(place).has_fractions || kind_.has_value();
    });
    std::vector<std::string> words(truth_.begin(), truth_.end());
    const bool is_wide = columns_.size() > static_cast<std::size_t>(records_.count);
    throw InputError(
        file(), place_of(column(*one)),
        fmt::format("holds numbers of no model and class{}",
                    is_wide ? "; with more columns than rows the table looks transposed" : ""),
        message("Call columns model.class or model_class, for each model every class{}{}{}, or say "
                "with {} which columns are models",
                words.empty() ? "" : " (", listed_columns(words), words.empty() ? "" : ")",
                option("columns")));
  }

  void check_truth_named() const {
    for (const std::string& word : truth_) {
      if (std::ranges::find(values_.classes, word) != values_.classes.end()) continue;
      throw InputError(
          file(), place_of(column(columns_.front())),
          fmt::format("no column of a model is called by the true label {}", printable(word)),
          fmt::format("The columns name the classes {}: call them by the true labels",
                      listed_columns(values_.classes)));
    }
  }

  const Records& records_;
  const TableRoles& roles_;
  const std::set<std::string>& truth_;
  std::optional<Kind> kind_;
  std::vector<std::size_t> columns_;
  TableValues values_;
};

}  // namespace

std::set<std::string> distinct_labels(const Records& records, const TableColumn& truth) {
  const std::string place = fmt::format("column {}", printable(truth.name));
  if (truth.has_fractions) {
    throw InputError(records.text.file, place, "holds fractions, which are no classes",
                     message("Name the column of true labels with {}", option("label_column")));
  }
  // Most labels are small numbers, for which a set is slow.
  std::vector<bool> small(std::size_t{1} << 16);
  std::unordered_set<double> others;
  const auto is_new = [&](double value) {
    if (value < 0 || value >= static_cast<double>(small.size())) return others.insert(value).second;
    const auto number = static_cast<std::size_t>(value);
    const bool was_there = small[number];
    small[number] = true;
    return !was_there;
  };
  std::set<std::string> labels;
  for (std::int64_t row = 0; row < records.count; ++row) {
    if (!is_new(records.number(row, truth))) continue;
    labels.insert(records.spelled(row, truth));
    if (labels.size() <= most_classes) continue;
    throw InputError(records.text.file, place, "more than 2^20 different labels",
                     message("Name the column of true labels with {}", option("label_column")));
  }
  return labels;
}

TableValues settle_table_values(const Records& records, const TableRoles& roles,
                                const std::set<std::string>& truth, std::optional<Kind> kind) {
  return ValueColumns(records, roles, truth, kind).settle();
}

}  // namespace hqe
