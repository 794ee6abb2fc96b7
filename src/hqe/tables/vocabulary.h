// SPDX-License-Identifier: MIT
/// The different words of some columns, numbered.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hqe {

/// A column of more different words is no column of labels.
inline constexpr std::size_t most_words = std::size_t{1} << 20;

class Vocabulary {
 public:
  /// The number of a word, a new one for a new word; nothing where there are `limit` others.
  [[nodiscard]] std::optional<std::int32_t> number_of(std::string_view word, std::size_t limit);

  /// The words by number.
  [[nodiscard]] const std::vector<std::string>& words() const { return words_; }

  /// Numbers the words anew, in the order of their bytes. Words that say true or false, and no
  /// other, become the two of them. True where a number changed.
  bool sort();

  /// Whether the words are a spelling of false and true, in this order.
  [[nodiscard]] bool is_truth_values() const;

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view word) const {
      return std::hash<std::string_view>{}(word);
    }
  };

  std::vector<std::string> words_;
  std::unordered_map<std::string, std::int32_t, Hash, std::equal_to<>> numbers_;
};

}  // namespace hqe
