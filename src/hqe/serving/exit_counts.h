// SPDX-License-Identifier: MIT
/// Which sets of a small team's members decide a sample. Private to serving/.

#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "hqe/base/run.h"
#include "hqe/serving/early_exit.h"
#include "hqe/serving/exit_rule.h"

namespace hqe {

/// Sets of members as numbers: bit m = member m.
inline constexpr std::size_t most_sets = std::size_t{1} << most_members_of_every_order;
using DecidingSets = std::bitset<most_sets>;

/// Finds the sets that decide a sample, as a Voter would. Reuses its memory: one a thread.
class DecidingSetFinder {
 public:
  /// Requires: at most most_members_of_every_order members.
  explicit DecidingSetFinder(const TeamVote& vote);

  /// What one sample's members say, one label each.
  [[nodiscard]] DecidingSets of_labels(std::span<const std::int32_t> labels);
  /// Scores, member after member.
  [[nodiscard]] DecidingSets of_scores(std::span<const double> rows);

 private:
  [[nodiscard]] DecidingSets find_sets(std::span<const std::int32_t> labels);
  [[nodiscard]] bool decides(std::size_t set, std::span<const double> rows);

  TeamVote vote_;
  std::vector<Strength> strengths_;
  std::size_t members_;
  // One a set: who is in it, what it leaves, the lead that it needs.
  std::vector<std::vector<char>> is_in_;
  std::vector<Left> left_;
  std::vector<double> deciding_;
  std::vector<double> sums_;
  // Of one sample: the classes to which all members together give at least so much.
  std::vector<std::size_t> likely_;
  double unlikely_ = 0;
  std::vector<VoteTally> tallies_;
  std::unordered_map<std::uint64_t, DecidingSets> known_;  // By pattern of labels.
};

/// For each of the groups of samples, and each set of members, how many samples it leaves open;
/// [group][set]. `groups`: one of 0 and 1 a sample.
[[nodiscard]] std::array<std::vector<std::uint64_t>, 2> open_counts(
    const Pool& pool, const VoteRule& rule, TeamView team, std::span<const std::uint64_t> samples,
    std::span<const char> groups, const Run& run);

}  // namespace hqe
