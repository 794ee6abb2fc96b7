// SPDX-License-Identifier: MIT
#include "hqe/formats/csv.h"

#include <fmt/core.h>

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hqe/base/error.h"
#include "hqe/base/option_name.h"
#include "hqe/files/array_in_file.h"
#include "hqe/files/scratch.h"
#include "hqe/tables/csv_cells.h"
#include "hqe/tables/headers.h"
#include "hqe/tables/vocabulary.h"
#include "hqe/text/printable.h"

namespace hqe {
namespace {

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
  std::vector<std::string> names;  ///< Of a header.
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
    counts_columns = counts_columns && cells.cell() == std::to_string(cells.column() - 1);
    first.column_count = cells.column();
    first.names.emplace_back(cells.cell());
    if (cells.is_last_of_line()) break;
  }
  if (first.column_count == 0) {
    throw InputError(bytes.file, "", "the file holds no numbers", "Write one row a sample");
  }
  // A header of numbers is what pandas makes of unnamed columns. With one or two columns it could
  // as well be the first sample.
  first.is_header = number_count == 0 || (counts_columns && first.column_count >= 3);
  if (!first.is_header || number_count > 0) first.names.clear();
  return first;
}

/// One column of text labels. The first line is one of them if its word comes again.
Array read_words(const FileBytes& bytes) {
  Vocabulary words;
  std::vector<std::int32_t> codes;
  CsvCells cells(bytes);
  bool comes_again = false;
  while (cells.next()) {
    if (cells.column() > 1 || !cells.is_last_of_line()) refuse_cell(bytes, cells);
    if (cells.cell().empty() || (cells.line() > 1 && parse_number(cells.cell()))) {
      refuse_cell(bytes, cells);
    }
    const auto code = words.number_of(unquoted(cells), most_words);
    if (!code || !is_utf8(cells.cell())) refuse_cell(bytes, cells);
    comes_again = comes_again || (*code == 0 && !codes.empty());
    codes.push_back(*code);
  }
  std::vector<std::string> used = words.words();
  if (!comes_again) {  // The header, which is no label.
    codes.erase(codes.begin());
    used.erase(used.begin());
    for (std::int32_t& code : codes) --code;
  }
  Scratch scratch(bytes.file);
  scratch.append(std::as_bytes(std::span(codes)));
  const std::vector<std::int64_t> shape{std::ssize(codes)};
  Array array =
      array_in_file(scratch.finish(), {DType::int32, false, shape, dense_strides(shape, false), 0});
  array.words = std::make_shared<const std::vector<std::string>>(std::move(used));
  return array;
}

/// Whether the second line of a file of one column is text.
bool is_text_below(const FileBytes& bytes) {
  CsvCells cells(bytes);
  if (!cells.next() || !cells.next()) return false;
  const std::string_view cell = cells.cell();
  // Numbers may be separated by something else than commas; words may hold blanks.
  return !cell.empty() && !parse_number(cell.substr(0, cell.find_first_of(" ;\t")));
}

/// What the numbers of a column do.
struct ColumnLook {
  bool is_whole = true, is_rising = true, is_next = true;
  double previous = 0;
};

/// Parses all cells to scratch as numbers of one type.
template <typename Number>
class Parser {
 public:
  Parser(const FileBytes& bytes, FirstLine first)
      : bytes_(bytes),
        first_(std::move(first)),
        looks_(static_cast<std::size_t>(first_.column_count)) {}

  /// Nothing when Number is an integer and a cell holds none.
  std::optional<Array> parse() {
    CsvCells cells(bytes_);
    bool is_header = first_.is_header;
    double value = 0;
    while (is_header && cells.next()) is_header = !cells.is_last_of_line();
    while (true) {
      if (!cells.next_number(value)) {
        if (!cells.next()) break;
        check_width(cells);
        const std::optional<double> number = parse_number(cells.cell());
        if (!number) refuse_cell(bytes_, cells);
        value = *number;
      }
      check_width(cells);
      look_at(static_cast<std::size_t>(cells.column()) - 1, value);
      if (!add(value)) return std::nullopt;
      row_count_ += cells.is_last_of_line() ? 1 : 0;
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

  /// An id or a true label among the classes of a model's file would be one of them.
  void check_columns() const {
    if (first_.column_count < 2) return;
    for (std::size_t i = 0; i < looks_.size(); ++i) {
      const ColumnLook& look = looks_[i];
      const std::string name = i < first_.names.size() ? first_.names[i] : "";
      const bool counts = look.is_whole && look.is_rising && row_count_ >= 3;
      const bool is_id = counts && (look.is_next || (!name.empty() && is_id_header(name)));
      const bool is_label = look.is_whole && !name.empty() && is_label_header(name);
      if (!is_id && !is_label) continue;
      throw InputError(
          bytes_.file, name.empty() ? fmt::format("column {}", i + 1) : "column " + printable(name),
          is_id ? "counts the rows: it is no class" : "holds true labels: it is no class",
          message("Leave it out; if the file is a table of several models, name its columns: {}",
                  is_id ? option("id_column", name.empty() ? "NAME" : name)
                        : option("label_column", name)));
    }
  }

  void look_at(std::size_t column, double value) {
    ColumnLook& look = looks_[column];
    look.is_whole = look.is_whole && value == std::trunc(value);
    look.is_rising = look.is_rising && (row_count_ == 0 || value > look.previous);
    look.is_next = look.is_next && (row_count_ == 0 || value == look.previous + 1);
    look.previous = value;
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
    check_columns();
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
  std::vector<ColumnLook> looks_;
};

}  // namespace

Array read_csv(const FileBytes& bytes) {
  const FirstLine first = read_first_line(bytes);
  if (first.column_count == 1) {
    if (first.is_header && is_text_below(bytes)) return read_words(bytes);
    if (std::optional<Array> labels = Parser<std::int64_t>(bytes, first).parse()) return *labels;
  }
  return *Parser<double>(bytes, first).parse();
}

}  // namespace hqe
