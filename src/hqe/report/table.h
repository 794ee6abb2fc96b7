// SPDX-License-Identifier: MIT
/// A table for people: aligned columns that fit the page.

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "hqe/report/display.h"

namespace hqe {

class Table {
 public:
  enum class Align { left, right };

  struct Column {
    std::string title;
    Align align = Align::right;
    /// Gives way when the table is too wide: its cells wrap at spaces. The last such column
    /// gives way first.
    bool wraps = false;
    /// Left out when the table is still too wide, or fits only by cutting a word; the last such
    /// column goes first.
    bool is_extra = false;
  };

  struct Cell {
    Cell(std::string content, Paint look = Paint::plain)  // NOLINT: a text is a cell
        : text(std::move(content)), paint(look) {}
    Cell(const char* content) : text(content) {}  // NOLINT
    std::string text;
    Paint paint = Paint::plain;
  };

  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// Makes the cells displayable, and those that do not wrap at most 60 columns wide.
  /// Requires: as many cells as columns.
  void add(std::vector<Cell> row);
  [[nodiscard]] bool empty() const { return rows_.empty(); }

  /// Lines of at most `width` columns including the indent, each ended by a newline and without
  /// trailing spaces. Where columns that neither wrap nor are extra are wider than `width`, so is
  /// the table. A table without titles has no header line.
  [[nodiscard]] std::string text(int width, bool colour, int indent = 2) const;

 private:
  [[nodiscard]] Table without(std::size_t column) const;
  [[nodiscard]] std::vector<int> column_widths(int room) const;
  [[nodiscard]] bool cuts_a_word(const std::vector<int>& widths) const;

  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace hqe
