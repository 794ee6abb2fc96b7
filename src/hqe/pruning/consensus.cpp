// SPDX-License-Identifier: MIT
#include "hqe/pruning/consensus.h"

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "hqe/pruning/hierarchical.h"

namespace hqe {
namespace {

/// Walks the teams of one opinion in team order.
class Cursor {
 public:
  explicit Cursor(const Opinion& opinion) : opinion_(opinion), order_(opinion.teams.size()) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    const auto before = [&](std::size_t left, std::size_t right) {
      return std::ranges::lexicographical_compare(opinion.teams[left], opinion.teams[right]);
    };
    if (!std::ranges::is_sorted(order_, before)) std::ranges::sort(order_, before);
  }
  [[nodiscard]] bool done() const { return next_ == order_.size(); }
  [[nodiscard]] TeamView team() const { return opinion_.teams[order_[next_]]; }
  [[nodiscard]] double score() const { return opinion_.scores[order_[next_]]; }
  void advance() { ++next_; }

 private:
  const Opinion& opinion_;
  std::vector<std::size_t> order_;
  std::size_t next_ = 0;
};

/// The earliest team that any cursor is at; empty when all are done.
TeamView earliest(const std::vector<Cursor>& cursors) {
  TeamView team;
  for (const Cursor& cursor : cursors) {
    if (cursor.done()) continue;
    if (team.empty() || std::ranges::lexicographical_compare(cursor.team(), team)) {
      team = cursor.team();
    }
  }
  return team;
}

}  // namespace

AgreedTeams agreed_teams(std::span<const Opinion> opinions) {
  std::vector<Cursor> cursors;
  for (const Opinion& opinion : opinions) cursors.emplace_back(opinion);
  AgreedTeams agreed;
  if (!opinions.empty()) agreed.teams = TeamList(opinions.front().teams.team_size());
  for (TeamView team = earliest(cursors); !team.empty(); team = earliest(cursors)) {
    int votes = 0;
    double sum = 0;
    for (Cursor& cursor : cursors) {
      if (cursor.done() || !std::ranges::equal(cursor.team(), team)) continue;
      ++votes;
      sum += cursor.score();
      cursor.advance();
    }
    if (2 * static_cast<std::size_t>(votes) <= opinions.size()) continue;
    agreed.teams.push_back(team);
    agreed.votes.push_back(votes);
    agreed.scores.push_back(sum / votes);
  }
  return agreed;
}

std::vector<ConsensusTeam> consensus(std::span<const Opinion> opinions) {
  const AgreedTeams agreed = agreed_teams(opinions);
  std::vector<ConsensusTeam> ordered;
  ordered.reserve(agreed.teams.size());
  for (std::size_t i = 0; i < agreed.teams.size(); ++i) {
    ordered.push_back({Team(agreed.teams[i]), agreed.votes[i], agreed.scores[i]});
  }
  std::ranges::stable_sort(ordered, [](const ConsensusTeam& left, const ConsensusTeam& right) {
    if (left.votes != right.votes) return left.votes > right.votes;
    return rounded_score(left.score) > rounded_score(right.score);
  });
  return ordered;
}

}  // namespace hqe
