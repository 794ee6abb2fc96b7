// SPDX-License-Identifier: MIT
#include "hqe/predictions/array.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <limits>

#include "hqe/predictions/copied_rows.h"
#include "hqe/predictions/element.h"

namespace hqe {

using element::address;
using element::load;
using element::with_type;

std::size_t size_of(DType dtype) {
  return with_type(dtype, []<class T>() { return sizeof(T); });
}

std::string_view to_string(DType dtype) {
  switch (dtype) {
    case DType::boolean:
      return "bool";
    case DType::int8:
      return "int8";
    case DType::int16:
      return "int16";
    case DType::int32:
      return "int32";
    case DType::int64:
      return "int64";
    case DType::uint8:
      return "uint8";
    case DType::uint16:
      return "uint16";
    case DType::uint32:
      return "uint32";
    case DType::uint64:
      return "uint64";
    case DType::float16:
      return "float16";
    case DType::bfloat16:
      return "bfloat16";
    case DType::float32:
      return "float32";
    case DType::float64:
      break;
  }
  return "float64";
}

bool is_float(DType dtype) {
  return dtype == DType::float16 || dtype == DType::bfloat16 || dtype == DType::float32 ||
         dtype == DType::float64;
}

std::optional<std::int64_t> dense_size(const std::vector<std::int64_t>& shape, DType dtype) {
  auto size = static_cast<std::int64_t>(size_of(dtype));
  // A zero anywhere makes the product zero whatever the others are.
  if (std::ranges::find(shape, 0) != shape.end()) return 0;
  for (const std::int64_t n : shape) {
    if (n < 0 || __builtin_mul_overflow(size, n, &size)) return std::nullopt;
  }
  return size;
}

std::string shape_text(std::span<const std::int64_t> shape) {
  std::string text;
  for (const std::int64_t length : shape)
    text += (text.empty() ? "" : ", ") + std::to_string(length);
  return "(" + text + (shape.size() == 1 ? ",)" : ")");
}

namespace {

/// The row as it is copied from its file, a piece at a time.
void read_copied(const Array& array, const Lender& lender, std::int64_t row,
                 std::span<double> out) {
  alignas(double) std::array<std::byte, 8192> bytes;
  const std::size_t item = size_of(array.dtype);
  const std::size_t step = bytes.size() / item;
  const std::byte* const from = address(array, row, 0);
  with_type(array.dtype, [&]<class T>() {
    for (std::size_t begin = 0; begin < out.size(); begin += step) {
      const std::size_t end = std::min(out.size(), begin + step);
      lender.copy(from + begin * item, std::span(bytes).first((end - begin) * item));
      for (std::size_t i = begin; i < end; ++i) {
        out[i] =
            static_cast<double>(load<T>(bytes.data() + (i - begin) * item, array.byte_swapped));
      }
    }
  });
}

}  // namespace

void read_row(const Array& array, std::int64_t row, std::span<double> out) {
  assert(static_cast<std::int64_t>(out.size()) == array.columns());
  if (const Lender* const lender = lender_of_rows(array)) {
    return read_copied(array, *lender, row, out);
  }
  const std::byte* at = address(array, row, 0);
  with_type(array.dtype, [&]<class T>() {
    // Nearly every row lies like this; the compiler then takes several numbers at a time.
    if (array.strides[1] == sizeof(T) && !array.byte_swapped) {
      for (std::size_t column = 0; column < out.size(); ++column) {
        out[column] = static_cast<double>(load<T>(at + column * sizeof(T), false));
      }
      return;
    }
    for (std::size_t column = 0; column < out.size(); ++column) {
      out[column] = static_cast<double>(
          load<T>(at + static_cast<std::int64_t>(column) * array.strides[1], array.byte_swapped));
    }
  });
}

double read_number(const Array& array, std::int64_t row, std::int64_t column) {
  return with_type(array.dtype, [&]<class T>() {
    return static_cast<double>(load<T>(address(array, row, column), array.byte_swapped));
  });
}

std::int64_t read_integer(const Array& array, std::int64_t row, std::int64_t column) {
  assert(!is_float(array.dtype));
  return with_type(array.dtype, [&]<class T>() {
    const auto value = load<T>(address(array, row, column), array.byte_swapped);
    if constexpr (std::is_same_v<T, std::uint64_t>) {
      constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
      if (value > static_cast<std::uint64_t>(largest)) return largest;
    }
    return static_cast<std::int64_t>(value);
  });
}

float float_from_half(std::uint16_t bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16;
  const std::uint32_t magnitude = static_cast<std::uint32_t>(bits & 0x7FFFu) << 13;
  if (magnitude >= 0x0F800000u) return std::bit_cast<float>(sign | 0x70000000u | magnitude);
  // The exponents' biases differ by 112; the product is exact, also for denormal halves.
  const float value = std::bit_cast<float>(magnitude) * 0x1p112f;
  return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(value));
}

float float_from_bfloat16(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

}  // namespace hqe
