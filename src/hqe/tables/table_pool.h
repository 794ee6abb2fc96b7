// SPDX-License-Identifier: MIT
/// Pools in tables: CSV files with a header and a row a sample, or a row a model and sample.

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "hqe/predictions/pool.h"

namespace hqe {

/// Which columns of a table are what; empty: as the headers say (docs/inputs.md).
struct TableColumns {
  std::string label;                ///< The true labels.
  std::string id;                   ///< By which rows are sorted and joined.
  std::string model;                ///< The models' names: a row a model and sample.
  std::vector<std::string> models;  ///< The columns to take, or the models of `model.class`.

  [[nodiscard]] bool any() const {
    return !label.empty() || !id.empty() || !model.empty() || !models.empty();
  }
};

/// Where a pool lies that is a table.
struct TablePath {
  std::filesystem::path predictions;
  std::filesystem::path truth;  ///< A table of ids and true labels; empty: in `predictions`.
  TableColumns columns;
  std::optional<Kind> kind;
};

/// Reads a table: columns of predicted labels or of P(second class), one a model; columns
/// `model.class`; or rows of models, with one such column or one a class. Rows are sorted by id, so
/// that shuffled rows are the same pool. Labels are left out where no column holds them. Notes say
/// which columns were taken for what. One pass over the text, two where later rows differ in kind
/// from the first. Throws InputError naming file, column and what to do.
[[nodiscard]] PoolParts read_table_pool(const TablePath& path);

}  // namespace hqe
