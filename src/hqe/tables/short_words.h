// SPDX-License-Identifier: MIT
/// Words that come again and again. Private to tables/.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "hqe/tables/plain_digits.h"

namespace hqe {

/// Numbers of words of at most 16 bytes, found without a comparison of text. Forgets some.
class ShortWords {
 public:
  void learn(std::string_view word, std::int32_t number);

  /// The number of the word that begins at `at` and ends before one of `stops`, to which `at` then
  /// points; below 0 where it is not known. Requires: 16 bytes can be read.
  template <char... stops>
  [[nodiscard]] std::int32_t take(const char*& at) const;

 private:
  struct Entry {
    std::uint64_t first = 0, second = 0;  ///< The bytes, then zeros.
    std::uint32_t length = 0;
    std::int32_t number = 0;
  };
  static std::size_t slot_of(std::uint64_t first, std::uint64_t second) {
    return ((first ^ std::rotl(second, 23)) * 0x9E3779B97F4A7C15) >> 53;
  }

  std::vector<Entry> entries_ = std::vector<Entry>(2048);
};

template <char... stops>
[[gnu::always_inline]] inline std::int32_t ShortWords::take(const char*& at) const {
  using namespace plain;
  std::uint64_t first = load_word(at), second = 0;
  std::uint64_t ends = (find_byte(first, stops) | ...);
  unsigned length = first_place(ends);
  if (ends != 0) {
    first &= below_first(ends);
  } else {
    second = load_word(at + 8);
    ends = (find_byte(second, stops) | ...);
    if (ends != 0) second &= below_first(ends);
    length += first_place(ends);
  }
  const Entry& entry = entries_[slot_of(first, second)];
  // Zeros in a word are no bytes of another: the length tells them apart, and an empty cell from
  // an empty entry.
  const bool is_known =
      ((entry.first ^ first) | (entry.second ^ second) | (entry.length ^ length)) == 0 &&
      length > 0;
  if (!is_known) return -1;
  at += length;
  return entry.number;
}

}  // namespace hqe
