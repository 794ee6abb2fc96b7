// SPDX-License-Identifier: MIT
#include "hqe/tables/records.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "hqe/base/error.h"
#include "hqe/tables/csv_cells.h"
#include "hqe/tables/record_pass.h"
#include "hqe/text/printable.h"

namespace hqe {
namespace {

template <typename Value>
Value load_value(const std::byte* at) {
  Value value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

DType stored_type(Storage storage) {
  switch (storage) {
    case Storage::small:
      return DType::int8;
    case Storage::medium:
      return DType::int16;
    case Storage::number:
      return DType::float64;
    case Storage::counted:
    case Storage::spelled:
      return DType::int64;
    default:
      return DType::int32;
  }
}

}  // namespace

std::size_t size_of(Storage storage) {
  return storage == Storage::nothing ? 0 : size_of(stored_type(storage));
}

std::size_t lay_out(std::vector<TableColumn>& columns, const std::vector<std::size_t>& order) {
  std::size_t size = 0;
  std::size_t widest = 1;
  for (const std::size_t width : {std::size_t{8}, std::size_t{4}, std::size_t{2}, std::size_t{1}}) {
    for (const std::size_t place : order) {
      if (size_of(columns[place].storage) != width) continue;
      columns[place].offset = size;
      size += width;
      widest = std::max(widest, width);
    }
  }
  size = std::max<std::size_t>(1, (size + widest - 1) / widest * widest);
  for (const std::size_t place : order) columns[place].step = size;
  return size;
}

double stored_number(Storage storage, const std::byte* at) {
  switch (storage) {
    case Storage::small:
      return load_value<std::int8_t>(at);
    case Storage::medium:
      return load_value<std::int16_t>(at);
    case Storage::number:
      return load_value<double>(at);
    case Storage::counted:
    case Storage::spelled:
      return static_cast<double>(load_value<std::int64_t>(at));
    default:
      return load_value<std::int32_t>(at);
  }
}

std::string_view spelled_id(const FileBytes& text, const std::byte* at) {
  const auto id = load_value<std::uint64_t>(at);
  return text.text().substr(id >> spelled_length_bits, id & spelled_length_limit);
}

double Records::number(std::int64_t row, const TableColumn& column) const {
  return stored_number(column.storage, at(row, column));
}

std::string Records::spelled(std::int64_t row, const TableColumn& column) const {
  if (column.storage == Storage::spelled) {
    return std::string(spelled_id(text, at(row, column)));
  }
  const double value = number(row, column);
  if (column.is_text) {
    const auto& list = column.role == Role::model ? models : *words;
    return list[static_cast<std::size_t>(value)];
  }
  return column.storage == Storage::number ? fmt::format("{}", value)
                                           : fmt::format("{}", static_cast<std::int64_t>(value));
}

int Records::compare_ids(std::int64_t row, const TableColumn& column, const Records& other,
                         std::int64_t other_row, const TableColumn& other_column) const {
  const std::byte* const one = at(row, column);
  const std::byte* const two = other.at(other_row, other_column);
  if (column.storage == Storage::spelled) {
    return spelled_id(text, one).compare(spelled_id(other.text, two));
  }
  const auto a = load_value<std::int64_t>(one);
  const auto b = load_value<std::int64_t>(two);
  return a < b ? -1 : (a > b ? 1 : 0);
}

Array Records::array(const TableColumn& column, std::size_t columns_beside, std::int64_t first,
                     std::int64_t rows) const {
  const auto step = static_cast<std::int64_t>(size_of(column.storage));
  Array array{.dtype = stored_type(column.storage),
              .rank = columns_beside > 1 ? 2 : 1,
              .shape = {rows, static_cast<std::int64_t>(columns_beside)},
              .strides = {static_cast<std::int64_t>(column.step), step},
              .data = at(first, column),
              .owner = records.owner,
              .witness = records.witness};
  if (column.is_text) array.words = words;
  return array;
}

std::vector<std::string> read_header(const FileBytes& text) {
  CsvCells cells(text);
  std::vector<std::string> names;
  bool only_numbers = true;
  while (cells.next()) {
    names.push_back(unquoted(cells));
    only_numbers = only_numbers && parse_number(cells.cell()).has_value();
    if (cells.is_last_of_line()) break;
  }
  if (names.empty() || only_numbers) {
    throw InputError(text.file, "line 1",
                     names.empty() ? "the file holds no names of columns"
                                   : "numbers where a table has the names of its columns",
                     "Write the names in the first line (pandas: to_csv(path, index=False))");
  }
  std::set<std::string> seen;
  for (const std::string& name : names) {
    if (!is_utf8(name)) {
      throw InputError(text.file, "line 1",
                       fmt::format("the name {} is not UTF-8", printable(name)),
                       "Save the text as UTF-8");
    }
    if (seen.insert(name).second) continue;
    throw InputError(text.file, "line 1", fmt::format("two columns are called {}", printable(name)),
                     "Rename one");
  }
  return names;
}

Records read_records(const FileBytes& text, const std::vector<std::string>& names,
                     const std::vector<Role>& roles, bool spell_ids) {
  std::vector<TableColumn> columns;
  for (std::size_t i = 0; i < names.size(); ++i) {
    TableColumn column{.name = names[i], .role = roles[i]};
    if (column.role == Role::id) column.storage = spell_ids ? Storage::spelled : Storage::counted;
    if (column.role == Role::model) column.storage = Storage::small;
    column.is_text = column.role == Role::model;
    if (column.role >= Role::truth) column.storage = Storage::small;
    columns.push_back(std::move(column));
  }
  RecordPass pass(text, std::move(columns));
  // What the first rows show is what the rest looks like, as a rule.
  pass.look(64);
  while (!pass.read()) {
  }
  return pass.finish();
}

}  // namespace hqe
