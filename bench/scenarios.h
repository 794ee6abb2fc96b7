// SPDX-License-Identifier: MIT
/// The scenarios that bench/run times. Each returns figures by name; each that computes an answer
/// first checks a sample of it against the literal definition, and throws where they differ.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "hqe/hqe.h"

namespace hqe::bench {

using Figures = std::map<std::string, double>;

/// What a scenario may be told on the command line, as NAME=VALUE.
struct Settings {
  std::string folder;
  int threads = 0;
  int repeats = 3;
  int size = 5;            ///< Of teams.
  std::uint64_t keep = 0;  ///< 0 = all.
  int draws = 6;           ///< Teams that are checked.
  /// Answers to check, "0,2,5:9123" = the team of models 0, 2 and 5 is right 9123 times.
  std::vector<std::string> teams;

  [[nodiscard]] Run run() const { return {.threads = threads}; }
};

/// Models, samples and classes of the pool, the share of contested samples and their rivals.
[[nodiscard]] Figures describe(const Settings& settings);
/// Draws teams and compares focal diversities and correct counts with the literal definitions.
[[nodiscard]] Figures check_drawn_teams(const Settings& settings);
/// Compares the answers of Settings::teams with a literal vote on every sample.
[[nodiscard]] Figures check_given_teams(const Settings& settings);

/// Every 32-bit word of a pool's files added up, mapped: what reading costs at least.
[[nodiscard]] Figures plain_sum(const Settings& settings);
/// F-CK, F-BD, F-KW and F-GD of the teams of sizes 2..M-1, from opened predictions.
[[nodiscard]] Figures all_scores(const Settings& settings);
/// Exact accuracy of all 2^M - 1 teams, after the pass.
[[nodiscard]] Figures all_teams(const Settings& settings);
/// Co-failure triples and agreements.
[[nodiscard]] Figures triple_counts(const Settings& settings);
/// Opening and pruning hierarchically, four metrics.
[[nodiscard]] Figures hierarchical(const Settings& settings);
/// Per team size: without pruning (BD, GD, F-BD, F-GD of every team) and with (F-BD, F-GD).
[[nodiscard]] Figures tiers(const Settings& settings);
/// A team of a size by greedy selection under pluralities, from opened predictions, on the whole
/// pool and on one half of it: `mask` has bit m for model m of the first.
[[nodiscard]] Figures greedy(const Settings& settings);
/// Exact accuracy of all teams of a size, and writing it as JSON and as CSV.
[[nodiscard]] Figures output(const Settings& settings);

/// Throws if a correct count differs from the literal vote on every sample.
void check_correct_counts(const Pool& pool, const VoteRule& rule, const std::vector<Team>& teams,
                          const std::vector<std::uint64_t>& counts);
/// Throws if a focal diversity of some team differs from the literal one by more than 1e-12.
void check_focal_scores(const Pool& pool, const FocalSource& source, const TeamList& teams);

/// The most anonymous memory since it was made, in MB: what the process held beyond mapped files.
class MemoryWatch {
 public:
  MemoryWatch();
  ~MemoryWatch();
  MemoryWatch(const MemoryWatch&) = delete;
  MemoryWatch& operator=(const MemoryWatch&) = delete;
  [[nodiscard]] double peak_megabytes() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Seconds that `work` takes, the median of `repeats`.
double median_seconds(int repeats, const std::function<void()>& work);

}  // namespace hqe::bench
