// SPDX-License-Identifier: MIT
/// A comparison in pieces: rounds may be played by anybody, in any order, and together are the
/// comparison. Implemented in compare.cpp; the rounds themselves in tournament.cpp.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hqe/base/run.h"
#include "hqe/methods/compare.h"

namespace hqe {

/// One method's choice, and how its expectation or search was limited.
struct MethodChoice {
  Method method = Method::random;
  Choice choice;
  std::string note;
};

/// What one round showed: number 0 chooses on the entire pool, number i on one half of split i - 1.
struct Round {
  int number = 0;
  std::vector<MethodChoice> choices;         ///< In the order of the methods.
  std::uint64_t reference_test_correct = 0;  ///< 0 where nothing judges.
  std::uint64_t selection_samples = 0;
  std::uint64_t test_samples = 0;  ///< 0 where nothing judges.
};

/// One more than there are splits; with a test pool one.
[[nodiscard]] int round_count(const CompareOptions& options, bool has_test);

/// Plays these rounds, each of 0 .. round_count() - 1. Reads the whole pool once, and for each
/// split its halves. Throws what compare() throws, and UsageError for a round that there is not.
[[nodiscard]] std::vector<Round> play_rounds(Pool pool, const CompareOptions& options,
                                             const std::vector<int>& numbers, const Run& run = {},
                                             std::optional<Pool> test = std::nullopt);

/// What compare() answers, made of all of its rounds in any order: equal but for seconds. Reads the
/// whole pool once. Throws what compare() throws, and InputError where a round is missing, there
/// twice, or another comparison's.
[[nodiscard]] Comparison compare_rounds(Pool pool, const CompareOptions& options,
                                        std::vector<Round> rounds, const Run& run = {},
                                        std::optional<Pool> test = std::nullopt);

}  // namespace hqe
