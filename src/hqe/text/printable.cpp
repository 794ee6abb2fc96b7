// SPDX-License-Identifier: MIT
#include "hqe/text/printable.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace hqe {
namespace {

struct UnfitRange {
  char32_t first, last;
};

/// Ascending. Letters, marks and emoji of every script are absent.
constexpr std::array unfit{
    UnfitRange{0x0000, 0x001F},    // C0 controls, line breaks among them
    UnfitRange{0x007F, 0x009F},    // delete, C1 controls
    UnfitRange{0x00AD, 0x00AD},    // soft hyphen
    UnfitRange{0x061C, 0x061C},    // Arabic letter mark
    UnfitRange{0x180E, 0x180E},    // Mongolian vowel separator
    UnfitRange{0x200B, 0x200F},    // characters of no width, marks of direction
    UnfitRange{0x2028, 0x202E},    // line and paragraph separators, embeddings, overrides
    UnfitRange{0x2060, 0x206F},    // invisible operators, isolates
    UnfitRange{0xFEFF, 0xFEFF},    // byte order mark
    UnfitRange{0xFFF9, 0xFFFB},    // interlinear annotation
    UnfitRange{0xFFFE, 0xFFFF},    // no characters
    UnfitRange{0xE0000, 0xE007F},  // tags
};

bool is_unfit(char32_t code) {
  const auto after = std::ranges::upper_bound(unfit, code, {}, &UnfitRange::first);
  return after != unfit.begin() && code <= std::prev(after)->last;
}

std::string escape(char32_t code) {
  const auto number = static_cast<unsigned>(code);
  if (number < 0x80) return fmt::format("\\x{:02x}", number);
  return number <= 0xFFFF ? fmt::format("\\u{:04x}", number) : fmt::format("\\U{:08x}", number);
}

/// Takes the first character off `text`, or a byte that belongs to none, and returns how it is
/// shown.
std::string take_shown(std::string_view& text) {
  const std::size_t length = utf8_length(text);
  const std::string_view character = text.substr(0, std::max<std::size_t>(1, length));
  text.remove_prefix(character.size());
  if (length == 0) return fmt::format("\\x{:02x}", static_cast<unsigned char>(character.front()));
  const char32_t code = code_point(character);
  return is_unfit(code) ? escape(code) : std::string(character);
}

}  // namespace

std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t place) { return static_cast<unsigned char>(text[place]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return 0;
  for (std::size_t place = 1; place < length; ++place) {
    if ((byte(place) & 0xC0) != 0x80) return 0;
  }
  // Overlong forms, surrogates and codes above U+10FFFF show in the second byte.
  const unsigned char second = byte(1);
  if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) ||
      (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F)) {
    return 0;
  }
  return length;
}

char32_t code_point(std::string_view character) {
  const auto lead = static_cast<unsigned char>(character.front());
  if (lead < 0x80) return lead;
  char32_t code = lead & (0x7Fu >> character.size());
  for (const char byte : character.substr(1)) {
    code = (code << 6) | (static_cast<unsigned char>(byte) & 0x3F);
  }
  return code;
}

std::string displayable(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) shown += take_shown(text);
  return shown;
}

std::string printable(std::string_view text) {
  constexpr int limit = 60;
  std::string shown = "\"";
  for (int taken = 0; taken < limit && !text.empty(); ++taken) shown += take_shown(text);
  return shown + (text.empty() ? "\"" : "...\"");
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

}  // namespace hqe
