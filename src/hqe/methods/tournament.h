// SPDX-License-Identifier: MIT
/// The rounds of a comparison: each lets every method choose on one set of samples. Private to
/// methods/.

#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "hqe/base/run.h"
#include "hqe/methods/choose.h"
#include "hqe/search/search_space.h"

namespace hqe {

/// One bar of progress for all rounds, whatever their pieces report.
class Tournament {
 public:
  /// Requires: both outlive the tournament. `rounds` is how many will be played.
  Tournament(const CompareOptions& options, const Run& run, int rounds);
  Tournament(const Tournament&) = delete;
  Tournament& operator=(const Tournament&) = delete;

  /// For work on the caller's thread.
  [[nodiscard]] const Run& run() const { return reporting_; }

  /// Rounds of these numbers, several at a time where there are threads for it: on the samples of
  /// `whole`, and on splits of them in halves.
  [[nodiscard]] std::vector<Round> play(SearchSpace& whole, const PruneOptions& prune,
                                        const std::vector<int>& numbers);

 private:
  [[nodiscard]] Round play_whole(SearchSpace& whole);
  [[nodiscard]] std::vector<Round> play_splits(const SearchSpace& whole, const PruneOptions& prune,
                                               const std::vector<int>& splits);
  [[nodiscard]] Round play_split(const SearchSpace& whole, const PruneOptions& prune, int split,
                                 const Run& run);
  void report();

  const CompareOptions& options_;
  const Run& run_;
  std::uint64_t total_;  ///< In parts of a round.
  /// What each piece of work of a round costs against the others: as the round of the entire pool
  /// found, alike before.
  std::vector<double> costs_;
  std::atomic<std::uint64_t> done_ = 0;
  std::atomic<bool> is_cancelled_ = false;
  /// Of the entire pool; nothing where a half's teams may answer otherwise.
  std::optional<std::uint64_t> whole_sum_;
  Run reporting_;
};

}  // namespace hqe
