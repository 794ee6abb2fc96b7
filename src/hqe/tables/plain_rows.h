// SPDX-License-Identifier: MIT
/// Rows of plain cells, several bytes at a time. Private to tables/.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "hqe/tables/records.h"

namespace hqe {

/// Numbers of words of at most 16 bytes, found without a comparison of text. Forgets some.
class ShortWords {
 public:
  void learn(std::string_view word, std::int32_t number);

  /// The word that begins at `at` and ends before a comma or a line's end, which `at` then points
  /// to; nothing where it is not known. Requires: 16 bytes can be read.
  [[nodiscard]] std::optional<std::int32_t> take(const char*& at) const;

 private:
  struct Entry {
    std::uint64_t first = 0, second = 0;  ///< The bytes, then zeros.
    std::uint32_t length = 0;
    std::int32_t number = 0;
  };
  struct Found;
  static std::size_t slot_of(std::uint64_t first, std::uint64_t second);

  std::vector<Entry> entries_ = std::vector<Entry>(2048);
};

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
    bool is_whole = false;  ///< Whole numbers that are no text.
    std::size_t offset = 0;
    std::int64_t limit = 0;  ///< The largest whole number that fits.
    std::size_t run = 0;     ///< Columns of one byte from here on that lie side by side.
    bool has_fractions = false;
    double least = 0, most = 0;
  };

  bool take(Cell& cell, const char*& at, const char* end, std::byte* record);
  static bool take_number(Cell& cell, const char*& at, std::byte* record);
  static bool put_whole(const Cell& cell, std::int64_t whole, std::byte* record);
  bool take_spelled(const Cell& cell, const char*& at, const char* end, std::byte* record) const;

  std::string_view text_;
  std::vector<Cell> cells_;
  ShortWords words_, models_;
};

}  // namespace hqe
