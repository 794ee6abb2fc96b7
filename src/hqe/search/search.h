// SPDX-License-Identifier: MIT
/// One metric's search for teams, hierarchical or by mean threshold, in one shape.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hqe/base/run.h"
#include "hqe/diversity/metric.h"
#include "hqe/pruning/consensus.h"
#include "hqe/pruning/hierarchical.h"
#include "hqe/search/kept_teams.h"
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
/// metric and other betas or size, as far as they come out the same. Tiers of more than
/// `hold_pruned` candidates may forget those that they pruned, and then are no longer similar.
[[nodiscard]] Search search_hierarchically(Scorer& scorer, Metric metric, int model_count,
                                           const HierarchicalOptions& options, Search similar,
                                           const Run& run, std::uint64_t hold_pruned = UINT64_MAX);

/// Mean threshold over the eligible teams of sizes 2..M-1.
[[nodiscard]] Search search_by_mean(const Scorer& scorer, Metric metric, int model_count,
                                    const Eligibility& eligibility);

/// The kept teams of a tier, in team order.
[[nodiscard]] TeamList kept_teams(const Tier& tier);

/// What searches kept of each size that they select from, sizes ascending; the lists hold every
/// candidate of tiers of at most `with_pruned` candidates. Requires: searches of one kind and
/// desired size.
[[nodiscard]] std::vector<KeptTeams> kept_by_size(std::span<const Search> searches,
                                                  std::uint64_t with_pruned = 0);
/// The same of the last tiers alone, of which those of more than `held` candidates forget their
/// teams: their scores are taken, not copied.
[[nodiscard]] KeptTeams take_last_kept(std::span<Search> searches, std::uint64_t with_pruned,
                                       std::uint64_t held);

/// MAJORITY-F of the focal searches, whatever the sizes of their teams; nothing for fewer than two
/// focal metrics.
[[nodiscard]] std::optional<Consensus> consensus_of(const std::vector<Search>& searches,
                                                    const Counters& counters);
/// The same of what was found to be kept; `values` are those of each size's list.
[[nodiscard]] std::optional<Consensus> consensus_of(const std::vector<Search>& searches,
                                                    const std::vector<KeptTeams>& kept,
                                                    const std::vector<TeamValues>& values,
                                                    const Run& run = {.threads = 1});

}  // namespace hqe
