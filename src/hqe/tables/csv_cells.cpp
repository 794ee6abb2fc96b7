// SPDX-License-Identifier: MIT
#include "hqe/tables/csv_cells.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <locale>
#include <sstream>
#include <system_error>

#include "hqe/base/error.h"

namespace hqe {
namespace {

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// The nearest double of a number that from_chars found too large or too small, without saying
// which.
double out_of_range(std::string_view cell) {
  std::istringstream stream{std::string(cell)};
  stream.imbue(std::locale::classic());
  double value = 0;
  stream >> value;
  if (std::abs(value) < 1) return 0;
  return value < 0 ? -HUGE_VAL : HUGE_VAL;
}

}  // namespace

std::optional<double> parse_number(std::string_view cell) {
  if (cell.starts_with('+')) {
    cell.remove_prefix(1);
    if (cell.starts_with('-')) return std::nullopt;
  }
  double value = 0;
  const char* const end = cell.data() + cell.size();
  const auto [stop, error] = std::from_chars(cell.data(), end, value);
  if (stop != end || cell.empty()) return std::nullopt;
  if (error == std::errc::result_out_of_range) return out_of_range(cell);
  if (error != std::errc{}) return std::nullopt;
  return value;
}

std::string unquoted(const CsvCells& cells) {
  std::string text(cells.cell());
  if (!cells.was_quoted()) return text;
  for (std::size_t at = text.find("\"\""); at != std::string::npos;
       at = text.find("\"\"", at + 1)) {
    text.erase(at, 1);
  }
  return text;
}

CsvCells::CsvCells(const FileBytes& bytes)
    : bytes_(bytes), rest_(reinterpret_cast<const char*>(bytes.bytes.data()), bytes.size()) {
  if (rest_.starts_with("\xFF\xFE") || rest_.starts_with("\xFE\xFF")) {
    throw InputError(bytes.file, "", "the text is UTF-16", "Save it as UTF-8");
  }
  if (rest_.starts_with("\xEF\xBB\xBF")) rest_.remove_prefix(3);
}

std::string CsvCells::place() const { return fmt::format("line {}, column {}", line_, column_); }

bool CsvCells::next() {
  if (is_last_) {
    if (rest_.find_first_not_of(" \t\r\n") == std::string_view::npos) return false;
    line_ += 1 + lines_in_cell_;
    lines_in_cell_ = 0;
    column_ = 0;
  }
  ++column_;
  // A plain search is far slower: most cells are a few bytes long.
  std::size_t end = 0;
  while (end < rest_.size() && rest_[end] != ',' && rest_[end] != '\n') ++end;
  cell_ = rest_.substr(0, end);
  if (cell_.find('"') != std::string_view::npos) {
    take_quoted();
  } else {
    was_quoted_ = false;
    rest_.remove_prefix(end);
  }
  is_last_ = rest_.empty() || rest_.front() == '\n';
  if (!rest_.empty()) rest_.remove_prefix(1);
  if (is_last_ && cell_.ends_with('\r')) cell_.remove_suffix(1);
  if (!was_quoted_) cell_ = trim(cell_);
  return true;
}

void CsvCells::take_quoted() {
  was_quoted_ = true;
  const std::size_t open = rest_.find('"');
  std::size_t close = rest_.find('"', open + 1);
  while (close != std::string_view::npos && close + 1 < rest_.size() && rest_[close + 1] == '"') {
    close = rest_.find('"', close + 2);
  }
  if (close == std::string_view::npos) {
    throw InputError(bytes_.file, place(), "a quoted cell does not end", "Close the quotes");
  }
  const std::string_view inside = rest_.substr(open + 1, close - open - 1);
  const std::size_t end = std::min(rest_.find_first_of(",\n", close + 1), rest_.size());
  const std::string_view before = rest_.substr(0, open);
  const std::string_view after = rest_.substr(close + 1, end - close - 1);
  if (before.find_first_not_of(" \t") != std::string_view::npos ||
      after.find_first_not_of(" \t\r") != std::string_view::npos) {
    throw InputError(bytes_.file, place(), "text stands beside a quoted cell",
                     "Quote the whole cell or nothing of it");
  }
  lines_in_cell_ += std::ranges::count(inside, '\n');
  cell_ = trim(inside);
  rest_.remove_prefix(end);
}

}  // namespace hqe
