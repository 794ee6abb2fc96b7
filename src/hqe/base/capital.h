// SPDX-License-Identifier: MIT
/// Capital letters, of ASCII alone: other languages' words stay as they are.

#pragma once

#include <string>

namespace hqe {

[[nodiscard]] constexpr char capital(char letter) {
  return 'a' <= letter && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
}

/// With a capital at the beginning.
[[nodiscard]] inline std::string capitalised(std::string text) {
  if (!text.empty()) text.front() = capital(text.front());
  return text;
}

}  // namespace hqe
