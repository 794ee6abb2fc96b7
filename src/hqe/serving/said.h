// SPDX-License-Identifier: MIT
/// What a team's members say of one sample. Private to serving/.

#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "hqe/scan/scan.h"
#include "hqe/serving/exit_rule.h"

namespace hqe {

/// Reuses its memory: one a thread.
struct Said {
  Said(const Pool& from, TeamVote settled, TeamView members)
      : pool(&from), vote(std::move(settled)), team(members), everybody(team.size(), char{1}) {
    if (vote.has_scores) {
      sums.resize(static_cast<std::size_t>(vote.class_count));
      rows.resize(sums.size() * team.size());
    } else {
      labels.resize(team.size());
      strengths = strengths_of(vote);
      tallies.reserve(team.size());
    }
  }

  void read(std::uint64_t sample) {
    for (std::size_t m = 0; m < team.size(); ++m) {
      if (vote.has_scores) {
        class_scores(*pool, team[m], sample, std::span(rows).subspan(m * sums.size(), sums.size()));
      } else {
        labels[m] = predicted_label(*pool, team[m], sample);
      }
    }
  }
  VoteOutcome outcome(std::span<const char> is_in, const Left& left) {
    if (vote.has_scores) {
      add_up_scores(vote, rows, is_in, sums);
      return outcome_of_scores(vote, sums, left);
    }
    tally_labels(vote, strengths, labels, is_in, tallies);
    return outcome_of_tallies(vote, tallies, left);
  }
  /// Votes of scores: what one member gives each class.
  [[nodiscard]] std::span<const double> row(std::size_t member) const {
    return std::span(rows).subspan(member * sums.size(), sums.size());
  }

  const Pool* pool;
  TeamVote vote;
  TeamView team;
  std::vector<char> everybody;
  std::vector<Strength> strengths;
  std::vector<std::int32_t> labels;
  std::vector<VoteTally> tallies;
  std::vector<double> rows, sums;
};

/// The first members of an order, 0 to all of them, and what each such beginning leaves.
struct Beginnings {
  Beginnings(const TeamVote& vote, std::span<const std::size_t> order)
      : is_in(order.size() + 1, std::vector<char>(order.size())) {
    for (std::size_t k = 0; k <= order.size(); ++k) {
      for (std::size_t i = 0; i < k; ++i) is_in[k][order[i]] = 1;
      left.push_back(left_without(vote, is_in[k]));
    }
  }

  /// How many members of the order decide what was read.
  [[nodiscard]] std::size_t deciding(Said& said) const {
    // Decided stays decided, so the first that decides is found by halving.
    std::size_t open = 0, decided = is_in.size() - 1;
    while (decided - open > 1) {
      const std::size_t middle = open + (decided - open) / 2;
      (said.outcome(is_in[middle], left[middle]).decided ? decided : open) = middle;
    }
    return decided;
  }

  std::vector<std::vector<char>> is_in;
  std::vector<Left> left;
};

}  // namespace hqe
