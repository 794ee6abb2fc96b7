// SPDX-License-Identifier: MIT
/// The rounds of a comparison: each lets every method choose on one set of samples. Private to
/// methods/.

#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "hqe/base/run.h"
#include "hqe/methods/choose.h"
#include "hqe/search/search_space.h"

namespace hqe {

/// What one split of the samples showed.
struct Round {
  std::vector<MethodChoice> choices;
  std::uint64_t reference_test_correct = 0;
  std::uint64_t selection_samples = 0;
  std::uint64_t test_samples = 0;
};

/// One bar of progress for all rounds, whatever their pieces report.
class Tournament {
 public:
  /// Requires: both outlive the tournament. `rounds` is how many will be played.
  Tournament(const CompareOptions& options, const Run& run, int rounds);
  Tournament(const Tournament&) = delete;
  Tournament& operator=(const Tournament&) = delete;

  /// For work on the caller's thread.
  [[nodiscard]] const Run& run() const { return reporting_; }

  /// One round on the samples of `space`.
  [[nodiscard]] std::vector<MethodChoice> play(SearchSpace& space);

  /// A round for every split of the selection samples of `space` in halves, several at a time where
  /// there are threads for it.
  [[nodiscard]] std::vector<Round> play_splits(const SearchSpace& space, const PruneOptions& prune);

 private:
  [[nodiscard]] Round play_split(const SearchSpace& space, const PruneOptions& prune, int split,
                                 const Run& run);
  void report();

  const CompareOptions& options_;
  const Run& run_;
  std::uint64_t total_;
  std::atomic<std::uint64_t> done_ = 0;
  std::atomic<bool> is_cancelled_ = false;
  Run reporting_;
};

}  // namespace hqe
