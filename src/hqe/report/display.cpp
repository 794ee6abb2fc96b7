// SPDX-License-Identifier: MIT
#include "hqe/report/display.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "hqe/documents/json_writer.h"

namespace hqe {

namespace {

constexpr std::string_view ellipsis = "\xE2\x80\xA6";  // U+2026
/// A word above this is hardly a word, and hides what is said of it.
constexpr int longest_word = 200;
constexpr int longest_message = 1'000;

constexpr std::string_view heading_code = "\x1b[1m", faint_code = "\x1b[2m";
constexpr std::string_view good_code = "\x1b[32m", bad_code = "\x1b[31m";
constexpr std::string_view plain_code = "\x1b[0m";
constexpr std::array colour_codes{heading_code, faint_code, good_code, bad_code, plain_code};

struct Range {
  char32_t first, last;
};

constexpr std::array zero_width{
    Range{0x0300, 0x036F}, Range{0x0483, 0x0489},  Range{0x0591, 0x05BD}, Range{0x0610, 0x061A},
    Range{0x064B, 0x065F}, Range{0x0E31, 0x0E31},  Range{0x0E34, 0x0E3A}, Range{0x0E47, 0x0E4E},
    Range{0x1AB0, 0x1AFF}, Range{0x1DC0, 0x1DFF},  Range{0x20D0, 0x20FF}, Range{0xFE00, 0xFE0F},
    Range{0xFE20, 0xFE2F}, Range{0xE0100, 0xE01EF}};

constexpr std::array double_width{
    Range{0x1100, 0x115F},   Range{0x231A, 0x231B},   Range{0x23E9, 0x23EC},
    Range{0x2E80, 0x303E},   Range{0x3041, 0x33FF},   Range{0x3400, 0x4DBF},
    Range{0x4E00, 0x9FFF},   Range{0xA000, 0xA4CF},   Range{0xAC00, 0xD7A3},
    Range{0xF900, 0xFAFF},   Range{0xFE30, 0xFE6F},   Range{0xFF00, 0xFF60},
    Range{0xFFE0, 0xFFE6},   Range{0x1F300, 0x1F64F}, Range{0x1F680, 0x1F6FF},
    Range{0x1F900, 0x1F9FF}, Range{0x1FA70, 0x1FAFF}, Range{0x20000, 0x3FFFD}};

template <std::size_t Count>
bool is_in(const std::array<Range, Count>& ranges, char32_t code) {
  const auto after = std::ranges::upper_bound(ranges, code, {}, &Range::first);
  return after != ranges.begin() && code <= std::prev(after)->last;
}

int width_of(char32_t code) {
  if (is_in(zero_width, code)) return 0;
  return is_in(double_width, code) ? 2 : 1;
}

/// Characters with the marks that belong to them.
std::vector<std::string_view> clusters(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t length = std::max<std::size_t>(1, utf8_length(text.substr(begin)));
    const std::string_view sequence = text.substr(begin, length);
    if (!parts.empty() && width_of(code_point(sequence)) == 0) {
      parts.back() = {parts.back().data(), parts.back().size() + length};
    } else {
      parts.push_back(sequence);
    }
    begin += length;
  }
  return parts;
}

}  // namespace

int display_width(std::string_view text) {
  int width = 0;
  while (!text.empty()) {
    const std::size_t length = std::max<std::size_t>(1, utf8_length(text));
    width += width_of(code_point(text.substr(0, length)));
    text.remove_prefix(length);
  }
  return width;
}

std::string shorten(std::string_view text, int width) {
  if (display_width(text) <= width) return std::string(text);
  const auto parts = clusters(text);
  const int room = width - 1;
  const int front_room = (room + 1) / 2;
  std::string front, back;
  int front_width = 0, back_width = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const int next = display_width(parts[i]);
    if (front_width + next > front_room) break;
    front += parts[i];
    front_width += next;
  }
  for (std::size_t i = parts.size(); i-- > 0;) {
    const int next = display_width(parts[i]);
    if (front_width + back_width + next > room) break;
    back.insert(0, parts[i]);
    back_width += next;
  }
  return front.append(ellipsis).append(back);
}

std::vector<std::string> wrap(std::string_view text, int width) {
  std::vector<std::string> lines;
  int line_width = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t space = std::min(text.find(' ', begin), text.size());
    // "25.4 %" is one word to the eye.
    while (space + 1 < text.size() && text[space + 1] == '%') {
      space = std::min(text.find(' ', space + 1), text.size());
    }
    if (space > begin) {
      const std::string word = shorten(text.substr(begin, space - begin), width);
      const int word_width = display_width(word);
      if (!lines.empty() && line_width + 1 + word_width <= width) {
        lines.back().append(" ").append(word);
        line_width += 1 + word_width;
      } else {
        lines.push_back(word);
        line_width = word_width;
      }
    }
    begin = space + 1;
  }
  if (lines.empty()) lines.emplace_back();
  return lines;
}

std::string message_text(std::string_view text) {
  const std::string shown = displayable(text);
  std::string message;
  for (std::size_t begin = 0; begin <= shown.size();) {
    const std::size_t space = std::min(shown.find(' ', begin), shown.size());
    message += shorten(std::string_view(shown).substr(begin, space - begin), longest_word);
    if (space < shown.size()) message += ' ';
    begin = space + 1;
  }
  return shorten(message, longest_message);
}

std::string painted(std::string_view text, Paint paint, bool colour) {
  if (!colour || paint == Paint::plain || text.empty()) return std::string(text);
  const std::string_view code = paint == Paint::heading ? heading_code
                                : paint == Paint::faint ? faint_code
                                : paint == Paint::good  ? good_code
                                                        : bad_code;
  return std::string(code).append(text).append(plain_code);
}

std::string page_text(std::string_view text, bool colour) {
  std::string shown;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("\n\x1b"), text.size());
    shown += displayable(text.substr(0, end));
    text.remove_prefix(end);
    if (text.empty()) break;
    std::size_t length = text.front() == '\n' ? 1 : 0;
    for (const std::string_view code : colour_codes) {
      if (colour && text.starts_with(code)) length = code.size();
    }
    shown += length > 0 ? std::string(text.substr(0, length)) : displayable(text.substr(0, 1));
    text.remove_prefix(std::max<std::size_t>(1, length));
  }
  return shown;
}

}  // namespace hqe
