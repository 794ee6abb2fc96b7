// SPDX-License-Identifier: MIT
/// Fills in how far a study can be trusted.

#pragma once

#include <cstdint>
#include <vector>

#include "hqe/search/search_space.h"
#include "hqe/search/searches.h"
#include "hqe/statistics/intervals.h"
#include "hqe/study/study.h"

namespace hqe {

/// A rule and what it chooses.
struct RuleChoice {
  JudgedRule rule = JudgedRule::recommended;
  TeamFigures figures;
};

/// The rules that choose something: what is recommended, where anything is, and the baselines that
/// it is held against.
[[nodiscard]] std::vector<RuleChoice> choices_of(const Study& study);

/// Everything of Trust for a study whose answer is known.
[[nodiscard]] Trust trust_of(SearchSpace& space, Searches& found, const Study& study);

/// A difference of merits with its interval at the confidence level.
[[nodiscard]] MeritFigures merit_figures(const PairedValues& values);

/// Counts with both paired statistics.
[[nodiscard]] PairedFigures paired_figures(const PairedCounts& counts, std::uint64_t seed);
[[nodiscard]] AccuracyFigures accuracy_figures(std::uint64_t correct, std::uint64_t samples);

}  // namespace hqe
