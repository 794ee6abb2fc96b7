// SPDX-License-Identifier: MIT
/// Words as a list in a sentence.

#pragma once

#include <ranges>
#include <string>
#include <string_view>

namespace hqe {

/// "soft, weighted or majority" with " or " as the last separator; "" of no words.
template <std::ranges::forward_range Words>
[[nodiscard]] std::string listed(const Words& words, std::string_view last = ", ") {
  std::string text;
  for (auto word = std::ranges::begin(words); word != std::ranges::end(words); ++word) {
    const bool is_last = std::ranges::next(word) == std::ranges::end(words);
    if (!text.empty()) text += is_last ? last : ", ";
    text += *word;
  }
  return text;
}

}  // namespace hqe
