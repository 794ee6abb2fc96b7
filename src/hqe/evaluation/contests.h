// SPDX-License-Identifier: MIT
/// On which samples can teams differ, and who decides: the contested samples of a pool as short
/// vectors of margins (spec section 7). From these alone every team's exact correct count follows.

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "hqe/base/run.h"
#include "hqe/ensemble/team.h"
#include "hqe/evaluation/vote.h"
#include "hqe/predictions/scan.h"

namespace hqe {

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
/// Holds on to the pool's arrays: where a sum of margins is too close to call, the sample is read
/// again and decided literally. Thread safety: const members may be called from several threads.
class Contests {
 public:
  [[nodiscard]] const ContestSummary& summary() const;
  [[nodiscard]] int model_count() const;
  [[nodiscard]] const VoteRule& rule() const;

  /// Exact correct counts, one a team. Sorted teams share the work of common prefixes.
  [[nodiscard]] std::vector<std::uint64_t> correct_counts(const TeamList& teams,
                                                          const Run& run) const;
  [[nodiscard]] std::uint64_t correct_count(TeamView team) const;

  /// Exact correct counts of all 2^M teams, indexed by bit mask (bit m = model m; entry 0 is 0).
  /// Requires: model_count() <= 24.
  [[nodiscard]] std::vector<std::uint32_t> correct_counts_of_all_teams(const Run& run) const;

  struct Data;  ///< Private to evaluation/.
  explicit Contests(std::shared_ptr<const Data> data);
  [[nodiscard]] const Data& data() const { return *data_; }

 private:
  std::shared_ptr<const Data> data_;
};

/// Collects the contests of a pool during its scan.
///
/// Plurality with ties by accuracy needs the models' correct counts, which are only known after the
/// scan; finish() fills them in. Pass `correct` to use those of another (selection) pool instead.
class ContestBuilder : public BlockConsumer {
 public:
  explicit ContestBuilder(VoteOptions options, std::vector<std::uint64_t> selection_correct = {});
  ~ContestBuilder() override;

  void start(const Pool& pool, int worker_count) override;
  void consume(const Block& block, int worker) override;
  void finish() override;

  /// Requires: finish() was called.
  [[nodiscard]] Contests contests() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace hqe
