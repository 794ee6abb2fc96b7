// SPDX-License-Identifier: MIT
/// The scenarios that bench/run times. Each prepares, checks a sample of its answer against the
/// literal definition, then measures; each returns figures by name.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "hqe/hqe.h"

namespace hqe::bench {

using Figures = std::map<std::string, double>;

/// Seconds to add up every 32-bit word of a pool's files, mapped, on `threads` threads: what
/// reading costs at least.
[[nodiscard]] Figures plain_sum(const std::string& folder, int threads);

/// All focal scores (F-CK, F-BD, F-KW, F-GD) of the teams of sizes 2..M-1, from opened predictions.
[[nodiscard]] Figures all_scores(const std::string& folder, int threads, int repeats);

/// Exact accuracy of all 2^M - 1 teams, after the pass.
[[nodiscard]] Figures all_teams(const std::string& folder, int threads, int repeats);

/// Co-failure triples and agreements of a wide pool.
[[nodiscard]] Figures triple_counts(const std::string& folder, int threads, int repeats);

/// Hierarchical pruning in one call, with `keep`.
[[nodiscard]] Figures hierarchical(const std::string& folder, int threads, int size,
                                   std::uint64_t keep, int repeats);

/// Per team size: seconds without pruning (BD, GD, F-BD, F-GD of every team) and with (F-BD, F-GD).
[[nodiscard]] Figures tiers(const std::string& folder, int threads, int largest_size, int repeats);

/// Throws if `counts` of some teams, drawn with a fixed seed, differ from the literal vote on every
/// sample of the pool (or of its first `samples`, when all would take too long).
void check_correct_counts(const Pool& pool, const Contests& contests,
                          const std::vector<Team>& teams, const std::vector<std::uint64_t>& counts);

/// Anonymous memory in use, in MB: what the process holds beyond mapped files.
[[nodiscard]] double anonymous_megabytes();

/// The most it has been since start.
class MemoryWatch {
 public:
  MemoryWatch();
  ~MemoryWatch();
  [[nodiscard]] double peak_megabytes() const;

 private:
  struct State;
  State* state_;
};

/// Seconds that `work` takes, the median of `repeats`.
double median_seconds(int repeats, const std::function<void()>& work);

}  // namespace hqe::bench
