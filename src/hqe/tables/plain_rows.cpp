// SPDX-License-Identifier: MIT
#include "hqe/tables/plain_rows.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "hqe/tables/plain_digits.h"
#include "hqe/tables/record_pass.h"

namespace hqe {
namespace {

using namespace plain;

/// The end of an unquoted cell, null where there is none or quotes stand in it.
const char* find_end(const char* at, const char* end) {
  for (; at != end; ++at) {
    if (*at == ',' || *at == '\n') return at;
    if (*at == '"') return nullptr;
  }
  return nullptr;
}

/// False where the number is too large for its place.
template <typename Value>
[[gnu::always_inline]] inline bool put_whole(std::int64_t whole, std::byte* at) {
  constexpr std::int64_t limit = std::numeric_limits<Value>::max();
  if (whole > limit || whole < -limit) return false;
  put(at, static_cast<Value>(whole));
  return true;
}

/// Cells that were taken together, and their bytes with the commas.
struct Several {
  std::size_t cells = 0, bytes = 0;
};

/// One, two or four of the next `left` cells, each of digits and a comma; none where the first is
/// no such cell, or too large for its place.
template <typename Value>
[[gnu::always_inline]] inline Several take_several(const char* at, std::size_t left,
                                                   std::byte* to) {
  if constexpr (sizeof(Value) == 1) {
    if (left >= 4 && take_four(at, to)) return {4, 8};
  }
  if constexpr (sizeof(Value) <= 2) {
    std::uint32_t one = 0, two = 0;
    const std::size_t length = left >= 2 ? take_two(at, one, two) : 0;
    if (length > 0 && put_whole<Value>(one, to) && put_whole<Value>(two, to + sizeof(Value))) {
      return {2, length};
    }
  }
  const Digits digits(load_word(at));
  if (digits.count - 1 >= 7 || at[digits.count] != ',') return {};
  const bool fits = put_whole<Value>(static_cast<std::int64_t>(digits.number()), to);
  return fits ? Several{1, digits.count + 1} : Several{};
}

bool put_stored(Storage storage, std::int64_t whole, std::byte* at) {
  if (storage == Storage::counted) return put_whole<std::int64_t>(whole, at);
  if (storage == Storage::small) return put_whole<std::int8_t>(whole, at);
  if (storage == Storage::medium) return put_whole<std::int16_t>(whole, at);
  return put_whole<std::int32_t>(whole, at);
}

}  // namespace

void PlainRows::lay_out(const std::vector<TableColumn>& columns) {
  cells_.clear();
  runs_.clear();
  for (const TableColumn& column : columns) {
    cells_.push_back({.role = column.role,
                      .storage = column.storage,
                      .is_text = column.is_text,
                      .has_fractions = column.has_fractions,
                      .offset = column.offset,
                      .least = HUGE_VAL,
                      .most = -HUGE_VAL});
  }
  for (std::size_t i = 0; i + 1 < cells_.size(); ++i) {
    if (i > 0 && goes_on(cells_[i - 1], cells_[i])) {
      ++runs_.back().count;
    } else {
      runs_.push_back({.first = i, .count = 1});
    }
  }
}

bool PlainRows::goes_on(const Cell& cell, const Cell& next) const {
  const bool is_alike = cell.storage == next.storage && cell.is_text == next.is_text &&
                        &words_of(cell) == &words_of(next);
  const bool is_one_of_many = is_whole(cell.storage) || cell.storage == Storage::number;
  return is_alike && is_one_of_many && next.offset == cell.offset + size_of(cell.storage);
}

void PlainRows::learn(bool is_model, std::string_view word, std::int32_t number) {
  (is_model ? models_ : words_).learn(word, number);
}

std::size_t PlainRows::read(std::string_view rest, std::byte* record) {
  if constexpr (std::endian::native != std::endian::little) return 0;
  const char* at = rest.data();
  const char* const end = at + rest.size();
  for (const Run& run : runs_) {
    at = take_run(run, at, end, record);
    if (at == nullptr) return 0;
  }
  at = take_last(at, end, record);
  return at == nullptr ? 0 : static_cast<std::size_t>(at - rest.data());
}

const char* PlainRows::take_run(const Run& run, const char* at, const char* end,
                                std::byte* record) {
  Cell& cell = cells_[run.first];
  const bool is_text = cell.is_text;
  switch (cell.storage) {
    case Storage::small:
      return is_text ? take_words<std::int8_t>(run, at, end, record)
                     : take_whole<std::int8_t>(run, at, end, record);
    case Storage::medium:
      return is_text ? take_words<std::int16_t>(run, at, end, record)
                     : take_whole<std::int16_t>(run, at, end, record);
    case Storage::whole:
      return is_text ? take_words<std::int32_t>(run, at, end, record)
                     : take_whole<std::int32_t>(run, at, end, record);
    case Storage::counted:
      return take_whole<std::int64_t>(run, at, end, record);
    case Storage::number:
      return take_numbers(run, at, end, record);
    default:
      if (end - at < margin || !take_any(cell, at, end, record) || *at != ',') return nullptr;
      return at + 1;
  }
}

template <typename Value>
const char* PlainRows::take_whole(const Run& run, const char* at, const char* end,
                                  std::byte* record) {
  Cell* const cells = cells_.data() + run.first;
  std::byte* const to = record + cells->offset;
  const std::size_t count = run.count;
  for (std::size_t i = 0; i < count;) {
    if (end - at < margin) return nullptr;
    std::byte* const place = to + i * sizeof(Value);
    if (const Several several = take_several<Value>(at, count - i, place); several.cells > 0) {
      at += several.bytes;
      i += several.cells;
      continue;
    }
    // What does not fit is seen again, and widens its column.
    if (!take_any(cells[i], at, end, record) || *at != ',') return nullptr;
    ++at;
    ++i;
  }
  return at;
}

template <typename Value>
const char* PlainRows::take_words(const Run& run, const char* at, const char* end,
                                  std::byte* record) {
  const ShortWords& words = words_of(cells_[run.first]);
  std::byte* to = record + cells_[run.first].offset;
  for (std::size_t i = 0; i < run.count; ++i, to += sizeof(Value)) {
    if (end - at < margin) return nullptr;
    const std::int32_t number = words.take<','>(at);
    if (number < 0 || !put_whole<Value>(number, to)) return nullptr;
    ++at;
  }
  return at;
}

const char* PlainRows::take_numbers(const Run& run, const char* at, const char* end,
                                    std::byte* record) {
  Cell* cell = cells_.data() + run.first;
  std::byte* to = record + cell->offset;
  for (std::size_t i = 0; i < run.count; ++i, ++cell, to += sizeof(double)) {
    if (end - at < margin) return nullptr;
    double value = 0;
    if (!take_share(at, value) && (!take_number(at, end, value) || *at != ',')) return nullptr;
    ++at;
    put(to, value);
    cell->has_fractions = cell->has_fractions || value != std::trunc(value);
    cell->least = std::min(cell->least, value);
    cell->most = std::max(cell->most, value);
  }
  return at;
}

const char* PlainRows::take_last(const char* at, const char* end, std::byte* record) {
  if (end - at < margin) return nullptr;
  Cell& cell = cells_.back();
  if (is_whole(cell.storage) && !cell.is_text) {
    const Digits digits(load_word(at));
    if (digits.count - 1 < 7 && at[digits.count] == '\n') {
      const auto whole = static_cast<std::int64_t>(digits.number());
      return put_stored(cell.storage, whole, record + cell.offset) ? at + digits.count + 1
                                                                   : nullptr;
    }
  }
  if (!take_any(cell, at, end, record)) return nullptr;
  if (*at == '\r') ++at;
  return *at == '\n' ? at + 1 : nullptr;
}

bool PlainRows::take_any(Cell& cell, const char*& at, const char* end, std::byte* record) {
  std::byte* const to = record + cell.offset;
  if (cell.is_text) {
    const std::int32_t number = words_of(cell).take<',', '\n', '\r'>(at);
    return number >= 0 && put_stored(cell.storage, number, to);
  }
  if (cell.role == Role::skipped) {
    const char* const stop = find_end(at, end - 1);
    if (stop != nullptr) at = stop;
    return stop != nullptr;
  }
  if (cell.storage == Storage::spelled) return take_spelled(cell, at, end, record);
  if (cell.storage == Storage::number) {
    double value = 0;
    if (!take_number(at, end - 1, value)) return false;
    put(to, value);
    cell.has_fractions = cell.has_fractions || value != std::trunc(value);
    cell.least = std::min(cell.least, value);
    cell.most = std::max(cell.most, value);
    return true;
  }
  Decimal decimal;
  std::int64_t whole = 0;
  return take_decimal(at, decimal) && decimal.to_whole(whole) &&
         put_stored(cell.storage, whole, to);
}

bool PlainRows::take_spelled(const Cell& cell, const char*& at, const char* end,
                             std::byte* record) const {
  const char* const stop = find_end(at, end - 1);
  if (stop == nullptr) return false;
  const char* const last = *stop == '\n' && stop != at && stop[-1] == '\r' ? stop - 1 : stop;
  const auto length = static_cast<std::size_t>(last - at);
  // What may mean that there is no value: NA, None, nan(1); and blanks, which are trimmed.
  constexpr std::string_view doubtful = "nN+- \t";
  if (length <= 4 || length > spelled_length_limit) return false;
  if (doubtful.find(*at) != std::string_view::npos || last[-1] == ' ' || last[-1] == '\t') {
    return false;
  }
  const auto position = static_cast<std::uint64_t>(at - text_.data());
  put(record + cell.offset, position << spelled_length_bits | length);
  at = last;
  return true;
}

void PlainRows::tell(std::vector<TableColumn>& columns) const {
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    columns[i].has_fractions = columns[i].has_fractions || cells_[i].has_fractions;
    columns[i].least = std::min(columns[i].least, cells_[i].least);
    columns[i].most = std::max(columns[i].most, cells_[i].most);
  }
}

}  // namespace hqe
