// SPDX-License-Identifier: MIT
/// What the names of columns say of them.

#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hqe {

/// The headers, in lower case, that speak for themselves. docs/inputs.md lists them.
[[nodiscard]] std::span<const std::string_view> label_headers();
[[nodiscard]] std::span<const std::string_view> id_headers();

/// Whether a column of that name holds true labels, or numbers the samples; in any case.
[[nodiscard]] bool is_label_header(std::string_view name);
[[nodiscard]] bool is_id_header(std::string_view name);

/// Whether a name is a number that counts.
[[nodiscard]] bool is_whole_number(std::string_view name);

/// "'a', 'b'": at most eight of the names.
[[nodiscard]] std::string listed_columns(const std::vector<std::string>& names);

/// The columns of one model: a place in the list of names for each class.
struct ColumnGroup {
  std::string model;
  std::vector<std::size_t> columns;
};

/// Columns called `model.class` or `model_class`.
struct ColumnGroups {
  std::vector<std::string> classes;  ///< Numbers by size, then words; at least two.
  std::vector<ColumnGroup> models;   ///< As they first come; each has every class.
};

/// How names fall into models and classes; nothing where they do not. Of two ways to cut them, one
/// whose classes hold all of `truth`, the words of the true labels.
[[nodiscard]] std::optional<ColumnGroups> group_columns(const std::vector<std::string>& names,
                                                        const std::set<std::string>& truth);

}  // namespace hqe
