// SPDX-License-Identifier: MIT
/// Rows of plain cells, several bytes at a time. Private to tables/.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "hqe/tables/records.h"
#include "hqe/tables/short_words.h"

namespace hqe {

/// Reads the rows that most tables are made of: plain numbers, and words that came before, without
/// quotes or blanks. Never wrong, only quick: what it does not take, RecordPass reads or refuses.
class PlainRows {
 public:
  explicit PlainRows(std::string_view text) : text_(text) {}

  /// Follows how columns lie in a record. Requires: they are laid out.
  void lay_out(const std::vector<TableColumn>& columns);

  /// A word that a column of models, or of labels, may hold again. Requires: it was not quoted.
  void learn(bool is_model, std::string_view word, std::int32_t number);

  /// Reads one row into a record and returns the bytes of its line; 0 where a cell is not plain,
  /// not known, or too large for its place. The record then holds anything.
  [[nodiscard]] std::size_t read(std::string_view rest, std::byte* record);

  /// Adds what was seen of columns of numbers.
  void tell(std::vector<TableColumn>& columns) const;

 private:
  struct Cell {
    Role role = Role::skipped;
    Storage storage = Storage::nothing;
    bool is_text = false;
    bool has_fractions = false;
    std::size_t offset = 0;
    double least = 0, most = 0;
  };

  /// Columns of one kind that lie side by side; none is the last of a line.
  struct Run {
    std::size_t first = 0, count = 0;
  };

  [[nodiscard]] bool goes_on(const Cell& cell, const Cell& next) const;
  const char* take_run(const Run& run, const char* at, const char* end, std::byte* record);
  template <typename Value>
  const char* take_whole(const Run& run, const char* at, const char* end, std::byte* record);
  template <typename Value>
  const char* take_words(const Run& run, const char* at, const char* end, std::byte* record);
  const char* take_numbers(const Run& run, const char* at, const char* end, std::byte* record);
  const char* take_last(const char* at, const char* end, std::byte* record);
  bool take_any(Cell& cell, const char*& at, const char* end, std::byte* record);
  bool take_spelled(const Cell& cell, const char*& at, const char* end, std::byte* record) const;
  [[nodiscard]] const ShortWords& words_of(const Cell& cell) const {
    return cell.role == Role::model ? models_ : words_;
  }

  std::string_view text_;
  std::vector<Cell> cells_;
  std::vector<Run> runs_;
  ShortWords words_, models_;
};

}  // namespace hqe
