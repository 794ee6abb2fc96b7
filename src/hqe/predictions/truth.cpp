// SPDX-License-Identifier: MIT
#include "hqe/predictions/truth.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "hqe/base/error.h"
#include "hqe/predictions/columns.h"
#include "hqe/predictions/detect.h"

namespace hqe {

Array copy_truth(const Array& labels, const std::string& file, int class_count) {
  const auto copy =
      std::make_shared<std::vector<std::int32_t>>(static_cast<std::size_t>(labels.rows()));
  read_labels(labels, 0, *copy);
  // Of the copy, never of what was given: that may be another by now.
  const auto bad = std::ranges::find_if(
      *copy, [class_count](std::int32_t label) { return label < 0 || label >= class_count; });
  if (bad != copy->end()) {
    const std::int64_t row = bad - copy->begin();
    throw InputError(file, place_of(static_cast<std::uint64_t>(labels.stored_row(row))),
                     fmt::format("the true label {} is not one of the {} classes (0 to {})",
                                 read_integer(labels, row), class_count, class_count - 1),
                     "True labels count the classes from 0");
  }
  return {.dtype = DType::int32,
          .shape = {labels.rows(), 1},
          .strides = {sizeof(std::int32_t), sizeof(std::int32_t)},
          .data = reinterpret_cast<const std::byte*>(copy->data()),
          .owner = copy};
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
