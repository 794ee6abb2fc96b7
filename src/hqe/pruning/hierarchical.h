// SPDX-License-Identifier: MIT
/// Hierarchical pruning: grow teams one model at a time, and never grow a team that has already
/// shown too little diversity.
///
/// This is Algorithm 2 of Wu et al., "Hierarchical Pruning of Deep Ensembles with Focal Diversity"
/// (ACM TIST, 2023). docs/glossary.md maps the paper's symbols to our names.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "hqe/base/run.h"
#include "hqe/ensemble/team.h"
#include "hqe/pruning/eligibility.h"

namespace hqe {

class JoinedSurvivors;

struct HierarchicalOptions {
  /// S_d, the size of the teams wanted. In [2, model_count - 1].
  int desired_size = 5;
  /// Fraction of a tier to prune, in [0, 1): one value, or one a tier (S_d - 1 of them).
  std::vector<double> beta{0.1};
  /// A tier keeps at most this many teams, at least 1.
  std::optional<std::uint64_t> keep;
  /// The last tier's candidates stay uncut (`keep` holds all the same).
  bool keep_last_tier = false;
  /// A tier above this many candidates is refused before work on it starts.
  std::uint64_t max_candidates = 50'000'000;
  Eligibility eligibility;
};

/// Scores the candidates of one tier, one score a team, higher meaning more diverse. It is handed a
/// whole tier because a focal score is scaled against the other teams of its size.
using TierScorer = std::function<std::vector<double>(const TeamList& candidates)>;

/// The same of a tier that is too long to be held, in two passes over it. Both are told which
/// worker calls, as by parallel_for().
struct PassingScorer {
  /// Looks at some candidates; of all of them once, from several threads.
  std::function<void(const TeamList& some, int worker)> look_at;
  /// Called once all were looked at.
  std::function<void()> settle;
  /// Then scores them, some at a time, into a score each; from several threads. What is sure to lie
  /// below `floor` may be given as minus infinity.
  std::function<void(const TeamList& some, int worker, double floor, std::span<double> scores)>
      score;
};

/// What happened to the teams of one size.
struct Tier {
  int team_size = 0;
  TeamList candidates{1};      ///< In team order.
  std::vector<double> scores;  ///< One a candidate; empty where nobody will ask again.
  std::vector<bool> kept;      ///< One a candidate; false = pruned.
  std::uint64_t pruned_count = 0;
  /// Never scored: they contain a pruned team. Nothing where it does not fit or cannot be counted.
  std::optional<std::uint64_t> cut_count;
  /// Set where the candidates, their scores and who was kept are no longer held, or only those of
  /// the kept: how many they were.
  std::optional<std::uint64_t> forgotten_count;

  [[nodiscard]] std::uint64_t candidate_count() const {
    return forgotten_count.value_or(candidates.size());
  }
  [[nodiscard]] std::uint64_t kept_count() const { return candidate_count() - pruned_count; }
  /// Gives the memory of the pruned candidates back where they are the most, and keeps the numbers.
  void forget_pruned();
  /// Gives their memory back and keeps the numbers.
  void forget_teams() {
    forgotten_count = candidate_count();
    candidates = TeamList(std::max(1, team_size));
    scores = std::vector<double>();  // Not = {}, which keeps the room.
    kept = std::vector<bool>();
  }
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

/// The same, one tier at a time, for callers that share tiers between settings or do not know yet
/// how far to grow: tiers up to one size are the first tiers of every larger size.
///
/// Thread safety: const members may be called from several threads.
class HierarchicalPruning {
 public:
  /// Throws UsageError if an option is out of range.
  HierarchicalPruning(int model_count, HierarchicalOptions options);

  [[nodiscard]] const HierarchicalOptions& options() const { return options_; }
  /// The size of the first tier's teams: max(2, |required|).
  [[nodiscard]] int first_size() const;
  /// The beta of the tier of this size.
  [[nodiscard]] double beta(int team_size) const;
  /// How many of `candidate_count` candidates the tier of this size prunes.
  [[nodiscard]] std::uint64_t prune_count(int team_size, std::uint64_t candidate_count) const;

  /// The candidates that follow a tier, in team order: the teams one larger that contain no pruned
  /// team. `previous` null: of the first tier. Throws UsageError above max_candidates.
  [[nodiscard]] TeamList candidates(const Tier* previous, const Run& run) const;

  /// The tier that follows: its candidates scored and pruned, what they replace counted.
  [[nodiscard]] Tier next_tier(const Tier* previous, const TierScorer& score_tier,
                               const Run& run) const;

  /// The same where pruned candidates may be forgotten in tiers of more than `hold` candidates.
  /// Where few of those are kept, none is held to begin with, if there is a scorer for that:
  /// `passing` is asked for one by team size, and gives none where it has none.
  using PassingScorers = std::function<std::optional<PassingScorer>(int team_size)>;
  [[nodiscard]] Tier next_tier(const Tier* previous, const TierScorer& score_tier,
                               const PassingScorers& passing, std::uint64_t hold,
                               const Run& run) const;

  /// Decides again which candidates of a scored tier stay, as these options say. Requires: the tier
  /// has forgotten none of them.
  void prune_tier(Tier& tier, const Run& run) const;

 private:
  int model_count_;
  HierarchicalOptions options_;
  std::vector<ModelId> free_models_;

  struct Growth;
  [[nodiscard]] Growth grow(const Tier* previous, const Run& run) const;
  [[nodiscard]] Tier kept_in_passes(const JoinedSurvivors& candidates, const PassingScorer& passing,
                                    const Run& run) const;
};

/// `score` rounded to 12 decimals, as scores are compared.
[[nodiscard]] double rounded_score(double score);

}  // namespace hqe
