// SPDX-License-Identifier: MIT
/// What each column of a table is, as far as its header tells. Private to tables/.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hqe/base/message.h"
#include "hqe/tables/records.h"
#include "hqe/tables/table_pool.h"

namespace hqe {

/// What to do with a table whose rows are models.
inline constexpr std::string_view turn_it =
    "Give a row a sample and a column a model (pandas: table.T)";

struct TableRoles {
  std::vector<std::string> names;
  std::optional<std::size_t> label, id, model;
  std::vector<std::size_t> values;  ///< Columns of what models said, or may have.
  bool chosen = false;              ///< The values were asked for by name.
  std::vector<Message> notes;

  [[nodiscard]] std::vector<Role> by_column() const;
};

/// `truth_beside`: the true labels are in another file. Throws InputError.
[[nodiscard]] TableRoles roles_of_predictions(const FileBytes& text, const TableColumns& asked,
                                              bool truth_beside, bool needs_label);

/// The label and the id of a table of true labels; an id that was not asked for has the name
/// `id_name`, where that is a column. Throws InputError.
[[nodiscard]] TableRoles roles_of_truth(const FileBytes& text, const TableColumns& asked,
                                        const std::string& id_name);

}  // namespace hqe
