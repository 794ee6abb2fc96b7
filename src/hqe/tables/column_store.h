// SPDX-License-Identifier: MIT
/// Values of a table written a column at a time, while rows come one after the other. Private to
/// tables/.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "hqe/files/scratch.h"
#include "hqe/tables/records.h"

namespace hqe {

class ColumnStore {
 public:
  /// Rows that may be put into the store at once.
  static constexpr std::size_t rows_together = 256;

  /// `file` is the name that messages use. The columns of `order` get their places in what finish()
  /// returns; at most `most_rows` rows may come, and rows that do not come cost nothing but
  /// addresses.
  ColumnStore(std::string file, std::vector<TableColumn>& columns,
              const std::vector<std::size_t>& order, std::uint64_t most_rows);

  /// Where the next values of a column go, by its place in `order`.
  [[nodiscard]] std::byte* next(std::size_t place);

  /// So many rows were put there, of every column. Requires: count <= rows_together.
  void add(std::size_t count);

  /// The values. Requires: there is a row.
  [[nodiscard]] FileBytes finish();

 private:
  struct Column {
    std::size_t width = 0;
    std::uint64_t offset = 0;
    std::vector<std::byte> buffer;
  };
  void write();
  void write(const Column& column);

  std::vector<Column> columns_;
  std::size_t last_ = 0;  ///< The column that lies last.
  std::size_t buffered_rows_ = 0;
  std::size_t used_ = 0;       ///< Rows in the buffers.
  std::uint64_t written_ = 0;  ///< Rows before them.
  Scratch scratch_;
};

/// Some values of a column that lie `step` bytes apart, put side by side.
void gather_values(const std::byte* from, std::size_t step, std::size_t width, std::size_t count,
                   std::byte* to);

}  // namespace hqe
