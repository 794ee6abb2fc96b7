// SPDX-License-Identifier: MIT
/// Scores teams by any metric, from one set of counts.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "hqe/base/run.h"
#include "hqe/diversity/focal.h"
#include "hqe/diversity/metric.h"
#include "hqe/pruning/hierarchical.h"
#include "hqe/search/measure.h"
#include "hqe/study/options.h"

namespace hqe {

struct ScorerOptions {
  Weights weights = Weights::rank;
  Scale scale = Scale::candidates;
  std::optional<SampleOptions> sample;
  std::uint64_t max_candidates = PruneOptions{}.max_candidates;
};

/// Thread safety: one caller at a time; it uses several threads itself.
class Scorer {
 public:
  /// `measured` must outlive the scorer and hold the counts that the metrics need.
  Scorer(const Measured& measured, const ScorerOptions& options, Run run);

  /// Scores of teams that are compared with each other and nobody else.
  [[nodiscard]] std::vector<double> scores(Metric metric, const TeamList& teams) const {
    return scores(metric, teams, run_);
  }
  /// The same, run otherwise.
  [[nodiscard]] std::vector<double> scores(Metric metric, const TeamList& teams,
                                           const Run& run) const;

  /// Scores of a tier's candidates: compared with each other, or (Scale::all) with every team of
  /// their size. Throws UsageError when these are more than max_candidates.
  [[nodiscard]] std::vector<double> tier_scores(Metric metric, const TeamList& candidates);

  /// The same of teams of this size that nobody holds; nothing where these would not be scored
  /// quicker. Requires: the scorer outlives the answer.
  [[nodiscard]] std::optional<PassingScorer> passing_scorer(Metric metric, int team_size) const;

  /// q_f of each team and member, team after team; NaN where f never fails.
  [[nodiscard]] std::vector<double> focal_columns(Metric metric, const TeamList& teams) const;

 private:
  const Measured& measured_;
  ScorerOptions options_;
  Run run_;
  std::unique_ptr<FocalSource> source_;
  struct AllTeams {
    TeamList teams{1};
    std::map<Metric, std::vector<double>> scores;
  };
  std::map<int, AllTeams> all_teams_;  ///< Scale::all: by size.
};

}  // namespace hqe
