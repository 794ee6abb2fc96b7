// SPDX-License-Identifier: MIT
/// Comma-separated rows as they are told. Private to documents/.

#pragma once

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "hqe/ensemble/team.h"
#include "hqe/text/byte_buffer.h"
#include "hqe/text/printable.h"
#include "hqe/text/sink.h"

namespace hqe {

/// A stranger's text that a spreadsheet shows in place of running it, and that leaves the terminal
/// alone on which the rows may be printed.
inline std::string inert(std::string_view text) {
  const bool is_formula =
      !text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos;
  return (is_formula ? "'" : "") + displayable(text);
}

/// Commas, quotes and what spreadsheets run are its business. Call finish() at the end.
class CsvWriter {
 public:
  CsvWriter(const Sink& sink, std::initializer_list<std::string_view> header) : out_(sink) {
    for (const std::string_view title : header) cell(title);
  }

  CsvWriter& end_row() {
    out_.append('\n');
    at_start_ = true;
    return *this;
  }

  CsvWriter& cell(std::string_view text) {
    separate();
    const std::string safe = inert(text);
    if (safe.find_first_of(",\"") == std::string::npos) {
      out_.append(safe);
      return *this;
    }
    out_.append('"');
    for (const char byte : safe) {
      if (byte == '"') out_.append('"');
      out_.append(byte);
    }
    out_.append('"');
    return *this;
  }
  CsvWriter& cell(const std::string& text) { return cell(std::string_view(text)); }
  CsvWriter& cell(const char* text) { return cell(std::string_view(text)); }

  CsvWriter& cell(TeamView team) {
    separate();
    for (std::size_t i = 0; i < team.size(); ++i) {
      if (i > 0) out_.append(' ');
      out_.append_number(std::uint64_t{team[i]});
    }
    return *this;
  }

  CsvWriter& cell(std::uint64_t number) {
    separate();
    out_.append_number(number);
    return *this;
  }
  CsvWriter& cell(std::uint32_t number) { return cell(std::uint64_t{number}); }
  CsvWriter& cell(int number) {
    separate();
    out_.append_number(static_cast<std::int64_t>(number));
    return *this;
  }
  CsvWriter& cell(double number) {
    separate();
    if (std::isfinite(number)) out_.append_number(number);
    return *this;
  }
  template <typename T>
  CsvWriter& cell(const std::optional<T>& maybe) {
    return maybe ? cell(*maybe) : cell("");
  }

  void finish() { out_.flush(); }

 private:
  void separate() {
    if (!at_start_) out_.append(',');
    at_start_ = false;
  }

  ByteBuffer out_;
  bool at_start_ = true;
};

}  // namespace hqe
