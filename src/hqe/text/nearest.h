// SPDX-License-Identifier: MIT
/// "Did you mean": the known word closest to a mistyped one.

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace hqe {

/// How many characters must be added, dropped or replaced to make one of the other.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// The word with the smallest edit distance, the first of equals; empty where `words` is empty.
[[nodiscard]] std::string nearest_word(std::string_view word, std::span<const std::string> words);

}  // namespace hqe
