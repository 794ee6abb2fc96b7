// SPDX-License-Identifier: MIT
/// Cuts CSV text into cells.

#pragma once

#include <cstdint>
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

  /// The cell, without quotes and without blanks around it. Doubled quotes stay doubled.
  [[nodiscard]] std::string_view cell() const { return cell_; }
  [[nodiscard]] bool is_last_of_line() const { return is_last_; }
  [[nodiscard]] bool was_quoted() const { return was_quoted_; }
  [[nodiscard]] std::int64_t column() const { return column_; }  ///< Counted from 1.
  [[nodiscard]] std::int64_t line() const { return line_; }      ///< Counted from 1.
  [[nodiscard]] std::string place() const;                       ///< "line 3, column 2".

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

}  // namespace hqe
