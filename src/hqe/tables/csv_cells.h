// SPDX-License-Identifier: MIT
/// Cuts CSV text into cells, and reads the numbers in them.

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "hqe/files/mapped_file.h"

namespace hqe {

/// Walks over the cells of a CSV text from its first to its last.
class CsvCells {
 public:
  /// Skips a byte order mark. Throws InputError for UTF-16.
  explicit CsvCells(const FileBytes& bytes);

  /// Moves to the next cell. False at the end of the text; blank lines at the end are no cells.
  /// Throws InputError for a quoted cell that does not end, or text behind the closing quote.
  bool next();

  /// Moves to the next cell if it is a plain number (digits, perhaps a sign and a point), and gives
  /// the nearest double; else stays, and next() and parse_number() read the cell. Never wrong, only
  /// quick: most cells of predictions are such numbers.
  bool next_number(double& value);

  /// The cell, without quotes and without blanks around it. Doubled quotes stay doubled.
  [[nodiscard]] std::string_view cell() const { return cell_; }
  [[nodiscard]] bool is_last_of_line() const { return is_last_; }
  [[nodiscard]] bool was_quoted() const { return was_quoted_; }
  [[nodiscard]] std::int64_t column() const { return column_; }  ///< Counted from 1.
  [[nodiscard]] std::int64_t line() const { return line_; }      ///< Counted from 1.
  [[nodiscard]] std::string place() const;                       ///< "line 3, column 2".
  /// What was not walked over yet.
  [[nodiscard]] std::string_view rest() const { return rest_; }
  /// Walks over a line that somebody else read. Requires: the last cell ended its line; `length`
  /// is the line's, with its end, and no cell of it goes over several lines.
  void skip_line(std::size_t length);
  /// The byte behind the cell and its separator, counted from the start of the file.
  [[nodiscard]] std::size_t position() const { return bytes_.size() - rest_.size(); }

 private:
  void take_quoted();

  const FileBytes& bytes_;
  std::string_view rest_;
  std::string_view cell_;
  bool is_last_ = true;
  bool was_quoted_ = false;
  std::int64_t column_ = 0;
  std::int64_t line_ = 0;
  std::int64_t lines_in_cell_ = 0;
};

/// The cell as it was meant: doubled quotes are one.
[[nodiscard]] std::string unquoted(const CsvCells& cells);

/// The nearest double of a whole cell; nothing where it is no number. "nan" and "inf" are numbers.
[[nodiscard]] std::optional<double> parse_number(std::string_view cell);

namespace detail {

/// Powers of ten that are doubles: a quotient of two exact numbers is rounded once.
inline constexpr std::array<double, 19> exact_tens{1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,
                                                   1e7,  1e8,  1e9,  1e10, 1e11, 1e12, 1e13,
                                                   1e14, 1e15, 1e16, 1e17, 1e18};

}  // namespace detail

inline void CsvCells::skip_line(std::size_t length) {
  line_ += 1 + lines_in_cell_;
  lines_in_cell_ = 0;
  rest_.remove_prefix(length);
}

inline bool CsvCells::next_number(double& value) {
  constexpr std::uint64_t exact = std::uint64_t{1} << 53;
  const char* at = rest_.data();
  const char* const end = at + rest_.size();
  const bool is_negative = at != end && *at == '-';
  if (is_negative) ++at;
  std::uint64_t digits = 0;
  const auto take_digits = [&] {
    const char* const first = at;
    for (; at != end; ++at) {
      const unsigned digit = static_cast<unsigned char>(*at) - static_cast<unsigned>('0');
      if (digit > 9) break;
      digits = digits * 10 + digit;
    }
    return static_cast<std::size_t>(at - first);
  };
  std::size_t count = take_digits();
  std::size_t decimals = 0;
  if (count == 0) return false;
  if (at != end && *at == '.') {
    ++at;
    decimals = take_digits();
    count += decimals;
  }
  if (count > 18 || digits > exact) return false;
  const char* const cell_end = at;
  bool is_last = at == end;
  if (!is_last) {
    if (*at == '\r' && end - at > 1) ++at;
    if (*at != ',' && *at != '\n') return false;
    is_last = *at == '\n';
    if (at[-1] == '\r' && !is_last) return false;
    ++at;
  }
  if (is_last_) {
    line_ += 1 + lines_in_cell_;
    lines_in_cell_ = 0;
    column_ = 0;
  }
  ++column_;
  is_last_ = is_last;
  was_quoted_ = false;
  cell_ = {rest_.data(), static_cast<std::size_t>(cell_end - rest_.data())};
  rest_ = {at, static_cast<std::size_t>(end - at)};
  const double whole = static_cast<double>(digits);
  const double size = decimals == 0 ? whole : whole / detail::exact_tens[decimals];
  value = is_negative ? -size : size;
  return true;
}

}  // namespace hqe
