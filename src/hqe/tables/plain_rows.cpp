// SPDX-License-Identifier: MIT
#include "hqe/tables/plain_rows.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "hqe/tables/csv_cells.h"
#include "hqe/tables/record_pass.h"

namespace hqe {
namespace {

constexpr std::uint64_t ones = 0x0101010101010101;
constexpr std::uint64_t tops = ones << 7;
constexpr std::uint64_t exact_limit = std::uint64_t{1} << 53;

/// What a cell may be looked at without asking where the text ends: a sign, a point and digits as
/// long as take_digits() goes on, or a short word.
constexpr std::ptrdiff_t margin = 64;

constexpr std::array<std::uint64_t, 19> whole_tens = [] {
  std::array<std::uint64_t, 19> tens{1};
  for (std::size_t i = 1; i < tens.size(); ++i) tens[i] = tens[i - 1] * 10;
  return tens;
}();

std::uint64_t load_word(const char* at) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof word);
  return word;
}

template <typename Value>
void put(std::byte* at, Value value) {
  std::memcpy(at, &value, sizeof value);
}

/// The top bit of the first byte that is `letter`; bits above it mean nothing.
std::uint64_t find_byte(std::uint64_t word, char letter) {
  const std::uint64_t difference = word ^ (ones * static_cast<unsigned char>(letter));
  return (difference - ones) & ~difference & tops;
}

/// Of what find_byte() found: the place of the first byte, 8 where there is none; a mask of the
/// bytes before it. Requires of the mask: there is one.
unsigned first_place(std::uint64_t found) {
  return static_cast<unsigned>(std::countr_zero(found)) / 8;
}
std::uint64_t below_first(std::uint64_t found) { return ((found & (~found + 1)) >> 7) - 1; }

/// The digits that begin a word of eight bytes.
struct Digits {
  std::uint64_t values;
  unsigned count;

  [[gnu::always_inline]] explicit Digits(std::uint64_t word) : values(word ^ (ones * '0')) {
    // A byte above 9 sets its top bit, and disturbs only bytes behind it.
    count = first_place((values | (values + ones * 0x76)) & tops);
  }

  /// Their number. Requires: there is one.
  [[nodiscard, gnu::always_inline]] std::uint64_t number() const {
    // Zeros in front, then pairs, fours and eights of digits are added up side by side.
    std::uint64_t sum = values << (8 * (8 - count));
    sum = (sum * (1 + (10 << 8))) >> 8;
    sum = ((sum & 0x00FF00FF00FF00FF) * (1 + (100 << 16))) >> 16;
    return ((sum & 0x0000FFFF0000FFFF) * (1 + (std::uint64_t{10000} << 32))) >> 32;
  }
};

/// Adds the digits at `at` to a number and returns how many they are. Up to eight at a time, since
/// a loop over digits spends its time on guessing where it ends.
[[gnu::always_inline]] inline std::size_t take_digits(const char*& at, std::uint64_t& number) {
  std::size_t count = 0;
  while (count <= 16) {
    const Digits digits(load_word(at));
    if (digits.count == 0) break;
    number = number * whole_tens[digits.count] + digits.number();
    at += digits.count;
    count += digits.count;
    if (digits.count < 8) break;
  }
  return count;
}

struct Decimal {
  bool is_negative = false;
  std::uint64_t digits = 0;
  std::size_t decimals = 0;

  [[nodiscard]] double value() const {
    const auto whole = static_cast<double>(digits);
    const double size = decimals == 0 ? whole : whole / detail::exact_tens[decimals];
    return is_negative ? -size : size;
  }
  /// False where it is not whole.
  bool to_whole(std::int64_t& whole) const {
    std::uint64_t size = digits;
    if (decimals != 0) {
      if (digits % whole_tens[decimals] != 0) return false;
      size /= whole_tens[decimals];
    }
    whole = is_negative ? -static_cast<std::int64_t>(size) : static_cast<std::int64_t>(size);
    return true;
  }
};

[[gnu::always_inline]] inline bool take_decimal(const char*& at, Decimal& decimal) {
  decimal.is_negative = *at == '-';
  if (decimal.is_negative) ++at;
  const std::size_t count = take_digits(at, decimal.digits);
  if (count == 0) return false;
  if (*at == '.') {
    ++at;
    decimal.decimals = take_digits(at, decimal.digits);
  }
  return count + decimal.decimals <= 18 && decimal.digits < exact_limit;
}

/// Four cells of one digit each, every one with a comma behind it.
bool take_four(const char* at, std::byte* record) {
  std::uint64_t values = load_word(at) ^ 0x2C302C302C302C30;
  if (((values | (values + 0x0076007600760076)) & 0xFF80FF80FF80FF80) != 0) return false;
  values = (values | values >> 8) & 0x0000FFFF0000FFFF;
  put(record, static_cast<std::uint32_t>(values | values >> 16));
  return true;
}

/// The end of an unquoted cell, null where there is none or quotes stand in it.
const char* find_end(const char* at, const char* end) {
  for (; at != end; ++at) {
    if (*at == ',' || *at == '\n') return at;
    if (*at == '"') return nullptr;
  }
  return nullptr;
}

}  // namespace

std::size_t ShortWords::slot_of(std::uint64_t first, std::uint64_t second) {
  return ((first ^ std::rotl(second, 23)) * 0x9E3779B97F4A7C15) >> 53;
}

void ShortWords::learn(std::string_view word, std::int32_t number) {
  if (word.empty() || word.size() > 16) return;
  std::array<std::uint64_t, 2> bytes{};
  std::memcpy(bytes.data(), word.data(), word.size());
  entries_[slot_of(bytes[0], bytes[1])] = {bytes[0], bytes[1],
                                           static_cast<std::uint32_t>(word.size()), number};
}

/// Where a word of at most 16 bytes ends, and what it is made of.
struct ShortWords::Found {
  std::uint64_t first = 0, second = 0;
  unsigned length = 0;

  /// Requires: a line's end of two bytes is no part of it.
  explicit Found(const char* at) : first(load_word(at)) {
    std::uint64_t ends = find_byte(first, ',') | find_byte(first, '\n');
    if (ends != 0) {
      first &= below_first(ends);
      length = first_place(ends);
      return;
    }
    second = load_word(at + 8);
    ends = find_byte(second, ',') | find_byte(second, '\n');
    if (ends != 0) second &= below_first(ends);
    length = 8 + first_place(ends);
  }
};

std::optional<std::int32_t> ShortWords::take(const char*& at) const {
  const Found found(at);
  const Entry& entry = entries_[slot_of(found.first, found.second)];
  const bool is_known = entry.first == found.first && entry.second == found.second &&
                        entry.length == found.length && found.length > 0;
  if (!is_known) return std::nullopt;
  at += found.length;
  return entry.number;
}

void PlainRows::lay_out(const std::vector<TableColumn>& columns) {
  cells_.clear();
  for (const TableColumn& column : columns) {
    cells_.push_back({.role = column.role,
                      .storage = column.storage,
                      .is_text = column.is_text,
                      .is_whole = !column.is_text && is_whole(column.storage),
                      .offset = column.offset,
                      .limit = static_cast<std::int64_t>(largest_of(column.storage)),
                      .has_fractions = column.has_fractions,
                      .least = HUGE_VAL,
                      .most = -HUGE_VAL});
  }
  for (std::size_t i = cells_.size(); i-- > 0;) {
    if (cells_[i].storage != Storage::small || cells_[i].is_text) continue;
    const bool goes_on = i + 1 < cells_.size() && cells_[i + 1].run > 0 &&
                         cells_[i + 1].offset == cells_[i].offset + 1;
    cells_[i].run = goes_on ? cells_[i + 1].run + 1 : 1;
  }
}

void PlainRows::learn(bool is_model, std::string_view word, std::int32_t number) {
  (is_model ? models_ : words_).learn(word, number);
}

inline bool PlainRows::put_whole(const Cell& cell, std::int64_t whole, std::byte* record) {
  std::byte* const at = record + cell.offset;
  if (cell.storage == Storage::counted) {
    put(at, whole);
    return true;
  }
  if (whole > cell.limit || whole < -cell.limit) return false;
  if (cell.storage == Storage::small) {
    put(at, static_cast<std::int8_t>(whole));
  } else if (cell.storage == Storage::medium) {
    put(at, static_cast<std::int16_t>(whole));
  } else {
    put(at, static_cast<std::int32_t>(whole));
  }
  return true;
}

std::size_t PlainRows::read(std::string_view rest, std::byte* record) {
  if constexpr (std::endian::native != std::endian::little) return 0;
  const char* at = rest.data();
  const char* const end = at + rest.size();
  const std::size_t last = cells_.size() - 1;
  for (std::size_t place = 0; place <= last;) {
    if (end - at < margin) return 0;
    Cell& cell = cells_[place];
    // The last cell of a line has no comma behind it.
    const char stop = place == last ? '\n' : ',';
    if (std::min(cell.run, last - place) >= 4 && take_four(at, record + cell.offset)) {
      at += 8;
      place += 4;
      continue;
    }
    if (cell.is_whole) {
      const Digits digits(load_word(at));
      if (digits.count - 1 < 7 && at[digits.count] == stop) {
        if (!put_whole(cell, static_cast<std::int64_t>(digits.number()), record)) return 0;
        at += digits.count + 1;
        ++place;
        continue;
      }
    }
    if (!take(cell, at, end, record)) return 0;
    if (place == last && *at == '\r') ++at;
    if (*at != stop) return 0;
    ++at;
    ++place;
  }
  return static_cast<std::size_t>(at - rest.data());
}

bool PlainRows::take(Cell& cell, const char*& at, const char* end, std::byte* record) {
  if (cell.is_text) {
    const auto number = (cell.role == Role::model ? models_ : words_).take(at);
    return number && put_whole(cell, *number, record);
  }
  if (cell.role == Role::skipped) {
    const char* const stop = find_end(at, end - 1);
    if (stop == nullptr) return false;
    at = stop;
    return true;
  }
  if (cell.storage == Storage::spelled) return take_spelled(cell, at, end, record);
  return take_number(cell, at, record);
}

bool PlainRows::take_number(Cell& cell, const char*& at, std::byte* record) {
  Decimal decimal;
  if (!take_decimal(at, decimal)) return false;
  if (cell.storage == Storage::number) {
    const double value = decimal.value();
    cell.has_fractions = cell.has_fractions || value != std::trunc(value);
    cell.least = std::min(cell.least, value);
    cell.most = std::max(cell.most, value);
    put(record + cell.offset, value);
    return true;
  }
  std::int64_t whole = 0;
  return decimal.to_whole(whole) && put_whole(cell, whole, record);
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
