// SPDX-License-Identifier: MIT
#include "hqe/predictions/digest_part.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <span>
#include <utility>

#include "hqe/base/elementary.h"
#include "hqe/base/error.h"
#include "hqe/predictions/columns.h"

namespace hqe {
namespace {

constexpr std::uint32_t contested_bit = std::uint32_t{1} << 31;

[[noreturn]] void refuse(const std::string& file, const std::string& place,
                         const std::string& reason) {
  throw InputError(file, place, reason, "Make the digest again from the predictions");
}

struct Expected {
  const char* name;
  const Array& array;
  std::uint64_t rows;
  std::uint64_t columns = 1;
};

std::uint64_t rows_of(const Array& array) { return static_cast<std::uint64_t>(array.rows()); }

void check_shape(const std::string& file, const Expected& expected) {
  const Array& array = expected.array;
  if (rows_of(array) == expected.rows &&
      (expected.rows == 0 || static_cast<std::uint64_t>(array.columns()) == expected.columns)) {
    return;
  }
  refuse(file, fmt::format("tensor {}", expected.name),
         fmt::format("has {} x {} numbers where {} x {} belong to the others", array.rows(),
                     array.rows() == 0 ? 0 : array.columns(), expected.rows, expected.columns));
}

void check_type(const std::string& file, const char* name, const Array& array, bool wants_float) {
  if (array.rows() == 0 || is_float(array.dtype) == wants_float) return;
  refuse(file, fmt::format("tensor {}", name),
         fmt::format("holds {} where {} belong", to_string(array.dtype),
                     wants_float ? "floats" : "whole numbers"));
}

/// Where models have numbers of their own types, a tensor is bytes.
void check_bytes(const std::string& file, const char* name, const Array& array) {
  if (array.rows() == 0 || array.dtype == DType::uint8) return;
  refuse(file, fmt::format("tensor {}", name),
         fmt::format("holds {} where bytes belong", to_string(array.dtype)));
}

/// What each model has in a row where rows have the numbers of all models one after the other.
struct Cell {
  DType dtype = DType::float32;
  std::int64_t count = 1;
};

/// Of `own`, and of `values` where nothing is said of how they are stored.
std::vector<Cell> cells_of_types(const DigestShape& shape) {
  std::vector<Cell> cells;
  for (const DType dtype : shape.types) cells.push_back({dtype});
  return cells;
}

/// Of `values`, and of `labels`.
std::vector<Cell> cells_of(const DigestShape& shape) {
  if (shape.stored.empty()) return cells_of_types(shape);
  std::vector<Cell> cells;
  for (const StoredNumbers& stored : shape.stored) {
    cells.push_back({stored.dtype, shape.complements && !stored.alone ? 2 : 1});
  }
  return cells;
}

/// How wide a row is: in numbers, or where they are packed in bytes.
std::uint64_t width_of(const std::vector<Cell>& cells, bool packed) {
  std::uint64_t width = 0;
  for (const Cell& cell : cells) {
    width += packed ? size_of(cell.dtype) * static_cast<std::uint64_t>(cell.count) : 1;
  }
  return width;
}

/// Floats are packed where they are bytes.
bool is_packed(const Array& array) { return array.dtype == DType::uint8; }

/// Each model's numbers.
std::vector<Array> columns_of(const Array& array, const std::vector<Cell>& cells, bool packed) {
  std::vector<Array> columns(cells.size());
  if (array.rows() == 0) return columns;
  std::int64_t at = 0;
  for (std::size_t m = 0; m < columns.size(); ++m) {
    columns[m] = array;
    columns[m].rank = 1;
    columns[m].shape[1] = 1;
    columns[m].data += at;
    if (!packed) {
      at += array.strides[1];
      continue;
    }
    const auto size = static_cast<std::int64_t>(size_of(cells[m].dtype));
    columns[m].dtype = cells[m].dtype;
    columns[m].byte_swapped = std::endian::native != std::endian::little;
    columns[m].rank = cells[m].count == 1 ? 1 : 2;
    columns[m].shape[1] = cells[m].count;
    columns[m].strides[1] = size;
    at += size * cells[m].count;
  }
  return columns;
}

/// The sum of bytes, eight at a time; nothing where one of them is above 3.
std::optional<std::uint64_t> sum_of_few(std::span<const std::byte> bytes) {
  constexpr std::uint64_t ones = 0x0101010101010101;
  static_assert(DigestPart::most_extras == 3);
  std::uint64_t sum = 0, all = 0;
  for (; bytes.size() >= sizeof ones; bytes = bytes.subspan(sizeof ones)) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, bytes.data(), sizeof eight);
    all |= eight;
    sum += (eight & 3 * ones) * ones >> 56;
  }
  for (const std::byte byte : bytes) {
    all |= std::to_integer<std::uint64_t>(byte);
    sum += std::to_integer<std::uint64_t>(byte);
  }
  if ((all & ~(3 * ones)) != 0) return std::nullopt;
  return sum;
}

/// Whether rows are floats side by side and one after the other, where a float may lie.
bool is_float_rows(const Array& array) {
  constexpr auto size = static_cast<std::int64_t>(sizeof(float));
  return array.rows() > 0 && array.dtype == DType::float32 && !array.byte_swapped &&
         array.strides[0] == size * array.columns() &&
         (array.columns() == 1 || array.strides[1] == size) &&
         reinterpret_cast<std::uintptr_t>(array.data) % alignof(float) == 0;
}

std::string sample_place(std::uint64_t row) {
  return fmt::format("sample {} (counting from 0)", row);
}

}  // namespace

DigestPart::DigestPart(std::string file, DigestShape shape, DigestColumns columns)
    : file_(std::move(file)), shape_(std::move(shape)), columns_(std::move(columns)) {
  const auto models = static_cast<std::uint64_t>(shape_.model_count);
  if (shape_.sample_count == 0) refuse(file_, "", "holds no sample");
  if (shape_.kind != Kind::correctness) {
    check_shape(file_, {"truth", columns_.truth, shape_.sample_count});
    check_type(file_, "truth", columns_.truth, false);
  }
  check_kind();
  const bool stored = !shape_.stored.empty();
  if (!has_scores(shape_.kind)) {
    const std::vector<Cell> cells = stored ? cells_of(shape_) : std::vector<Cell>(models);
    if (stored) check_bytes(file_, "labels", columns_.labels);
    check_shape(file_, {"labels", columns_.labels, shape_.sample_count, width_of(cells, stored)});
    check_type(file_, "labels", columns_.labels, false);
    labels_ = columns_of(columns_.labels, cells, stored);
    return;
  }
  if (stored) check_bytes(file_, "values", columns_.values);
  check_types();
  if (columns_.rounded.rows() > 0) {
    check_shape(file_, {"rounded", columns_.rounded, shape_.sample_count, (models + 7) / 8});
  }
  index();
  values_ = columns_of(columns_.values, cells_of(shape_), is_packed(columns_.values));
  own_ = columns_of(columns_.own, cells_of_types(shape_), is_packed(columns_.own));
  has_float_values_ = is_float_rows(columns_.values) && !shape_.complements;
  has_float_own_ = is_float_rows(columns_.own);
  has_float_extras_ = is_float_rows(columns_.extra_values);
}

/// Tensors of other kinds would be read by nobody, and were meant by somebody.
void DigestPart::check_kind() const {
  const std::pair<const char*, const Array*> of_scores[] = {
      {"kept", &columns_.kept},
      {"own", &columns_.own},
      {"classes", &columns_.classes},
      {"values", &columns_.values},
      {"sums", &columns_.sums},
      {"extra_counts", &columns_.extra_counts},
      {"extra_classes", &columns_.extra_classes},
      {"extra_values", &columns_.extra_values},
      {"rounded", &columns_.rounded}};
  const auto check = [&](const char* name, const Array& array) {
    if (array.rows() == 0) return;
    refuse(file_, fmt::format("tensor {}", name),
           fmt::format("belongs to no digest of {}", to_string(shape_.kind)));
  };
  if (has_scores(shape_.kind)) return check("labels", columns_.labels);
  for (const auto& [name, array] : of_scores) check(name, *array);
  if (shape_.kind == Kind::correctness) check("truth", columns_.truth);
}

void DigestPart::check_types() const {
  check_type(file_, "kept", columns_.kept, false);
  check_type(file_, "classes", columns_.classes, false);
  check_type(file_, "extra_counts", columns_.extra_counts, false);
  check_type(file_, "extra_classes", columns_.extra_classes, false);
  check_type(file_, "rounded", columns_.rounded, false);
  if (shape_.kind == Kind::logits || !is_packed(columns_.own)) {
    check_type(file_, "own", columns_.own, true);
  }
  if (!is_packed(columns_.values)) check_type(file_, "values", columns_.values, true);
  check_type(file_, "sums", columns_.sums, true);
  check_type(file_, "extra_values", columns_.extra_values, true);
}

void DigestPart::index() {
  Next next;
  std::uint64_t own = 0;
  if (columns_.kept.rows() == 0) {
    next.values = shape_.sample_count * static_cast<std::uint64_t>(shape_.class_count);
    return check_totals(next, own);
  }
  check_shape(file_, {"kept", columns_.kept, shape_.sample_count});
  places_.reserve(shape_.sample_count);
  contested_.reserve(shape_.sample_count + 1 -
                     std::min(shape_.sample_count, rows_of(columns_.own)));
  // A few rows at a time: fresh memory costs more than reading them.
  std::array<std::int32_t, 1024> kept{}, truth{};
  for (std::uint64_t first = 0; first < shape_.sample_count; first += kept.size()) {
    const auto count =
        static_cast<std::size_t>(std::min<std::uint64_t>(kept.size(), shape_.sample_count - first));
    read_labels(columns_.kept, first, std::span(kept).first(count));
    read_labels(columns_.truth, first, std::span(truth).first(count));
    for (std::size_t i = 0; i < count; ++i) {
      if (kept[i] == 1 && shape_.class_count >= 1) {
        places_.push_back(static_cast<std::uint32_t>(own++));
      } else {
        add_contested(first + i, truth[i], kept[i], next);
      }
    }
  }
  contested_.push_back(next);
  check_totals(next, own);
}

void DigestPart::add_contested(std::uint64_t row, std::int32_t truth, std::int32_t kept,
                               Next& next) {
  if (kept < 1 || kept > shape_.class_count) {
    refuse(file_, sample_place(row),
           fmt::format("keeps {} of {} classes",
                       read_integer(columns_.kept, static_cast<std::int64_t>(row)),
                       shape_.class_count));
  }
  const auto number = static_cast<std::uint32_t>(contested_.size());
  places_.push_back(contested_bit | number);
  contested_.push_back(next);
  if (kept == shape_.class_count) {
    whole_.push_back(number);
  } else {
    next.extras += add_listed(row, truth, kept, next);
    next.classes += static_cast<std::uint64_t>(kept);
    ++next.listed;
  }
  next.values += static_cast<std::uint64_t>(kept);
}

std::uint64_t DigestPart::add_listed(std::uint64_t row, std::int32_t truth, std::int64_t kept,
                                     const Next& at) const {
  if (at.classes + static_cast<std::uint64_t>(kept) > rows_of(columns_.classes) ||
      at.listed >= rows_of(columns_.extra_counts) ||
      columns_.extra_counts.columns() != shape_.model_count) {
    refuse(file_, sample_place(row), "its classes are missing");
  }
  const auto check = [&](const auto& label_at) {
    std::int64_t previous = -1;
    bool has_truth = false;
    for (std::int64_t i = 0; i < kept; ++i) {
      const std::int64_t label = label_at(static_cast<std::int64_t>(at.classes) + i);
      if (label <= previous || label >= shape_.class_count) {
        refuse(file_, sample_place(row), fmt::format("keeps the class {} out of order", label));
      }
      has_truth |= label == truth;
      previous = label;
    }
    if (!has_truth) refuse(file_, sample_place(row), "does not keep its true class");
  };
  if (is_plain(columns_.classes, DType::uint16)) {
    check([&](std::int64_t place) { return load<std::uint16_t>(columns_.classes, place); });
  } else {
    check([&](std::int64_t place) { return read_integer(columns_.classes, place); });
  }
  return add_extras(row, at);
}

std::uint64_t DigestPart::add_extras(std::uint64_t row, const Next& at) const {
  const Array& counts = columns_.extra_counts;
  const auto listed = static_cast<std::int64_t>(at.listed);
  const bool is_byte = is_plain(counts, DType::uint8);
  const std::byte* const bytes = counts.data + listed * counts.strides[0];
  if (is_byte && counts.strides[1] == 1) {
    const auto sum = sum_of_few({bytes, static_cast<std::size_t>(shape_.model_count)});
    if (sum) return *sum;
  }
  std::uint64_t extras = 0;
  for (int model = 0; model < shape_.model_count; ++model) {
    const std::int64_t count = is_byte
                                   ? std::to_integer<std::int64_t>(bytes[model * counts.strides[1]])
                                   : read_integer(counts, listed, model);
    if (count < 0 || count > most_extras) {
      refuse(file_, sample_place(row), fmt::format("keeps {} of three likeliest classes", count));
    }
    extras += static_cast<std::uint64_t>(count);
  }
  return extras;
}

void DigestPart::check_totals(const Next& end, std::uint64_t own) const {
  const auto models = static_cast<std::uint64_t>(shape_.model_count);
  const std::uint64_t sums = shape_.kind == Kind::logits ? end.listed : 0;
  for (const Expected& expected :
       {Expected{"own", columns_.own, own,
                 width_of(cells_of_types(shape_), is_packed(columns_.own))},
        Expected{"classes", columns_.classes, end.classes},
        Expected{"values", columns_.values, shape_.complements ? end.values / 2 : end.values,
                 width_of(cells_of(shape_), is_packed(columns_.values))},
        Expected{"sums", columns_.sums, sums, models},
        Expected{"extra_counts", columns_.extra_counts, end.listed, models},
        Expected{"extra_classes", columns_.extra_classes, end.extras},
        Expected{"extra_values", columns_.extra_values, end.extras}}) {
    check_shape(file_, expected);
  }
}

DigestPlace DigestPart::find(std::uint64_t row) const {
  if (places_.empty()) {
    return {.values = row * static_cast<std::uint64_t>(shape_.class_count),
            .kept = shape_.class_count};
  }
  const std::uint32_t place = places_[row];
  if ((place & contested_bit) == 0) return {.own = place};
  const std::uint32_t number = place & ~contested_bit;
  const Contested* const at = &contested_[number];
  DigestPlace found{.values = at->values,
                    .extras = at->extras,
                    .extras_end = at[1].extras,
                    .kept = static_cast<int>(at[1].values - at->values)};
  if (keeps_all(found)) return found;
  std::uint64_t whole = 0;
  if (!whole_.empty()) {
    whole = static_cast<std::uint64_t>(std::ranges::lower_bound(whole_, number) - whole_.begin());
  }
  found.classes = at->values - whole * static_cast<std::uint64_t>(shape_.class_count);
  found.listed = number - whole;
  return found;
}

DigestPart::Softmax DigestPart::softmax(const DigestPlace& place, std::size_t model) const {
  // The largest logit is always kept: its class is the prediction.
  Softmax found{.largest = value(place, 0, model)};
  for (int i = 1; i < place.kept; ++i) {
    found.largest = std::max(found.largest, value(place, i, model));
  }
  if (!keeps_all(place)) {
    found.sum = read_number(columns_.sums, static_cast<std::int64_t>(place.listed),
                            static_cast<std::int64_t>(model));
    return found;
  }
  found.sum = 0;
  for (int i = 0; i < place.kept; ++i) {
    found.sum += portable_exp(value(place, i, model) - found.largest);
  }
  return found;
}

double DigestPart::one_of_two(const DigestPlace& place, int i, std::size_t model) const {
  const Array& numbers = values_[model];
  const auto row = static_cast<std::int64_t>(place.values / 2);
  if (numbers.columns() == 2) return read_number(numbers, row, i);
  const double value = read_number(numbers, row);
  return i == 1 ? value : complement_of(value, shape_.types[model]);
}

bool DigestPart::is_rounded(std::uint64_t row, std::size_t model) const {
  if (columns_.rounded.rows() == 0) return false;
  const std::int64_t bits = read_integer(columns_.rounded, static_cast<std::int64_t>(row),
                                         static_cast<std::int64_t>(model / 8));
  return (bits >> (model % 8) & 1) != 0;
}

}  // namespace hqe
