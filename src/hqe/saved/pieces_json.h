// SPDX-License-Identifier: MIT
/// Pieces of an answer, on their way from who worked them out to who puts them together. What
/// arrives is a stranger's: each number is checked against the pool, another version of hqe
/// refused.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hqe/methods/rounds.h"
#include "hqe/predictions/pool.h"
#include "hqe/study/study.h"

namespace hqe {

/// Rounds of a comparison: rounds_from_json(to_json(rounds), ..) == rounds.
[[nodiscard]] std::string to_json(const std::vector<Round>& rounds);

/// `file` is for the error message. Throws InputError.
[[nodiscard]] std::vector<Round> rounds_from_json(std::string_view text, const std::string& file,
                                                  const Pool& pool);

/// The rows of a document of `sweep`, which is a piece of one with more sizes or betas. What such
/// documents leave out, the rows lack. Throws InputError.
[[nodiscard]] std::vector<SweepRow> sweep_rows_from_json(std::string_view text,
                                                         const std::string& file, const Pool& pool);

}  // namespace hqe
