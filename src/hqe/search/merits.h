// SPDX-License-Identifier: MIT
/// What teams are worth under another merit than accuracy.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hqe/base/run.h"
#include "hqe/decision/evidence.h"
#include "hqe/ensemble/team.h"
#include "hqe/evaluation/contests.h"
#include "hqe/predictions/pool.h"
#include "hqe/statistics/intervals.h"
#include "hqe/study/options.h"
#include "hqe/votes/vote.h"

namespace hqe {

/// Thread safety: const members may be called from several threads. Cheap to copy.
class Merits {
 public:
  /// Balanced: the mean over the classes that occur of the share of their samples that the vote
  /// gets right. Log-loss: minus the mean of -ln of the soft vote's share of the true class, which
  /// is taken to be at least 1e-15. Either reads the pool once more; log-loss keeps 8 bytes a model
  /// and sample. `selection_samples`: of the pool that the
  /// rule was settled on, for ties.
  /// Throws UsageError for log-loss without soft or weighted votes.
  Merits(Merit merit, const Pool& pool, const VoteRule& rule, std::uint64_t selection_samples,
         const Run& run);

  /// One value a team, higher is better, rounded to 12 decimals so that equals compare equal. The
  /// same bits for any number of threads. Log-loss: O(N S) a team; balanced as correct counts.
  [[nodiscard]] std::vector<double> of(const TeamList& teams) const;
  [[nodiscard]] double of(TeamView team) const;

  /// What `first` has more than `second`, sample by sample: the mean over the samples is the
  /// difference of their merits, up to rounding.
  [[nodiscard]] PairedValues difference(TeamView first, TeamView second) const;

  /// The samples as parts of the evidence, each class worth as much as any other. Empty for
  /// log-loss, which is no sum over right answers.
  [[nodiscard]] std::vector<EvidencePart> parts() const;
  /// Log-loss only: adds the teams' sums over the samples of each cell, which `seed` deals.
  void weigh(Evidence& evidence, const TeamTable& teams, std::uint64_t seed) const;

 private:
  struct ClassContests {
    std::uint64_t samples = 0;
    Contests contests;
  };
  [[nodiscard]] double log_loss(TeamView team) const;
  /// The soft vote's share of the true class of a sample.
  [[nodiscard]] double share(TeamView team, double weight, std::uint64_t sample) const;
  [[nodiscard]] double weight(TeamView team) const;
  /// What a right answer to a sample of this class counts, so that all classes count the same.
  [[nodiscard]] double worth(const ClassContests& one) const;

  Run run_;
  std::shared_ptr<const std::vector<ClassContests>> classes_;  ///< Balanced only.
  /// Log-loss only: [model][sample], each model's share of the true class times its weight.
  std::shared_ptr<const std::vector<double>> shares_;
  std::vector<double> weights_;
  std::uint64_t sample_count_ = 0;
};

/// "91.06 %", "a log-loss of 0.2694".
[[nodiscard]] std::string worth_text(Merit merit, double worth);
/// "0.31 points", "a log-loss of 0.0123": how far two merits are apart.
[[nodiscard]] std::string distance_text(Merit merit, double difference);

/// None for accuracy, which is counted exactly elsewhere.
[[nodiscard]] std::optional<Merits> merits_of(Merit merit, const Pool& pool, const VoteRule& rule,
                                              std::uint64_t selection_samples, const Run& run);

}  // namespace hqe
