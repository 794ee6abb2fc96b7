// SPDX-License-Identifier: MIT
/// Probabilities or logits: what floats look like, and what a row of probabilities must be.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hqe/base/run.h"
#include "hqe/predictions/pool.h"

namespace hqe {

/// How far from 1 a row of probabilities may sum.
[[nodiscard]] double row_sum_tolerance(DType dtype);

/// Whether a row of probabilities that passes sums to 1 only because its numbers were rounded.
[[nodiscard]] bool is_rounded_row(std::span<const double> row, Kind kind, DType dtype);

/// The file to name in a message about `model`.
[[nodiscard]] std::string file_of(const Model& model);

/// "row 3, column 5 (counting from 0)".
[[nodiscard]] std::string place_of(std::uint64_t row);
[[nodiscard]] std::string place_of(std::uint64_t row, std::uint64_t column);

/// What is wrong with one row: `column` is nothing where the row as a whole is.
struct RowFault {
  std::optional<std::uint64_t> column;
  std::string reason;
  std::string advice;
};

/// The first fault of a row: of every score pool NaN and infinity; of probabilities also a value
/// below 0 or above 1 and then a sum off 1, added in double by ascending class, so that every
/// machine finds the same. A value may exceed 1 by as much as a sum may: rounding does that.
[[nodiscard]] std::optional<RowFault> find_row_fault(std::span<const double> row, Kind kind,
                                                     DType dtype);

/// Whether all `models` hold probabilities or all logits (spec section 1), told by every value
/// where the first rows alone do not show it (`whole` = false) or in any case (`whole` = true).
/// Throws InputError where the files differ in kind, or are neither.
/// Requires: every model has a matrix of floats.
[[nodiscard]] Kind detect_score_kind(const std::vector<Model>& models, bool whole, const Run& run);

/// What a vector of floats holds.
struct FloatLook {
  bool is_whole = true;  ///< Every number is whole, and small enough for a label.
  bool is_share = true;  ///< Every number lies in [0,1].
};

/// Reads it up to the first number that is neither.
[[nodiscard]] FloatLook look_at_floats(const Array& vector);

/// Whether each model holds a value outside [0,1], as logits alone do: what one part of a pool says
/// of the kind that detect_score_kind() finds in the whole. Reads a model up to the first such row.
/// Requires: every model has a matrix of floats.
[[nodiscard]] std::vector<bool> hold_logits(const std::vector<Model>& models, const Run& run);

}  // namespace hqe
