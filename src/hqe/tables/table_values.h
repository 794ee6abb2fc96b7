// SPDX-License-Identifier: MIT
/// What the columns of values say: predicted labels, shares of classes, or P(second class). Private
/// to tables/.

#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "hqe/tables/records.h"
#include "hqe/tables/table_roles.h"

namespace hqe {

/// Some of the columns as one model's; of a long table as all models'.
struct ModelColumns {
  std::string model;
  std::vector<std::size_t> columns;  ///< One, or one a class.
};

struct TableValues {
  std::vector<ModelColumns> models;
  std::vector<std::string> classes;  ///< Of columns a class.
  bool are_shares = false;           ///< Numbers of classes, not labels.
  std::vector<Message> notes;
};

/// The different true labels, as text. Throws InputError for fractions.
[[nodiscard]] std::set<std::string> distinct_labels(const Records& records,
                                                    const TableColumn& truth);

/// Throws InputError where columns fit nothing. `truth` is empty where labels are unknown.
[[nodiscard]] TableValues settle_table_values(const Records& records, const TableRoles& roles,
                                              const std::set<std::string>& truth,
                                              std::optional<Kind> kind);

}  // namespace hqe
