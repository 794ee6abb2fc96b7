// SPDX-License-Identifier: MIT
#include "hqe/documents/json_writer.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "hqe/text/printable.h"

namespace hqe {

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD

bool is_plain(char byte) {
  const auto code = static_cast<unsigned char>(byte);
  return code >= 0x20 && code < 0x80 && byte != '"' && byte != '\\';
}

void append_escape(ByteBuffer& out, char byte) {
  switch (byte) {
    case '"':
      return out.append("\\\"");
    case '\\':
      return out.append("\\\\");
    case '\b':
      return out.append("\\b");
    case '\f':
      return out.append("\\f");
    case '\n':
      return out.append("\\n");
    case '\r':
      return out.append("\\r");
    case '\t':
      return out.append("\\t");
    default:
      break;
  }
  constexpr std::string_view digits = "0123456789abcdef";
  const auto code = static_cast<unsigned char>(byte);
  out.append("\\u00");
  out.append(digits[code >> 4]);
  out.append(digits[code & 15]);
}

void append_string(ByteBuffer& out, std::string_view text) {
  out.append('"');
  while (!text.empty()) {
    const auto plain = static_cast<std::size_t>(
        std::find_if_not(text.begin(), text.end(), is_plain) - text.begin());
    out.append(text.substr(0, plain));
    text.remove_prefix(plain);
    if (text.empty()) break;
    std::size_t length = 1;
    if (static_cast<unsigned char>(text.front()) < 0x80) {
      append_escape(out, text.front());
    } else if (length = utf8_length(text); length > 0) {
      out.append(text.substr(0, length));
    } else {
      out.append(replacement);
      length = 1;
    }
    text.remove_prefix(length);
  }
  out.append('"');
}

}  // namespace

void JsonWriter::separate() {
  if (needs_comma_) out_.append(',');
  if (needs_line_) out_.append('\n');
  needs_comma_ = true;
  needs_line_ = false;
}

JsonWriter& JsonWriter::open(char bracket) {
  separate();
  out_.append(bracket);
  needs_comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
  if (needs_line_) out_.append('\n');
  out_.append(bracket);
  needs_comma_ = true;
  needs_line_ = false;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  separate();
  out_.append('"');
  out_.append(name);
  out_.append("\":");
  needs_comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::line() {
  needs_line_ = true;
  return *this;
}

JsonWriter& JsonWriter::null() {
  separate();
  out_.append("null");
  return *this;
}

JsonWriter& JsonWriter::value(bool truth) {
  separate();
  out_.append(truth ? "true" : "false");
  return *this;
}

JsonWriter& JsonWriter::value(double number) {
  if (!std::isfinite(number)) return null();
  separate();
  std::array<char, 32> digits;
  const char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  const std::string_view text(digits.data(), end);
  out_.append(text);
  // Readers that tell integers from other numbers must see the same type for 1.0 as for 0.5.
  if (text.find_first_of(".e") == std::string_view::npos) out_.append(".0");
  return *this;
}

JsonWriter& JsonWriter::value(std::uint64_t number) {
  if (number > largest_json_integer) return null();
  separate();
  out_.append_number(number);
  return *this;
}

JsonWriter& JsonWriter::value(int number) {
  separate();
  out_.append_number(static_cast<std::int64_t>(number));
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
  separate();
  append_string(out_, text);
  return *this;
}

JsonWriter& JsonWriter::value(TeamView team) {
  separate();
  out_.append('[');
  bool first = true;
  for (const ModelId member : team) {
    if (!first) out_.append(',');
    first = false;
    out_.append_number(std::uint64_t{member});
  }
  out_.append(']');
  return *this;
}

void JsonWriter::finish() {
  out_.append('\n');
  out_.flush();
}

}  // namespace hqe
