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

}  // namespace hqe
