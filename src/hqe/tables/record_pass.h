// SPDX-License-Identifier: MIT
/// One pass over the rows of a table. Implemented in record_pass.cpp and, for single cells,
/// record_cells.cpp. Private to tables/.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hqe/files/scratch.h"
#include "hqe/tables/column_store.h"
#include "hqe/tables/csv_cells.h"
#include "hqe/tables/plain_rows.h"
#include "hqe/tables/records.h"
#include "hqe/tables/vocabulary.h"

namespace hqe {

/// A spelled id is the place of its first byte in the file, and its length.
inline constexpr int spelled_length_bits = 20;
inline constexpr std::uint64_t spelled_length_limit = (std::uint64_t{1} << spelled_length_bits) - 1;

class RecordPass {
 public:
  RecordPass(const FileBytes& text, std::vector<TableColumn> columns);

  /// Looks at the first rows and keeps nothing but what they need.
  void look(std::int64_t row_limit);

  /// Reads and keeps all rows. False where a value did not fit, or a word was new: now all do, and
  /// the pass must be made again. Throws InputError.
  [[nodiscard]] bool read();

  /// Requires: read() returned true.
  [[nodiscard]] Records finish();

 private:
  /// What a column needs while it is read.
  struct Reading {
    double previous = 0;
    std::string_view previous_id;
    std::optional<bool> is_text;  ///< Nothing before the first row.
    std::int64_t first_line = 0;
  };

  bool pass(std::int64_t row_limit);
  void start();
  void make_room();
  [[nodiscard]] bool is_by_column() const;
  void read_rows(CsvCells& cells, std::int64_t row_limit);
  [[nodiscard]] bool read_plain_row(CsvCells& cells);
  void watch_counting();
  void take_number(std::size_t place, double value, const CsvCells& cells);
  void take_cell(std::size_t place, const CsvCells& cells);
  void take_word(std::size_t place, const CsvCells& cells);
  void take_id(std::size_t place, std::optional<double> value, const CsvCells& cells);
  void end_row(const CsvCells& cells);
  void change_storage(TableColumn& column, Storage storage);
  [[noreturn]] void refuse_width(const CsvCells& cells) const;
  void check_one_type(std::size_t place, bool is_text, const CsvCells& cells);
  void flush();
  [[nodiscard]] std::string place_of(std::size_t place, const CsvCells& cells) const;

  void store_whole(const TableColumn& column, std::int32_t whole);
  template <typename Value>
  void store(const TableColumn& column, Value value);

  const FileBytes& text_;
  std::vector<TableColumn> columns_;
  std::vector<Reading> readings_;
  Vocabulary words_, models_;
  PlainRows plain_;
  std::vector<std::size_t> watched_;  ///< Columns whose values may count.
  bool fits_ = true;
  bool lies_so_ = true;  ///< Columns have the places that their storage needs.
  std::size_t size_ = 0;
  std::int64_t count_ = 0;
  std::size_t position_ = 0;       ///< Where a pass ended.
  std::size_t expected_rows_ = 0;  ///< If the others are as long as those that were looked at.
  std::vector<std::byte> buffer_;
  std::size_t used_ = 0;
  std::size_t given_back_ = 0;
  std::optional<Scratch> scratch_;    ///< Rows as they come, or ..
  std::optional<ColumnStore> store_;  ///< .. the columns that are kept, ..
  std::vector<std::size_t> kept_;     ///< .. which are these, ..
  std::vector<TableColumn> stored_;   ///< .. and where they lie.
};

}  // namespace hqe
