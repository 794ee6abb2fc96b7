// SPDX-License-Identifier: MIT
/// The rows of a CSV table as records of equal size, in scratch: what is left of the text.
/// Implemented in records.cpp, record_pass.cpp and arranged.cpp.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
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
  medium,   ///< int16
  whole,    ///< int32
  number,   ///< double
  counted,  ///< int64, an id that is a whole number
  spelled,  ///< where an id that is text stands in the file
};

struct TableColumn {
  std::string name;
  Role role = Role::skipped;
  Storage storage = Storage::nothing;
  bool is_text = false;        ///< Whole numbers are places among the words.
  std::size_t offset = 0;      ///< Bytes from the start of the first record to the value.
  std::size_t step = 0;        ///< Bytes from a value to the next row's.
  bool has_fractions = false;  ///< Some value is not whole.
  bool is_counting = true;     ///< Each value is larger than the one above it.
  double least = 0, most = 0;  ///< Of numbers.
};

/// Rows of one table. Columns are those of the file, in its order. Values lie row by row, or a
/// column at a time.
struct Records {
  FileBytes text;     ///< The file.
  FileBytes records;  ///< The values.
  std::int64_t count = 0;
  std::vector<TableColumn> columns;
  std::shared_ptr<const std::vector<std::string>> words;  ///< Of text labels, sorted.
  std::vector<std::string> models;                        ///< Of a column of models.

  [[nodiscard]] const std::byte* at(std::int64_t row, const TableColumn& column) const {
    return records.bytes.data() + column.offset + static_cast<std::size_t>(row) * column.step;
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

/// The same, a column at a time: quick to look at where each model is a column.
[[nodiscard]] Records by_column(const Records& records, const std::vector<std::int64_t>& order,
                                const std::vector<Arranged>& layout);

/// Bytes of one value.
[[nodiscard]] std::size_t size_of(Storage storage);

/// Whether whole numbers lie there, an id's among them.
[[nodiscard]] inline bool is_whole(Storage storage) {
  return storage == Storage::small || storage == Storage::medium || storage == Storage::whole ||
         storage == Storage::counted;
}

/// The largest whole number that fits, of small, medium and whole.
[[nodiscard]] inline double largest_of(Storage storage) {
  return storage == Storage::small ? 127 : storage == Storage::medium ? 32767 : 2147483647;
}

/// A stored number; of words the place, of spelled ids anything.
[[nodiscard]] double stored_number(Storage storage, const std::byte* at);

/// A stored id that is text.
[[nodiscard]] std::string_view spelled_id(const FileBytes& text, const std::byte* at);

/// Puts columns behind each other in a record, wide ones first, and returns its size.
[[nodiscard]] std::size_t lay_out(std::vector<TableColumn>& columns,
                                  const std::vector<std::size_t>& order);

}  // namespace hqe
