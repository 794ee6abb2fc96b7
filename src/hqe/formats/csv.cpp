// SPDX-License-Identifier: MIT
#include "hqe/formats/csv.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <locale>
#include <optional>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include "hqe/base/error.h"
#include "hqe/files/scratch.h"
#include "hqe/formats/array_in_file.h"
#include "hqe/formats/csv_cells.h"
#include "hqe/text/printable.h"

namespace hqe {
namespace {

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

[[noreturn]] void refuse_cell(const FileBytes& bytes, const CsvCells& cells) {
  const std::string_view cell = cells.cell();
  if (cell.empty()) {
    throw InputError(bytes.file, cells.place(), "an empty cell, expected a number",
                     "Fill it, or remove the row from all files");
  }
  const bool is_separated = cell.find_first_of(" ;\t") != std::string_view::npos;
  throw InputError(
      bytes.file, cells.place(), fmt::format("{} is not a number", printable(cell)),
      is_separated ? "Separate the columns with commas (numpy.savetxt(..., delimiter=','))"
                   : "Use numbers with a decimal point; give every column of the first line a name "
                     "or none");
}

[[noreturn]] void refuse_blank(const FileBytes& bytes, const CsvCells& cells) {
  throw InputError(bytes.file, fmt::format("line {}", cells.line()), "the line is blank",
                   "Remove it");
}

/// What the first line tells.
struct FirstLine {
  std::int64_t column_count = 0;
  bool is_header = false;
};

FirstLine read_first_line(const FileBytes& bytes) {
  CsvCells cells(bytes);
  std::int64_t number_count = 0;
  bool counts_columns = true;
  FirstLine first;
  while (cells.next()) {
    const std::optional<double> value = parse_number(cells.cell());
    if (cells.column() == 1 && cells.cell().empty()) {
      if (cells.is_last_of_line()) refuse_blank(bytes, cells);
      throw InputError(bytes.file, cells.place(),
                       "the first column has no name, so it looks like an index",
                       "Save it without the index (pandas: to_csv(path, index=False))");
    }
    number_count += value ? 1 : 0;
    counts_columns = counts_columns && cells.cell() == fmt::to_string(cells.column() - 1);
    first.column_count = cells.column();
    if (cells.is_last_of_line()) break;
  }
  if (first.column_count == 0) {
    throw InputError(bytes.file, "", "the file holds no numbers", "Write one row a sample");
  }
  // A header of numbers is what pandas makes of unnamed columns. With one or two columns it could
  // as well be the first sample.
  first.is_header = number_count == 0 || (counts_columns && first.column_count >= 3);
  return first;
}

/// Parses all cells to scratch as numbers of one type.
template <typename Number>
class Parser {
 public:
  Parser(const FileBytes& bytes, FirstLine first) : bytes_(bytes), first_(first) {}

  /// Nothing when Number is an integer and a cell holds none.
  std::optional<Array> parse() {
    CsvCells cells(bytes_);
    bool is_header = first_.is_header;
    while (cells.next()) {
      const bool is_last = cells.is_last_of_line();
      if (!is_header) {
        check_width(cells);
        const std::optional<double> value = parse_number(cells.cell());
        if (!value) refuse_cell(bytes_, cells);
        if (!add(*value)) return std::nullopt;
        row_count_ += is_last ? 1 : 0;
      }
      is_header = is_header && !is_last;
    }
    return finish();
  }

 private:
  void check_width(const CsvCells& cells) const {
    const bool is_short = cells.is_last_of_line() && cells.column() < first_.column_count;
    if (cells.column() <= first_.column_count && !is_short) return;
    if (cells.column() == 1 && cells.cell().empty()) {
      refuse_blank(bytes_, cells);
    }
    throw InputError(
        bytes_.file, cells.place(),
        fmt::format("{} {} columns, but the first line has {}", is_short ? "only" : "at least",
                    cells.column(), first_.column_count),
        "Give every row the same number of columns");
  }

  bool add(double value) {
    if constexpr (std::is_integral_v<Number>) {
      constexpr double exact = 9007199254740992.0;  // 2^53
      if (!(std::abs(value) <= exact) || value != std::trunc(value)) return false;
    }
    numbers_.push_back(static_cast<Number>(value));
    if (numbers_.size() == buffer_size) flush();
    return true;
  }
  void flush() {
    scratch_.append(std::as_bytes(std::span(numbers_)));
    numbers_.clear();
  }

  Array finish() {
    flush();
    if (row_count_ == 0) {
      throw InputError(bytes_.file, "", "no rows below the header", "Write one row a sample");
    }
    std::vector<std::int64_t> shape{row_count_};
    if (first_.column_count > 1) shape.push_back(first_.column_count);
    return array_in_file(scratch_.finish(),
                         {std::is_integral_v<Number> ? DType::int64 : DType::float64, false, shape,
                          dense_strides(shape, false), 0});
  }

  static constexpr std::size_t buffer_size = 8192;

  const FileBytes& bytes_;
  FirstLine first_;
  Scratch scratch_{bytes_.file};
  std::vector<Number> numbers_;
  std::int64_t row_count_ = 0;
};

}  // namespace

Array read_csv(const FileBytes& bytes) {
  const FirstLine first = read_first_line(bytes);
  if (first.column_count == 1) {
    if (std::optional<Array> labels = Parser<std::int64_t>(bytes, first).parse()) return *labels;
  }
  return *Parser<double>(bytes, first).parse();
}

}  // namespace hqe
