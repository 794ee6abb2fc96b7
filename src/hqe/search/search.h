// SPDX-License-Identifier: MIT
/// One metric's search for teams, hierarchical or by mean threshold, in one shape.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hqe/base/run.h"
#include "hqe/diversity/metric.h"
#include "hqe/pruning/consensus.h"
#include "hqe/pruning/hierarchical.h"
#include "hqe/search/counted_teams.h"
#include "hqe/search/merits.h"
#include "hqe/search/scorer.h"
#include "hqe/study/study.h"

namespace hqe {

struct Search {
  Metric metric = Metric::f_gd;
  std::vector<double> beta;         ///< Hierarchical: as used.
  std::vector<Tier> tiers;          ///< By size, ascending.
  std::optional<double> threshold;  ///< Mean threshold only.

  /// The tiers whose kept teams are the selection: the last, or with a threshold all.
  [[nodiscard]] std::vector<const Tier*> selecting_tiers() const;
};

/// Algorithm 2 with one metric. Takes over the tiers of `similar`, an earlier search with the same
/// metric and other betas or size, as far as they come out the same.
[[nodiscard]] Search search_hierarchically(Scorer& scorer, Metric metric, int model_count,
                                           const HierarchicalOptions& options, Search similar,
                                           const Run& run);

/// Mean threshold over the eligible teams of sizes 2..M-1.
[[nodiscard]] Search search_by_mean(const Scorer& scorer, Metric metric, int model_count,
                                    const Eligibility& eligibility);

/// The kept teams of a tier, in team order.
[[nodiscard]] TeamList kept_teams(const Tier& tier);

/// Where the figures of selected teams come from; each may be null.
struct Counters {
  const CountedTeams* correct = nullptr;
  const CountedTeams* test_correct = nullptr;
  const Merits* merit = nullptr;
  const Merits* test_merit = nullptr;
};

/// The selected teams, best score first (as compared: rounded), then team order, with the correct
/// counts that `counters` have learned.
[[nodiscard]] SelectedTeams selected_teams(const Search& search, const Counters& counters);

/// MAJORITY-F of the focal searches, whatever the sizes of their teams; nothing for fewer than two
/// focal metrics.
struct Agreement {
  SelectedTeams selected;
  int metrics = 0;
  int distinct_metrics = 0;
};
[[nodiscard]] std::optional<Agreement> agreement_of(const std::vector<Search>& searches,
                                                    const Counters& counters);

}  // namespace hqe
