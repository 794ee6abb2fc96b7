// SPDX-License-Identifier: MIT
#include "hqe/predictions/detect.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>

#include "hqe/base/error.h"

namespace hqe {
namespace {

/// How far from 1 a row may sum whose numbers were all rounded to two or three decimals: half a
/// decimal a class, at most 0.1. 0 of other rows, and of halves, which are rounded themselves.
double rounded_tolerance(std::span<const double> row, DType dtype) {
  if (dtype != DType::float32 && dtype != DType::float64) return 0;
  constexpr double most = 0.1;
  // What binary fractions add to a decimal, and to a sum of some.
  const double hair = dtype == DType::float32 ? 7e-5 : 1e-9;
  for (const double decimals : {100.0, 1000.0}) {
    const bool is_rounded = std::ranges::all_of(row, [&](double value) {
      const double steps = value * decimals;
      return std::abs(steps - std::nearbyint(steps)) <= hair;
    });
    if (!is_rounded) continue;
    return std::min(most, 0.5 * static_cast<double>(row.size()) / decimals) + 1e-6;
  }
  return 0;
}

constexpr std::int64_t rows_for_a_first_look = 64;
constexpr std::int64_t all_rows = std::numeric_limits<std::int64_t>::max();

/// What the values of one file say of its kind.
struct Look {
  bool is_logits = false;            ///< A value lies outside [0,1].
  std::optional<std::uint64_t> off;  ///< The first row seen that does not sum to 1, and its sum.
  double off_sum = 0;
};

bool is_outside(double value, double tolerance) { return value < 0 || value > 1 + tolerance; }

/// Rows with NaN or infinity say nothing of the kind: the scan refuses them under either.
void look_at_row(std::span<const double> row, std::uint64_t number, DType dtype, Look& look) {
  const double tolerance = row_sum_tolerance(dtype);
  double sum = 0;
  for (const double value : row) {
    if (std::isfinite(value) && is_outside(value, tolerance)) look.is_logits = true;
    sum += value;
  }
  if (std::isfinite(sum) && std::abs(sum - 1) > tolerance && !look.off &&
      std::abs(sum - 1) > rounded_tolerance(row, dtype)) {
    look.off = number;
    look.off_sum = sum;
  }
}

Look look_at(const Array& array, std::int64_t rows) {
  Look look;
  std::vector<double> row(static_cast<std::size_t>(array.columns()));
  for (std::int64_t number = 0; number < rows && !look.is_logits; ++number) {
    read_row(array, number, row);
    look_at_row(row, static_cast<std::uint64_t>(array.stored_row(number)), array.dtype, look);
  }
  return look;
}

/// Looks at the first rows of every model that is not known to hold logits.
void look_at_all(const std::vector<Model>& models, std::int64_t limit, const Run& run,
                 std::vector<Look>& looks) {
  parallel_for(run, "detecting the kind", models.size(), 1,
               [&](std::uint64_t begin, std::uint64_t end, int) {
                 for (; begin < end; ++begin) {
                   const Array& array = models[begin].predictions;
                   if (looks[begin].is_logits) continue;
                   looks[begin] = look_at(array, std::min(array.rows(), limit));
                 }
               });
}

Kind agree(const std::vector<Model>& models, const std::vector<Look>& looks) {
  const auto is_logits = [](const Look& look) { return look.is_logits; };
  if (std::all_of(looks.begin(), looks.end(), is_logits)) return Kind::logits;
  const auto is_neither = [](const Look& look) { return !look.is_logits && look.off; };
  if (const auto neither = std::find_if(looks.begin(), looks.end(), is_neither);
      neither != looks.end()) {
    throw InputError(
        file_of(models[static_cast<std::size_t>(neither - looks.begin())]), place_of(*neither->off),
        fmt::format("all values lie in [0,1], but the row sums to {:.6g}, so these are "
                    "neither probabilities nor certainly logits",
                    neither->off_sum),
        "Declare kind = \"logits\" in pool.toml if they are logits, or normalise "
        "the rows");
  }
  const auto logits = std::find_if(looks.begin(), looks.end(), is_logits);
  if (logits == looks.end()) return Kind::probabilities;
  const auto other = std::find_if_not(looks.begin(), looks.end(), is_logits);
  throw InputError(file_of(models[static_cast<std::size_t>(logits - looks.begin())]), "",
                   fmt::format("holds logits (values outside [0,1]), but {} holds probabilities",
                               file_of(models[static_cast<std::size_t>(other - looks.begin())])),
                   "A pool is of one kind: convert the files to one, or declare kind = \"logits\"");
}

}  // namespace

double row_sum_tolerance(DType dtype) {
  return dtype == DType::float16 || dtype == DType::bfloat16 ? 1e-2 : 1e-3;
}

bool is_rounded_row(std::span<const double> row, Kind kind, DType dtype) {
  if (kind != Kind::probabilities) return false;
  const double sum = std::accumulate(row.begin(), row.end(), 0.0);
  return std::abs(sum - 1) > row_sum_tolerance(dtype);
}

std::string file_of(const Model& model) { return model.file.empty() ? model.name : model.file; }

std::string place_of(std::uint64_t row) { return fmt::format("row {} (counting from 0)", row); }

std::string place_of(std::uint64_t row, std::uint64_t column) {
  return fmt::format("row {}, column {} (counting from 0)", row, column);
}

std::optional<RowFault> find_row_fault(std::span<const double> row, Kind kind, DType dtype) {
  const double tolerance = row_sum_tolerance(dtype);
  double sum = 0;
  for (std::size_t column = 0; column < row.size(); ++column) {
    const double value = row[column];
    if (!std::isfinite(value)) {
      return RowFault{column, std::isnan(value) ? "NaN found" : "infinity found",
                      "Remove the sample from every file, or repair the model's output"};
    }
    if (kind == Kind::probabilities && is_outside(value, tolerance)) {
      return RowFault{column, fmt::format("{:.6g} is not a probability", value),
                      "Declare kind = \"logits\" if these are logits, or repair the file"};
    }
    sum += value;
  }
  if (kind == Kind::probabilities && std::abs(sum - 1) > tolerance &&
      std::abs(sum - 1) > rounded_tolerance(row, dtype)) {
    return RowFault{
        std::nullopt,
        fmt::format("the probabilities sum to {:.6g}, not to 1 within {:g}", sum, tolerance),
        "Normalise the rows, or declare kind = \"logits\" if these are logits"};
  }
  return std::nullopt;
}

Kind detect_score_kind(const std::vector<Model>& models, bool whole, const Run& run) {
  std::vector<Look> looks(models.size());
  look_at_all(models, rows_for_a_first_look, run, looks);
  const bool all_plain = std::none_of(looks.begin(), looks.end(),
                                      [](const Look& look) { return look.is_logits || look.off; });
  if (whole || !all_plain) look_at_all(models, all_rows, run, looks);
  return agree(models, looks);
}

std::vector<bool> hold_logits(const std::vector<Model>& models, const Run& run) {
  std::vector<Look> looks(models.size());
  look_at_all(models, all_rows, run, looks);
  std::vector<bool> found;
  found.reserve(looks.size());
  for (const Look& look : looks) found.push_back(look.is_logits);
  return found;
}

FloatLook look_at_floats(const Array& vector) {
  FloatLook look;
  for (std::int64_t row = 0; row < vector.rows() && (look.is_whole || look.is_share); ++row) {
    const double value = read_number(vector, row);
    look.is_whole = look.is_whole && std::abs(value) <= 2147483647 && value == std::trunc(value);
    look.is_share = look.is_share && value >= 0 && value <= 1;
  }
  return look;
}

}  // namespace hqe
