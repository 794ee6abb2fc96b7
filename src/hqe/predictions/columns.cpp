// SPDX-License-Identifier: MIT
#include "hqe/predictions/columns.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <optional>
#include <utility>

#include "hqe/predictions/element.h"
#include "hqe/predictions/pool.h"

namespace hqe {
namespace {

using element::address;
using element::load;
using element::with_type;

template <class Value>
std::int32_t clamp_label(Value value) {
  constexpr std::int32_t least = std::numeric_limits<std::int32_t>::min();
  constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
  if (std::cmp_less(value, least)) return least;
  if (std::cmp_greater(value, most)) return most;
  return static_cast<std::int32_t>(value);
}

/// The largest of narrow integers that lie side by side, which the compiler vectorises; nothing of
/// others.
std::optional<std::int64_t> largest_side_by_side(const Array& array) {
  const auto largest = [&]<class T>(T most) -> std::optional<std::int64_t> {
    if (array.byte_swapped || array.row_map || array.strides[0] != sizeof(T)) return std::nullopt;
    for (std::int64_t row = 0; row < array.rows(); ++row) {
      most =
          std::max(most, load<T>(array.data + row * static_cast<std::int64_t>(sizeof(T)), false));
    }
    return most;
  };
  if (array.dtype == DType::int8) return largest(std::numeric_limits<std::int8_t>::min());
  if (array.dtype == DType::int16) return largest(std::numeric_limits<std::int16_t>::min());
  return std::nullopt;
}

/// The elements as int32, some at a time.
template <typename Visit>
void for_each_block(const Array& array, Visit visit) {
  std::int32_t labels[1024];
  for (std::int64_t first = 0; first < array.rows(); first += std::ssize(labels)) {
    const std::size_t count =
        static_cast<std::size_t>(std::min<std::int64_t>(std::ssize(labels), array.rows() - first));
    read_labels(array, static_cast<std::uint64_t>(first), {labels, count});
    visit(std::span<const std::int32_t>(labels, count));
  }
}

}  // namespace

void read_labels(const Array& array, std::uint64_t first, std::span<std::int32_t> out) {
  assert(!is_float(array.dtype));
  with_type(array.dtype, [&]<class T>() {
    if constexpr (!std::is_same_v<T, float> && !std::is_same_v<T, double> &&
                  !std::is_same_v<T, element::Half> && !std::is_same_v<T, element::BFloat16>) {
      const std::size_t count = out.size();
      if (array.row_map) {
        for (std::size_t i = 0; i < count; ++i) {
          out[i] = clamp_label(
              load<T>(address(array, static_cast<std::int64_t>(first + i), 0), array.byte_swapped));
        }
        return;
      }
      const std::byte* at = address(array, static_cast<std::int64_t>(first), 0);
      // Constants in place of the stride and the flag let the compiler vectorise the usual case.
      if (!array.byte_swapped && array.strides[0] == static_cast<std::int64_t>(sizeof(T))) {
        for (std::size_t i = 0; i < count; ++i) {
          out[i] = clamp_label(load<T>(at + i * sizeof(T), false));
        }
      } else {
        for (std::size_t i = 0; i < count; ++i, at += array.strides[0]) {
          out[i] = clamp_label(load<T>(at, array.byte_swapped));
        }
      }
    }
  });
}

std::int64_t largest_integer(const Array& array) {
  assert(array.rows() > 0);
  if (const auto largest = largest_side_by_side(array)) return *largest;
  std::int64_t largest = std::numeric_limits<std::int32_t>::min();
  std::int32_t labels[1024];
  for (std::int64_t first = 0; first < array.rows(); first += std::ssize(labels)) {
    const std::size_t count =
        static_cast<std::size_t>(std::min<std::int64_t>(std::ssize(labels), array.rows() - first));
    read_labels(array, static_cast<std::uint64_t>(first), {labels, count});
    const std::int32_t here = *std::max_element(labels, labels + count);
    if (here == std::numeric_limits<std::int32_t>::max()) {
      // Possibly cut off: a message should name the number that is in the file.
      for (std::size_t i = 0; i < count; ++i) {
        largest = std::max(largest, read_integer(array, first + static_cast<std::int64_t>(i)));
      }
    }
    largest = std::max<std::int64_t>(largest, here);
  }
  return largest;
}

std::int64_t smallest_integer(const Array& array) {
  std::int64_t smallest = std::numeric_limits<std::int64_t>::max();
  for_each_block(array, [&](std::span<const std::int32_t> labels) {
    smallest = std::min<std::int64_t>(smallest, *std::min_element(labels.begin(), labels.end()));
  });
  return smallest;
}

std::int64_t smallest_class(const Array& array) {
  std::uint32_t smallest = std::numeric_limits<std::uint32_t>::max();
  for_each_block(array, [&](std::span<const std::int32_t> labels) {
    // As unsigned numbers negative ones are the largest.
    for (const std::int32_t label : labels) {
      smallest = std::min(smallest, static_cast<std::uint32_t>(label));
    }
  });
  constexpr std::uint32_t negative = std::uint32_t{1} << 31;
  return smallest >= negative ? std::numeric_limits<std::int64_t>::max() : smallest;
}

std::optional<std::set<std::int64_t>> distinct(const Array& array, bool with_abstentions) {
  std::set<std::int64_t> found;
  std::int64_t previous = -1;
  for (std::int64_t row = 0; row < array.rows(); ++row) {
    const std::int64_t label = read_integer(array, row);
    if (label == previous && row > 0) continue;  // Often sorted by class, and the set is slow.
    previous = label;
    if (label == -1 && !with_abstentions) continue;
    found.insert(label);
    if (found.size() > static_cast<std::size_t>(max_class_count)) return std::nullopt;
  }
  return found;
}

}  // namespace hqe
