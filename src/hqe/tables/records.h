// SPDX-License-Identifier: MIT
/// The rows of a CSV table as records of equal size, in scratch: what is left of the text.
/// Implemented in records.cpp, record_pass.cpp and arranged.cpp.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "hqe/files/mapped_file.h"
#include "hqe/predictions/array.h"

namespace hqe {

/// What a column is read for: the id of a sample, the name of a model, the true label, or what a
/// model said.
enum class Role : std::uint8_t { skipped, id, model, truth, values };

/// How a column lies in a record.
enum class Storage : std::uint8_t {
  nothing,
  small,    ///< int8
  whole,    ///< int32
  number,   ///< double
  word,     ///< int32, a place among the words
  counted,  ///< int64, an id that is a whole number
  spelled,  ///< where an id that is text stands in the file
};

struct TableColumn {
  std::string name;
  Role role = Role::skipped;
  Storage storage = Storage::nothing;
  std::size_t offset = 0;      ///< Bytes from the start of a record.
  bool has_fractions = false;  ///< Some value is not whole.
  bool is_counting = true;     ///< Each value is larger than the one above it.
  double least = 0, most = 0;  ///< Of numbers.
};

/// Rows of one table. Columns are those of the file, in its order.
struct Records {
  FileBytes text;     ///< The file.
  FileBytes records;  ///< `count` records of `size` bytes.
  std::size_t size = 0;
  std::int64_t count = 0;
  std::vector<TableColumn> columns;
  std::shared_ptr<const std::vector<std::string>> words;  ///< Of text labels, sorted.
  std::vector<std::string> models;                        ///< Of a column of models.

  [[nodiscard]] const std::byte* at(std::int64_t row) const {
    return records.bytes.data() + static_cast<std::size_t>(row) * size;
  }
  /// A value that is a number, or the place of a word.
  [[nodiscard]] double number(std::int64_t row, const TableColumn& column) const;
  /// A value as text.
  [[nodiscard]] std::string spelled(std::int64_t row, const TableColumn& column) const;
  /// Less than, equal to or greater than 0 as one id comes before, is or comes after another.
  [[nodiscard]] int compare_ids(std::int64_t row, const TableColumn& column, const Records& other,
                                std::int64_t other_row, const TableColumn& other_column) const;
  /// `rows` values of columns that lie side by side, from `first` on, where they lie.
  [[nodiscard]] Array array(const TableColumn& column, std::size_t columns, std::int64_t first,
                            std::int64_t rows) const;
};

/// The names in the first line of a table. Throws InputError where they are no names, or one comes
/// twice.
[[nodiscard]] std::vector<std::string> read_header(const FileBytes& text);

/// Reads the rows below the header. `roles` has one entry a column. Whole numbers are kept small,
/// numbers become the nearest double, text a place among the words of all columns of values; where
/// a later row needs more room than the first ones the text is read once more. `spell_ids` takes
/// ids as text even where all are numbers.
/// Memory: the words, and what scratch keeps; the text's pages are given back as they are read.
/// Throws InputError naming column and line: empty cells, not-a-number, text among numbers, rows of
/// another width.
[[nodiscard]] Records read_records(const FileBytes& text, const std::vector<std::string>& names,
                                   const std::vector<Role>& roles, bool spell_ids);

/// A column of the records to make, as numbers of `storage`.
struct Arranged {
  std::size_t column;
  Storage storage;
};

/// The records in another order of rows and columns; `order` may be empty: as they are. Columns
/// that `layout` leaves out are Storage::nothing.
[[nodiscard]] Records arranged(const Records& records, const std::vector<std::int64_t>& order,
                               const std::vector<Arranged>& layout);

/// Bytes of one value.
[[nodiscard]] std::size_t size_of(Storage storage);

/// Puts columns behind each other in a record, wide ones first, and returns its size.
[[nodiscard]] std::size_t lay_out(std::vector<TableColumn>& columns,
                                  const std::vector<std::size_t>& order);

}  // namespace hqe
