// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "hqe/base/error.h"
#include "hqe/base/option_name.h"
#include "hqe/ensemble/team.h"
#include "hqe/tables/record_pass.h"
#include "hqe/text/printable.h"

namespace hqe {
namespace {

bool is_missing(std::string_view cell) {
  return cell.empty() || cell == "NA" || cell == "N/A" || cell == "null" || cell == "None" ||
         cell == "NULL" || cell == "<NA>";
}

/// Where a number has room that is no small one.
Storage storage_of(double value) {
  if (value != std::trunc(value) || std::abs(value) > largest_of(Storage::whole)) {
    return Storage::number;
  }
  return std::abs(value) > largest_of(Storage::medium) ? Storage::whole : Storage::medium;
}

}  // namespace

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

void RecordPass::change_storage(TableColumn& column, Storage storage) {
  column.storage = storage;
  fits_ = false;
  lies_so_ = false;
}

void RecordPass::store_whole(const TableColumn& column, std::int32_t whole) {
  if (column.storage == Storage::small) return store(column, static_cast<std::int8_t>(whole));
  if (column.storage == Storage::medium) return store(column, static_cast<std::int16_t>(whole));
  store(column, whole);
}

template <typename Value>
void RecordPass::store(const TableColumn& column, Value value) {
  // Until the end of the row a column may be wider than its place.
  if (lies_so_) std::memcpy(buffer_.data() + used_ + column.offset, &value, sizeof value);
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
    const bool has_fraction = value != std::trunc(value);
    if (!has_fraction && std::abs(value) <= largest_of(column.storage)) {
      return store_whole(column, static_cast<std::int32_t>(value));
    }
    change_storage(column, storage_of(value));
    column.has_fractions = has_fraction;
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
  // An id such as 1e999 is text.
  const bool is_no_value =
      value && (column.role == Role::id ? std::isnan(*value) : !std::isfinite(*value));
  if (is_missing(cell) || is_no_value) {
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
    // Where a number came first check_one_type() has refused the word.
    column.is_text = true;
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
  if (*number > largest_of(column.storage)) change_storage(column, storage_of(*number));
  if (is_plain) plain_.learn(is_model, cells.cell(), *number);
  store_whole(column, *number);
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
    change_storage(column, Storage::spelled);
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
