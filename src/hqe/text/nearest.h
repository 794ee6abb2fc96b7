// SPDX-License-Identifier: MIT
/// "Did you mean": the known word closest to a mistyped one.

#pragma once

#include <span>
#include <string>
#include <string_view>

namespace hqe {

/// The word with the smallest edit distance, the first of equals; empty where `words` is empty.
[[nodiscard]] std::string nearest_word(std::string_view word, std::span<const std::string> words);

}  // namespace hqe
