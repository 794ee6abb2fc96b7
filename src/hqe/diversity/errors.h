// SPDX-License-Identifier: MIT
/// How strongly the errors of a team's members go together (spec section 6).

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "hqe/base/run.h"
#include "hqe/ensemble/team.h"
#include "hqe/predictions/pool.h"
#include "hqe/scan/scan.h"

namespace hqe {

/// The error correlation delta of a team: the mean over pairs of members of the Pearson correlation
/// of their failure indicators. Pairs with a member that always or never fails are skipped; nothing
/// if none remains. `co_failures` is a_ij, M x M, with a_ii = failures of i. O(S^2).
[[nodiscard]] std::optional<double> error_correlation(TeamView team, std::uint64_t sample_count,
                                                      std::span<const std::uint64_t> co_failures,
                                                      int model_count);

/// What every model gives the true class of every sample, kept while a pool is read.
///
/// Rides on the scan. Keeps nothing but of probabilities in rows of at least `shortest_row_bytes`,
/// so that nobody need wait for memory again, or map it, for one number a row; 4 bytes a model and
/// sample, at most `most_bytes`. Doubles are not kept.
class TruthShares : public BlockConsumer {
 public:
  static constexpr std::uint64_t most_bytes = std::uint64_t{64} << 20;
  static constexpr std::uint64_t shortest_row_bytes = 1024;

  void start(const Pool& pool, int worker_count) override;
  void consume(const Block& block, int worker) override;
  void finish() override {}

  /// False where nothing was kept.
  [[nodiscard]] bool has_samples() const { return shares_ != nullptr; }

  /// As class_scores() has it. Requires: has_samples(), the scan was finished.
  [[nodiscard]] double of(ModelId model, std::uint64_t sample) const {
    return static_cast<double>(shares_[model * sample_count_ + sample]);
  }

 private:
  std::uint64_t sample_count_ = 0;
  std::unique_ptr<float[]> shares_;  ///< [model * sample_count + sample].
};

/// The same of the posterior errors 1 - p(y), where p(y) is what a member gives the true class.
/// Reads the members' scores of the true classes again, where `kept` of the same pool has none; S
/// doubles a sample of memory. The same bits for any number of threads. Nothing also where the pool
/// has no scores.
[[nodiscard]] std::optional<double> posterior_error_correlation(const Pool& pool, TeamView team,
                                                                const Run& run,
                                                                const TruthShares* kept = nullptr);

/// The share of a single member's added error that an average of S members keeps when their errors
/// correlate by delta: (1 + (S - 1) delta) / S. Requires: team_size >= 1.
[[nodiscard]] double added_error_ratio(int team_size, double delta);

}  // namespace hqe
