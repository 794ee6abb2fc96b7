// SPDX-License-Identifier: MIT
/// Digits and short words, eight bytes at a time, on machines whose first byte counts least.
/// Private to tables/.

#pragma once

#include <array>
#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <system_error>

#include "hqe/tables/csv_cells.h"

namespace hqe::plain {

inline constexpr std::uint64_t ones = 0x0101010101010101;
inline constexpr std::uint64_t tops = ones << 7;
inline constexpr std::uint64_t exact_limit = std::uint64_t{1} << 53;

/// How far a cell may be looked at without asking where the text ends: a sign, a point and digits
/// as long as take_digits() goes on, or a short word.
inline constexpr std::ptrdiff_t margin = 64;

inline constexpr std::array<std::uint64_t, 19> whole_tens = [] {
  std::array<std::uint64_t, 19> tens{1};
  for (std::size_t i = 1; i < tens.size(); ++i) tens[i] = tens[i - 1] * 10;
  return tens;
}();

inline std::uint64_t load_word(const char* at) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof word);
  return word;
}

template <typename Value>
void put(std::byte* at, Value value) {
  std::memcpy(at, &value, sizeof value);
}

/// The top bit of the first byte that is `letter`; bits above it mean nothing.
inline std::uint64_t find_byte(std::uint64_t word, char letter) {
  const std::uint64_t difference = word ^ (ones * static_cast<unsigned char>(letter));
  return (difference - ones) & ~difference & tops;
}

/// Of what find_byte() found: the place of the first byte, 8 where there is none; a mask of the
/// bytes before it. Requires of the mask: there is one.
inline unsigned first_place(std::uint64_t found) {
  return static_cast<unsigned>(std::countr_zero(found)) / 8;
}
inline std::uint64_t below_first(std::uint64_t found) { return ((found & (~found + 1)) >> 7) - 1; }

/// The digits that begin a word of eight bytes.
struct Digits {
  std::uint64_t values;
  unsigned count;

  [[gnu::always_inline]] explicit Digits(std::uint64_t word) : values(word ^ (ones * '0')) {
    // A byte above 9 sets its top bit, and disturbs only bytes behind it.
    count = first_place((values | (values + ones * 0x76)) & tops);
  }

  /// Their number. Requires: there is one.
  [[nodiscard, gnu::always_inline]] std::uint64_t number() const {
    // Zeros in front, then pairs, fours and eights of digits are added up side by side.
    std::uint64_t sum = values << (8 * (8 - count));
    sum = (sum * (1 + (10 << 8))) >> 8;
    sum = ((sum & 0x00FF00FF00FF00FF) * (1 + (100 << 16))) >> 16;
    return ((sum & 0x0000FFFF0000FFFF) * (1 + (std::uint64_t{10000} << 32))) >> 32;
  }
};

/// Adds the digits at `at` to a number and returns how many they are. Up to eight at a time, since
/// a loop over digits spends its time on guessing where it ends.
[[gnu::always_inline]] inline std::size_t take_digits(const char*& at, std::uint64_t& number) {
  std::size_t count = 0;
  while (count <= 16) {
    const Digits digits(load_word(at));
    if (digits.count == 0) break;
    number = number * whole_tens[digits.count] + digits.number();
    at += digits.count;
    count += digits.count;
    if (digits.count < 8) break;
  }
  return count;
}

struct Decimal {
  bool is_negative = false;
  std::uint64_t digits = 0;
  std::size_t decimals = 0;

  [[nodiscard]] double value() const {
    const auto whole = static_cast<double>(digits);
    const double size = decimals == 0 ? whole : whole / detail::exact_tens[decimals];
    return is_negative ? -size : size;
  }
  /// False where it is not whole.
  bool to_whole(std::int64_t& whole) const {
    std::uint64_t size = digits;
    if (decimals != 0) {
      if (digits % whole_tens[decimals] != 0) return false;
      size /= whole_tens[decimals];
    }
    whole = is_negative ? -static_cast<std::int64_t>(size) : static_cast<std::int64_t>(size);
    return true;
  }
};

/// False where the cell does not begin with digits, or has more than a quotient of two exact
/// numbers can hold.
[[gnu::always_inline]] inline bool take_decimal(const char*& at, Decimal& decimal) {
  decimal.is_negative = *at == '-';
  if (decimal.is_negative) ++at;
  const std::size_t count = take_digits(at, decimal.digits);
  if (count == 0) return false;
  if (*at == '.') {
    ++at;
    decimal.decimals = take_digits(at, decimal.digits);
  }
  return count + decimal.decimals <= 18 && decimal.digits < exact_limit;
}

/// A number below one as most shares are written: "0.", at most 15 digits, a comma.
[[gnu::always_inline]] inline bool take_share(const char*& at, double& value) {
  if (at[0] != '0' || at[1] != '.') return false;
  const Digits first(load_word(at + 2));
  if (first.count < 8) {
    if (first.count == 0 || at[2 + first.count] != ',') return false;
    value = static_cast<double>(first.number()) / detail::exact_tens[first.count];
    at += 2 + first.count;
    return true;
  }
  const Digits second(load_word(at + 10));
  if (second.count == 8 || at[10 + second.count] != ',') return false;
  const std::uint64_t digits =
      first.number() * whole_tens[second.count] + (second.count == 0 ? 0 : second.number());
  value = static_cast<double>(digits) / detail::exact_tens[8 + second.count];
  at += 10 + second.count;
  return true;
}

/// Whether "0." and more digits follow than take_share() takes, as where all of a double are
/// written.
[[gnu::always_inline]] inline bool is_long_share(const char* at) {
  return at[0] == '0' && at[1] == '.' && Digits(load_word(at + 2)).count == 8 &&
         Digits(load_word(at + 10)).count == 8;
}

/// Any number that begins with a digit: also one of many digits, or with an exponent.
[[nodiscard]] inline bool take_number(const char*& at, const char* end, double& value) {
  const char* const begin = at;
  if (!is_long_share(at)) {
    Decimal decimal;
    if (take_decimal(at, decimal) && *at != 'e' && *at != 'E') {
      value = decimal.value();
      return true;
    }
  }
  const char first = *begin == '-' ? begin[1] : *begin;
  if (first < '0' || first > '9') return false;
  const auto [stop, error] = std::from_chars(begin, end, value);
  at = stop;
  return error == std::errc{} && stop != end;
}

/// Four cells of one digit each, every one with a comma behind it.
inline bool take_four(const char* at, std::byte* record) {
  std::uint64_t values = load_word(at) ^ 0x2C302C302C302C30;
  if (((values | (values + 0x0076007600760076)) & 0xFF80FF80FF80FF80) != 0) return false;
  values = (values | values >> 8) & 0x0000FFFF0000FFFF;
  put(record, static_cast<std::uint32_t>(values | values >> 16));
  return true;
}

/// Two cells of up to four digits in eight bytes, a comma behind each. Returns their bytes with the
/// commas; 0 where these are no such cells. One after another they would wait for each other's end.
[[gnu::always_inline]] inline std::size_t take_two(const char* at, std::uint32_t& one,
                                                   std::uint32_t& two) {
  const std::uint64_t values = load_word(at) ^ (ones * '0');
  // Where a byte carries into the next it is no comma itself, and is seen below.
  const std::uint64_t stops = (values | (values + ones * 0x76)) & tops;
  const std::uint64_t second_stop = stops & (stops - 1);
  if (second_stop == 0) return 0;
  const unsigned first = first_place(stops);
  const unsigned both = first_place(second_stop);
  const unsigned second = both - first - 1;
  if (first - 1 > 3 || second - 1 > 3 || at[first] != ',' || at[both] != ',') return 0;
  const auto lane = [](std::uint64_t digits, unsigned count) {
    return static_cast<std::uint32_t>(digits << (8 * (4 - count)));
  };
  std::uint64_t sum = static_cast<std::uint64_t>(lane(values >> (8 * (first + 1)), second)) << 32;
  sum |= lane(values, first);
  sum = (sum * (1 + (10 << 8))) >> 8;
  sum = ((sum & 0x00FF00FF00FF00FF) * (1 + (100 << 16))) >> 16;
  one = static_cast<std::uint32_t>(sum & 0xFFFF);
  two = static_cast<std::uint32_t>((sum >> 32) & 0xFFFF);
  return both + 1;
}

}  // namespace hqe::plain
