// SPDX-License-Identifier: MIT
#include "hqe/io/printable.h"

#include <fmt/format.h>

namespace hqe {

std::string printable(std::string_view text) {
  constexpr std::size_t limit = 60;
  std::string shown = "\"";
  for (const char character : text.substr(0, limit)) {
    if (character >= ' ' && character <= '~') {
      shown += character;
    } else {
      shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(character));
    }
  }
  shown += text.size() > limit ? "...\"" : "\"";
  return shown;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const auto first = static_cast<unsigned char>(text[0]);
    const std::size_t length = first < 0x80   ? 1
                               : first < 0xC2 ? 0
                               : first < 0xE0 ? 2
                               : first < 0xF0 ? 3
                               : first < 0xF5 ? 4
                                              : 0;
    if (length == 0 || text.size() < length) return false;
    for (std::size_t i = 1; i < length; ++i) {
      if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) return false;
    }
    // Too long for what it says, a surrogate, or beyond the last character.
    const auto second = static_cast<unsigned char>(length > 1 ? text[1] : 0);
    if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
        (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F)) {
      return false;
    }
    text.remove_prefix(length);
  }
  return true;
}

}  // namespace hqe
