// SPDX-License-Identifier: MIT
/// The words of an enumeration: one table, from which both ways are read.

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string_view>

namespace hqe {

template <typename Value>
struct Word {
  Value value;
  std::string_view word;
};
template <typename Value>
Word(Value, std::string_view) -> Word<Value>;

/// Whether every one of `values` has a word.
template <typename Value, std::size_t values, std::size_t words>
[[nodiscard]] constexpr bool have_words(const std::array<Value, values>& all,
                                        const std::array<Word<Value>, words>& table) {
  return std::ranges::all_of(all, [&](Value value) {
    return std::ranges::find(table, value, &Word<Value>::value) != table.end();
  });
}

/// Throws std::logic_error for a value that was given no word.
template <typename Value, std::size_t words>
[[nodiscard]] std::string_view word_of(const std::array<Word<Value>, words>& table, Value value) {
  const auto found = std::ranges::find(table, value, &Word<Value>::value);
  if (found == table.end()) throw std::logic_error("a value without a word");
  return found->word;
}

/// Nothing for a word that is not in the table.
template <typename Value, std::size_t words>
[[nodiscard]] std::optional<Value> value_of(const std::array<Word<Value>, words>& table,
                                            std::string_view word) {
  const auto found = std::ranges::find(table, word, &Word<Value>::word);
  return found == table.end() ? std::nullopt : std::optional(found->value);
}

}  // namespace hqe
