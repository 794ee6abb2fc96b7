// SPDX-License-Identifier: MIT
/// How the bytes of one element become a number.

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "hqe/predictions/array.h"

namespace hqe::element {

/// Stored as a byte; any byte but 0 is true, as NumPy has it.
struct Boolean {
  std::uint8_t bits;
};
struct Half {
  std::uint16_t bits;
};
struct BFloat16 {
  std::uint16_t bits;
};

/// The unsigned integer that has the size of a stored T.
template <std::size_t size>
struct BitsOfSize;
template <>
struct BitsOfSize<1> {
  using Type = std::uint8_t;
};
template <>
struct BitsOfSize<2> {
  using Type = std::uint16_t;
};
template <>
struct BitsOfSize<4> {
  using Type = std::uint32_t;
};
template <>
struct BitsOfSize<8> {
  using Type = std::uint64_t;
};
template <class T>
using Bits = typename BitsOfSize<sizeof(T)>::Type;

template <class B>
[[nodiscard]] B swap_bytes(B bits) {
  if constexpr (sizeof(B) == 2) return __builtin_bswap16(bits);
  if constexpr (sizeof(B) == 4) return __builtin_bswap32(bits);
  if constexpr (sizeof(B) == 8) return __builtin_bswap64(bits);
  return bits;
}

/// The element at `at`, which need not be aligned. A half or bfloat16 comes as a float, a boolean
/// as 0 or 1.
template <class T>
[[nodiscard]] auto load(const std::byte* at, bool byte_swapped) {
  Bits<T> bits;
  std::memcpy(&bits, at, sizeof bits);
  if (byte_swapped) bits = swap_bytes(bits);
  if constexpr (std::is_same_v<T, Boolean>) {
    return static_cast<std::uint8_t>(bits != 0);
  } else if constexpr (std::is_same_v<T, Half>) {
    return float_from_half(bits);
  } else if constexpr (std::is_same_v<T, BFloat16>) {
    return float_from_bfloat16(bits);
  } else {
    T value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
}

/// Calls function.template operator()<T>() with the type of `dtype`'s elements.
template <class Function>
decltype(auto) with_type(DType dtype, Function&& function) {
  switch (dtype) {
    case DType::boolean:
      return function.template operator()<Boolean>();
    case DType::int8:
      return function.template operator()<std::int8_t>();
    case DType::int16:
      return function.template operator()<std::int16_t>();
    case DType::int32:
      return function.template operator()<std::int32_t>();
    case DType::int64:
      return function.template operator()<std::int64_t>();
    case DType::uint8:
      return function.template operator()<std::uint8_t>();
    case DType::uint16:
      return function.template operator()<std::uint16_t>();
    case DType::uint32:
      return function.template operator()<std::uint32_t>();
    case DType::uint64:
      return function.template operator()<std::uint64_t>();
    case DType::float16:
      return function.template operator()<Half>();
    case DType::bfloat16:
      return function.template operator()<BFloat16>();
    case DType::float32:
      return function.template operator()<float>();
    case DType::float64:
      break;
  }
  return function.template operator()<double>();
}

/// Where element (row, column) lies.
[[nodiscard]] inline const std::byte* address(const Array& array, std::int64_t row,
                                              std::int64_t column) {
  return array.data + (array.stored_row(row) * array.strides[0] + column * array.strides[1]);
}

}  // namespace hqe::element
