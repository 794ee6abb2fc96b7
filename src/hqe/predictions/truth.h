// SPDX-License-Identifier: MIT
/// The true labels of a pool, in memory of its own. Private to predictions/.

#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "hqe/predictions/array.h"

namespace hqe {

/// Labels that lie together, and the file that messages name.
struct LabelledRows {
  const Array* labels = nullptr;
  std::string file;
};

/// A copy of the labels, one after the other: kernels use true labels as places in a row, so what
/// was checked must not change afterwards, as a caller's array can. Throws InputError where one is
/// no class. Requires: columns of integers.
[[nodiscard]] Array copy_truth(std::span<const LabelledRows> pieces, int class_count);

/// N labels in four bytes: 1 is right in a correctness pool, and 0 stands for what is not known.
[[nodiscard]] Array all_of_class(std::int32_t label, std::int64_t rows);

}  // namespace hqe
