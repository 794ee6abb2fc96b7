// SPDX-License-Identifier: MIT
#include "hqe/predictions/truth.h"

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "hqe/base/error.h"
#include "hqe/predictions/columns.h"
#include "hqe/predictions/detect.h"
#include "hqe/predictions/owned_array.h"

namespace hqe {

Array copy_truth(std::span<const LabelledRows> pieces, int class_count) {
  std::int64_t rows = 0;
  for (const LabelledRows& piece : pieces) rows += piece.labels->rows();
  std::vector<std::int32_t> copy(static_cast<std::size_t>(rows));
  std::span<std::int32_t> rest = copy;
  for (const LabelledRows& piece : pieces) {
    const std::span here = rest.first(static_cast<std::size_t>(piece.labels->rows()));
    rest = rest.subspan(here.size());
    read_labels(*piece.labels, 0, here);
    // Of the copy, never of what was given: that may be another by now.
    const auto bad = std::ranges::find_if(
        here, [class_count](std::int32_t label) { return label < 0 || label >= class_count; });
    if (bad == here.end()) continue;
    const std::int64_t row = bad - here.begin();
    throw InputError(piece.file,
                     place_of(static_cast<std::uint64_t>(piece.labels->stored_row(row))),
                     fmt::format("the true label {} is not one of the {} classes (0 to {})",
                                 read_integer(*piece.labels, row), class_count, class_count - 1),
                     "True labels count the classes from 0. Where they are other numbers and these "
                     "rows do not show all of them, name the classes by these numbers in "
                     "pool.toml: classes = [1, 2, 3], or [-1, 1]");
  }
  return owned_column(std::move(copy), DType::int32);
}

Array all_of_class(std::int32_t label, std::int64_t rows) {
  auto one = std::make_shared<const std::int32_t>(label);
  return {.dtype = DType::int32,
          .shape = {rows, 1},
          .strides = {0, 0},
          .data = reinterpret_cast<const std::byte*>(one.get()),
          .owner = one};
}

}  // namespace hqe
