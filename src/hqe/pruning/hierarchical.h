// SPDX-License-Identifier: MIT
/// Hierarchical pruning: grow teams one model at a time, and never grow a team that has already
/// shown too little diversity.
///
/// This is Algorithm 2 of Wu et al., "Hierarchical Pruning of Deep Ensembles with Focal Diversity"
/// (ACM TIST, 2023). docs/glossary.md maps the paper's symbols to our names.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "hqe/base/run.h"
#include "hqe/ensemble/team.h"

namespace hqe {

/// Which teams may be candidates at all.
struct Eligibility {
  Team required;                  ///< Members that every team must have.
  std::vector<ModelId> excluded;  ///< Members that no team may have.
  /// Nothing: no budget. Otherwise true for a team within it; must be true for every part of a team
  /// that it is true for (costs only grow).
  std::function<bool(TeamView)> within_budget;
};

struct HierarchicalOptions {
  /// S_d, the size of the teams wanted. In [2, model_count - 1].
  int desired_size = 5;
  /// Fraction of a tier to prune, in [0, 1): one value, or one a tier (S_d - 1 of them).
  std::vector<double> beta{0.1};
  /// A tier keeps at most this many teams.
  std::optional<std::uint64_t> keep;
  /// The last tier's candidates stay uncut (--keep holds all the same).
  bool keep_last_tier = false;
  /// A tier above this many candidates is refused before work on it starts.
  std::uint64_t max_candidates = 50'000'000;
  Eligibility eligibility;
};

/// Scores the candidates of one tier, one score a team, higher meaning more diverse. It is handed a
/// whole tier because a focal score is scaled against the other teams of its size.
using TierScorer = std::function<std::vector<double>(const TeamList& candidates)>;

/// What happened to the teams of one size.
struct Tier {
  int team_size = 0;
  TeamList candidates{1};      ///< In team order.
  std::vector<double> scores;  ///< One a candidate.
  std::vector<bool> kept;      ///< One a candidate; false = pruned.
  std::uint64_t pruned_count = 0;
  /// Never scored: they contain a pruned team. Nothing where it does not fit or cannot be counted.
  std::optional<std::uint64_t> cut_count;

  [[nodiscard]] std::uint64_t kept_count() const { return candidates.size() - pruned_count; }
};

/// Prunes the teams of `model_count` models down to the diverse ones of the desired size. Returns
/// one tier per size from max(2, |required|) to S_d; the last tier's kept teams are GEnsSet(Q,
/// S_d). An empty tier is followed by empty tiers.
///
/// Scores are compared after rounding to 12 decimals; among equals the later team is pruned first.
/// Candidates are grown from survivors, never by enumerating all teams.
///
/// Throws UsageError if an option is out of range or a tier would exceed max_candidates, naming the
/// count and the largest `keep` that is sure to fit. What `score_tier` throws passes through.
[[nodiscard]] std::vector<Tier> prune_hierarchically(int model_count, const TierScorer& score_tier,
                                                     const HierarchicalOptions& options,
                                                     const Run& run);

/// `score` rounded to 12 decimals, as scores are compared.
[[nodiscard]] double rounded_score(double score);

}  // namespace hqe
