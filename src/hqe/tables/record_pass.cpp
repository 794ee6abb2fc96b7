// SPDX-License-Identifier: MIT
#include "hqe/tables/record_pass.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <utility>

#include "hqe/base/error.h"
#include "hqe/base/option_name.h"
#include "hqe/ensemble/team.h"
#include "hqe/text/printable.h"

namespace hqe {
namespace {

constexpr std::size_t most_words = std::size_t{1} << 20;
constexpr std::size_t buffered = std::size_t{1} << 18;
constexpr std::size_t given_back_together = std::size_t{1} << 24;

bool is_missing(std::string_view cell) {
  return cell.empty() || cell == "NA" || cell == "N/A" || cell == "null" || cell == "None" ||
         cell == "NULL" || cell == "<NA>";
}

}  // namespace

std::string unquoted(const CsvCells& cells) {
  std::string text(cells.cell());
  if (!cells.was_quoted()) return text;
  for (std::size_t at = text.find("\"\""); at != std::string::npos;
       at = text.find("\"\"", at + 1)) {
    text.erase(at, 1);
  }
  return text;
}

RecordPass::RecordPass(const FileBytes& text, std::vector<TableColumn> columns)
    : text_(text), columns_(std::move(columns)) {}

void RecordPass::look(std::int64_t row_limit) {
  static_cast<void>(pass(row_limit));
  static_cast<void>(words_.sort());
  // Fractions in one column make shares of all: see them so from the start.
  const auto is_number = [](const TableColumn& column) { return column.has_fractions; };
  if (!std::ranges::any_of(columns_, is_number)) return;
  for (TableColumn& column : columns_) {
    if (column.storage == Storage::small && column.role == Role::values)
      column.storage = Storage::number;
  }
}

bool RecordPass::read() {
  const bool fits = pass(std::numeric_limits<std::int64_t>::max());
  return !words_.sort() && fits;
}

Records RecordPass::finish() {
  Records records{.text = text_,
                  .records = scratch_->finish(),
                  .size = size_,
                  .count = count_,
                  .columns = columns_,
                  .words = nullptr,
                  .models = models_.words()};
  if (words_.is_truth_values()) {
    for (TableColumn& column : records.columns) {
      if (column.role >= Role::truth && column.storage == Storage::word) {
        column.storage = Storage::whole;
        column.is_counting = false;
      }
    }
  }
  records.words = std::make_shared<const std::vector<std::string>>(words_.words());
  return records;
}

bool RecordPass::pass(std::int64_t row_limit) {
  start();
  CsvCells cells(text_);
  while (cells.next() && !cells.is_last_of_line()) {
  }
  read_rows(cells, row_limit);
  flush();
  if (count_ == 0) {
    throw InputError(text_.file, "", "no rows below the header", "Write one row a sample");
  }
  return fits_;
}

void RecordPass::start() {
  std::vector<std::size_t> order(columns_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  size_ = std::max<std::size_t>(1, lay_out(columns_, order));
  readings_.assign(columns_.size(), {});
  for (TableColumn& column : columns_) {
    column.is_counting = true;
    column.least = HUGE_VAL;
    column.most = -HUGE_VAL;
  }
  fits_ = true;
  count_ = 0;
  used_ = 0;
  given_back_ = 0;
  buffer_.assign(std::max(size_, buffered / size_ * size_), std::byte{0});
  scratch_.emplace(text_.file);
}

void RecordPass::read_rows(CsvCells& cells, std::int64_t row_limit) {
  const std::size_t width = columns_.size();
  double value = 0;
  while (count_ < row_limit) {
    for (std::size_t place = 0; place < width; ++place) {
      if (cells.next_number(value)) {
        take_number(place, value, cells);
      } else {
        if (!cells.next()) return;
        if (cells.is_last_of_line() != (place + 1 == width)) refuse_width(cells);
        take_cell(place, cells);
      }
      if (cells.is_last_of_line() != (place + 1 == width)) refuse_width(cells);
    }
    end_row(cells);
  }
}

void RecordPass::end_row(const CsvCells& cells) {
  ++count_;
  used_ += size_;
  if (used_ < buffer_.size()) return;
  flush();
  if (cells.position() - given_back_ < given_back_together) return;
  give_back(text_, given_back_, cells.position());
  given_back_ = cells.position();
}

void RecordPass::flush() {
  if (fits_ && used_ > 0) scratch_->append(std::span(buffer_).first(used_));
  used_ = 0;
}

void RecordPass::refuse_width(const CsvCells& cells) const {
  const auto width = static_cast<std::int64_t>(columns_.size());
  if (cells.column() == 1 && cells.cell().empty()) {
    throw InputError(text_.file, fmt::format("line {}", cells.line()), "the line is blank",
                     "Remove it");
  }
  throw InputError(
      text_.file, cells.place(),
      fmt::format("{} {} columns, but the header names {}",
                  cells.column() < width ? "only" : "more than", cells.column(), width),
      "Give every row the same number of columns");
}

std::string RecordPass::place_of(std::size_t place, const CsvCells& cells) const {
  return fmt::format("column {}, line {}", printable(columns_[place].name), cells.line());
}

void RecordPass::check_one_type(std::size_t place, bool is_text, const CsvCells& cells) {
  Reading& reading = readings_[place];
  if (!reading.is_text) {
    reading.is_text = is_text;
    reading.first_line = cells.line();
  }
  if (*reading.is_text == is_text) return;
  throw InputError(
      text_.file, place_of(place, cells),
      fmt::format("mixed types: {} is {}, line {} holds {}", printable(cells.cell()),
                  is_text ? "text" : "a number", reading.first_line, is_text ? "a number" : "text"),
      message("Make them alike, or leave the column out with {}", option("columns")));
}

template <typename Value>
void RecordPass::store(const TableColumn& column, Value value) {
  // Once something did not fit, a column may be wider than its place.
  if (fits_) std::memcpy(buffer_.data() + used_ + column.offset, &value, sizeof value);
}

void RecordPass::take_number(std::size_t place, double value, const CsvCells& cells) {
  TableColumn& column = columns_[place];
  if (column.role >= Role::truth) {
    Reading& reading = readings_[place];
    if (!reading.is_text || *reading.is_text) check_one_type(place, false, cells);
    column.is_counting = column.is_counting && (count_ == 0 || value > reading.previous);
    reading.previous = value;
    if (column.storage == Storage::number) {
      column.has_fractions = column.has_fractions || value != std::trunc(value);
      column.least = std::min(column.least, value);
      column.most = std::max(column.most, value);
      return store(column, value);
    }
    const bool is_small = column.storage == Storage::small;
    const double limit = is_small ? 127 : 2147483647;
    if (std::abs(value) <= limit) {
      const auto whole = static_cast<std::int32_t>(value);
      if (whole == value) {
        return is_small ? store(column, static_cast<std::int8_t>(whole)) : store(column, whole);
      }
    }
    fits_ = false;
    const bool is_whole = std::abs(value) <= 2147483647 && value == std::trunc(value);
    column.storage = is_whole ? Storage::whole : Storage::number;
    column.has_fractions = value != std::trunc(value);
  } else if (column.role == Role::id) {
    take_id(place, value, cells);
  } else if (column.role == Role::model) {
    take_word(place, cells);
  }
}

void RecordPass::take_cell(std::size_t place, const CsvCells& cells) {
  const TableColumn& column = columns_[place];
  if (column.role == Role::skipped) return;
  const std::string_view cell = cells.cell();
  const std::optional<double> value = parse_number(cell);
  if (is_missing(cell) || (value && !std::isfinite(*value))) {
    throw InputError(text_.file, place_of(place, cells),
                     cell.empty() ? "an empty cell" : printable(cell) + " is no value",
                     "Fill it in, or leave the row out");
  }
  if (column.role == Role::id) return take_id(place, value, cells);
  if (column.role == Role::model || !value) return take_word(place, cells);
  take_number(place, *value, cells);
}

void RecordPass::take_word(std::size_t place, const CsvCells& cells) {
  TableColumn& column = columns_[place];
  const bool is_model = column.role == Role::model;
  if (!is_model) {
    check_one_type(place, true, cells);
    if (column.storage != Storage::word) {
      column.storage = Storage::word;
      fits_ = false;
    }
  }
  const std::size_t limit = is_model ? static_cast<std::size_t>(max_model_count) : most_words;
  Vocabulary& words = is_model ? models_ : words_;
  const bool is_plain = !cells.was_quoted();
  const std::size_t known = words.words().size();
  const auto number =
      is_plain ? words.number_of(cells.cell(), limit) : words.number_of(unquoted(cells), limit);
  if (!number) {
    throw InputError(text_.file, place_of(place, cells),
                     fmt::format("more than {} different {}", limit,
                                 is_model ? "models" : "words, which are no labels"),
                     message("Name the columns to take with {}", option("columns")));
  }
  if (words.words().size() > known && !is_utf8(cells.cell())) {
    throw InputError(text_.file, place_of(place, cells),
                     fmt::format("{} is not UTF-8", printable(cells.cell())),
                     "Save the text as UTF-8");
  }
  store(column, *number);
}

void RecordPass::take_id(std::size_t place, std::optional<double> value, const CsvCells& cells) {
  constexpr double exact = 9007199254740992.0;  // 2^53
  TableColumn& column = columns_[place];
  Reading& reading = readings_[place];
  if (column.storage == Storage::counted) {
    if (value && std::abs(*value) < exact && *value == std::trunc(*value)) {
      column.is_counting = column.is_counting && (count_ == 0 || *value > reading.previous);
      reading.previous = *value;
      return store(column, static_cast<std::int64_t>(*value));
    }
    column.storage = Storage::spelled;
    fits_ = false;
  }
  const std::string_view cell = cells.cell();
  const auto position = static_cast<std::uint64_t>(cell.data() - text_.text().data());
  if (cell.size() > spelled_length_limit) {
    throw InputError(text_.file, place_of(place, cells), "an id of more than 2^20 bytes",
                     message("Name another column with {}", option("id_column")));
  }
  column.is_counting = column.is_counting && (count_ == 0 || cell > reading.previous_id);
  reading.previous_id = cell;
  store(column, position << spelled_length_bits | cell.size());
}

}  // namespace hqe
