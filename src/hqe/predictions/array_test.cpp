// SPDX-License-Identifier: MIT
#include "hqe/predictions/array.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "tests/support/arrays.h"

namespace hqe {
namespace {

using testing::all_layouts;
using testing::Layout;
using testing::matrix;

constexpr DType all_dtypes[] = {DType::boolean, DType::int8,    DType::int16,    DType::int32,
                                DType::int64,   DType::uint8,   DType::uint16,   DType::uint32,
                                DType::uint64,  DType::float16, DType::bfloat16, DType::float32,
                                DType::float64};

TEST_CASE("every element type reads the same numbers in every layout") {
  for (const DType dtype : all_dtypes) {
    for (const Layout layout : all_layouts) {
      CAPTURE(to_string(dtype));
      CAPTURE(static_cast<int>(layout));
      const std::vector<double> values = dtype == DType::boolean
                                             ? std::vector<double>{0, 1, 1, 0, 0, 1}
                                             : std::vector<double>{0, 1, 2, 3, 100, 127};
      const Array array = matrix(2, 3, values, dtype, layout);
      std::vector<double> row(3);
      for (std::int64_t r = 0; r < 2; ++r) {
        read_row(array, r, row);
        for (std::int64_t c = 0; c < 3; ++c) {
          const double expected = values[static_cast<std::size_t>(3 * r + c)];
          CHECK(row[static_cast<std::size_t>(c)] == expected);
          CHECK(read_number(array, r, c) == expected);
          if (!is_float(dtype)) CHECK(static_cast<double>(read_integer(array, r, c)) == expected);
        }
      }
    }
  }
}

TEST_CASE("negative integers of every width keep their sign") {
  for (const DType dtype : {DType::int8, DType::int16, DType::int32, DType::int64}) {
    for (const Layout layout : all_layouts) {
      const Array array = matrix(2, 1, {-1, -128}, dtype, layout);
      CHECK(read_integer(array, 0) == -1);
      CHECK(read_integer(array, 1) == -128);
    }
  }
}

TEST_CASE("a uint64 beyond int64 reads as the largest int64") {
  const Array array = matrix(1, 1, {0x1p63 + 0x1p40}, DType::uint64);
  CHECK(read_integer(array, 0) == std::numeric_limits<std::int64_t>::max());
  CHECK(read_number(array, 0) == 0x1p63 + 0x1p40);
}

TEST_CASE("a boolean is true for any byte but 0") {
  Array array = matrix(1, 1, {7}, DType::uint8);
  array.dtype = DType::boolean;
  CHECK(read_integer(array, 0) == 1);
}

TEST_CASE("every half that is a number survives the way to float and back") {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const float value = float_from_half(half);
    if ((half & 0x7C00) == 0x7C00 && (half & 0x3FF) != 0) {
      CHECK(std::isnan(value));
    } else {
      CHECK(testing::half_from_double(static_cast<double>(value)) == half);
    }
  }
  CHECK(float_from_half(0x3C00) == 1.0f);
  CHECK(float_from_half(0x0001) == 0x1p-24f);
  CHECK(float_from_half(0xFC00) == -std::numeric_limits<float>::infinity());
  CHECK(std::signbit(float_from_half(0x8000)));
}

TEST_CASE("a bfloat16 is the upper half of a float") {
  CHECK(float_from_bfloat16(0x3F80) == 1.0f);
  CHECK(float_from_bfloat16(0xC040) == -3.0f);
  CHECK(float_from_bfloat16(0x0001) == 0x1p-133f);
}

TEST_CASE("a stride of 0 repeats one element") {
  Array array = matrix(1, 1, {5}, DType::int32);
  array.shape = {1000, 1};
  array.strides = {0, 0};
  CHECK(read_integer(array, 999) == 5);
}

}  // namespace
}  // namespace hqe
