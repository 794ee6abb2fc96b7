// SPDX-License-Identifier: MIT
/// On which samples can teams differ, and who decides: the contested samples of a pool as short
/// vectors of margins (spec section 7). From these alone every team's exact correct count follows.
/// Implemented in contests.cpp, contest_builder.cpp, correct_counts.cpp, all_teams.cpp and
/// sureness.cpp.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "hqe/base/run.h"
#include "hqe/ensemble/team.h"
#include "hqe/ensemble/team_table.h"
#include "hqe/predictions/pool.h"
#include "hqe/scan/scan.h"
#include "hqe/votes/vote.h"

namespace hqe {

/// Of more models nobody counts every team.
inline constexpr int most_models_for_every_team = 24;

/// How much of a pool is contested.
struct ContestSummary {
  std::uint64_t samples = 0;
  std::uint64_t always_right = 0;  ///< No rival: every team is right.
  std::uint64_t contested = 0;     ///< At least one rival.
  std::uint64_t patterns = 0;      ///< Distinct contests; equal ones are kept once.
  std::uint64_t rivals = 0;        ///< Over the contested samples, dominated ones dropped.
};

/// The contested samples of a pool under one vote.
///
/// Keeps the class scores of the rivals, not the pool: where a sum of margins is too close to call,
/// the definition decides. Cheap to copy. Thread safety: const members may be called from several
/// threads. Memory: about 8 bytes a model and rival (12 for logits and float64).
class Contests {
 public:
  [[nodiscard]] const ContestSummary& summary() const;
  [[nodiscard]] int model_count() const;
  [[nodiscard]] const VoteRule& rule() const;

  /// Exact correct counts, one a team. Sorted teams share the work of common prefixes.
  /// O(rivals) a team, a few of them a cycle.
  [[nodiscard]] std::vector<std::uint64_t> correct_counts(const TeamList& teams,
                                                          const Run& run) const;
  [[nodiscard]] std::uint64_t correct_count(TeamView team) const;

  /// On which patterns the team is right: bit p % 64 of word p / 64 for pattern p, bits beyond the
  /// last pattern 0. Two teams compare pattern by pattern, weights() samples each.
  [[nodiscard]] std::vector<std::uint64_t> right_patterns(TeamView team) const;
  /// The same of several teams, team after team, all of them in one pass over the contests.
  [[nodiscard]] std::vector<std::uint64_t> right_patterns(const TeamTable& teams,
                                                          const Run& run) const;
  /// How surely the team is right on each pattern, in 2^-20ths: the logistic function, of width
  /// 0.1, of how far the true class is ahead of its strongest rival in the team's vote, as a share
  /// of the whole vote, rounded to 1024ths; where labels vote, no more than two mean votes ahead or
  /// behind. The same on every machine.
  [[nodiscard]] std::vector<std::uint32_t> sureness(TeamView team) const;
  /// How many samples share each pattern. Their sum is summary().contested.
  [[nodiscard]] std::span<const std::uint32_t> weights() const;

  /// Exact correct counts of all 2^M teams, indexed by bit mask (bit m = model m; entry 0 is 0).
  /// Requires: model_count() <= most_models_for_every_team.
  [[nodiscard]] std::vector<std::uint32_t> correct_counts_of_all_teams(const Run& run) const;

  struct Data;  ///< Private to evaluation/.
  explicit Contests(std::shared_ptr<const Data> data);
  [[nodiscard]] const Data& data() const { return *data_; }

 private:
  std::shared_ptr<const Data> data_;
};

/// Where the samples of a part of a pool stand in the whole, whose contests are known.
struct ContestPart {
  Contests whole;
  std::span<const std::uint64_t> samples;
};

/// Collects the contests of a pool during its scan.
///
/// Plurality with ties by accuracy and votes weighted by accuracy need the models' correct counts,
/// which are only known after the scan; finish() fills them in.
class ContestBuilder : public BlockConsumer {
 public:
  /// Pass the models' correct counts on another (selection) pool, and its number of samples, to use
  /// those instead of this pool's. `part`: the pool is these samples of another one, in this order,
  /// with all its models; their scores are then not read again.
  explicit ContestBuilder(VoteOptions options, std::vector<std::uint64_t> selection_correct = {},
                          std::uint64_t selection_samples = 0,
                          std::optional<ContestPart> part = std::nullopt);
  ~ContestBuilder() override;

  /// Throws UsageError when the pool's kind does not allow the vote.
  void start(const Pool& pool, int worker_count) override;
  void consume(const Block& block, int worker) override;
  /// Throws UsageError when the weights are unusable.
  void finish() override;

  /// Requires: finish() was called.
  [[nodiscard]] Contests contests() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace hqe
