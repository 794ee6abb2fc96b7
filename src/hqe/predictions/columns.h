// SPDX-License-Identifier: MIT
/// One column of integers of any width as int32, fast.

#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>

#include "hqe/predictions/array.h"

namespace hqe {

/// Elements first .. first + out.size() of a column; one that does not fit becomes the nearest
/// int32. Requires: !is_float(array.dtype), the elements exist.
void read_labels(const Array& array, std::uint64_t first, std::span<std::int32_t> out);

/// The largest element, the smallest. Requires: !is_float(array.dtype), at least one row.
[[nodiscard]] std::int64_t largest_integer(const Array& array);
[[nodiscard]] std::int64_t smallest_integer(const Array& array);

/// The smallest element that is not negative; the largest int64 where there is none.
/// Requires: !is_float(array.dtype).
[[nodiscard]] std::int64_t smallest_class(const Array& array);

/// The different elements of a column of labels, without -1 where it abstains; nothing where they
/// are more than there can be classes. Requires: !is_float(array.dtype).
[[nodiscard]] std::optional<std::set<std::int64_t>> distinct(const Array& array,
                                                             bool with_abstentions);

}  // namespace hqe
