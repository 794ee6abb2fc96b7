// SPDX-License-Identifier: MIT
#include "hqe/report/table.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <string_view>

namespace hqe {

namespace {

constexpr int gap = 2;
constexpr int narrowest = 12;      // of a column that wraps
constexpr int widest_column = 60;  // of a column that does not

int total_width(const std::vector<int>& widths) {
  return std::accumulate(widths.begin(), widths.end(), gap * (static_cast<int>(widths.size()) - 1));
}

void append_line(std::string& out, std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  out.append(line).append("\n");
}

}  // namespace

void Table::add(std::vector<Cell> row) {
  assert(row.size() == columns_.size());
  for (std::size_t c = 0; c < row.size(); ++c) {
    row[c].text = displayable(row[c].text);
    if (!columns_[c].wraps) row[c].text = shorten(row[c].text, widest_column);
  }
  rows_.push_back(std::move(row));
}

std::vector<int> Table::column_widths(int room) const {
  std::vector<int> widths;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    int width = display_width(columns_[c].title);
    for (const auto& row : rows_) width = std::max(width, display_width(row[c].text));
    widths.push_back(width);
  }
  const int total =
      std::accumulate(widths.begin(), widths.end(), gap * (static_cast<int>(widths.size()) - 1));
  int excess = total - room;
  for (std::size_t c = columns_.size(); c-- > 0 && excess > 0;) {
    if (!columns_[c].wraps) continue;
    const int floor = std::min(widths[c], std::max(narrowest, display_width(columns_[c].title)));
    const int given = std::min(excess, widths[c] - floor);
    widths[c] -= given;
    excess -= given;
  }
  return widths;
}

bool Table::cuts_a_word(const std::vector<int>& widths) const {
  for (const auto& row : rows_) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (!columns_[c].wraps) continue;
      std::string_view text = row[c].text;
      while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        if (display_width(text.substr(0, end)) > widths[c]) return true;
        text.remove_prefix(std::min(end + 1, text.size()));
      }
    }
  }
  return false;
}

Table Table::without(std::size_t column) const {
  const auto erase = [column](auto row) {
    row.erase(row.begin() + static_cast<std::ptrdiff_t>(column));
    return row;
  };
  Table narrower(erase(columns_));
  for (const auto& row : rows_) narrower.add(erase(row));
  return narrower;
}

std::string Table::text(int width, bool colour, int indent) const {
  const std::vector<int> widths = column_widths(width - indent);
  if (total_width(widths) > width - indent || cuts_a_word(widths)) {
    for (std::size_t c = columns_.size(); c-- > 0;) {
      if (columns_[c].is_extra) return without(c).text(width, colour, indent);
    }
  }
  std::string out;
  const auto append_row = [&](const std::vector<Cell>& row) {
    std::vector<std::vector<std::string>> lines;
    std::size_t height = 1;
    for (std::size_t c = 0; c < row.size(); ++c) {
      const bool fits = display_width(row[c].text) <= widths[c];
      lines.push_back(fits ? std::vector{row[c].text} : wrap(row[c].text, widths[c]));
      height = std::max(height, lines.back().size());
    }
    for (std::size_t l = 0; l < height; ++l) {
      std::string line(static_cast<std::size_t>(indent), ' ');
      for (std::size_t c = 0; c < row.size(); ++c) {
        const std::string text = l < lines[c].size() ? lines[c][l] : "";
        const auto padding = static_cast<std::size_t>(std::max(0, widths[c] - display_width(text)));
        const std::string shown = painted(text, row[c].paint, colour);
        if (c > 0) line.append(gap, ' ');
        if (columns_[c].align == Align::right) line.append(padding, ' ');
        line.append(shown);
        if (columns_[c].align == Align::left) line.append(padding, ' ');
      }
      append_line(out, std::move(line));
    }
  };
  if (std::ranges::any_of(columns_, [](const Column& column) { return !column.title.empty(); })) {
    std::vector<Cell> header;
    for (const Column& column : columns_) header.emplace_back(column.title, Paint::faint);
    append_row(header);
  }
  for (const auto& row : rows_) append_row(row);
  return out;
}

}  // namespace hqe
