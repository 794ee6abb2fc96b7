// SPDX-License-Identifier: MIT
#include "hqe/pruning/consensus.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>

#include "hqe/pruning/hierarchical.h"

namespace hqe {
namespace {

/// The teams of all opinions, each once, in team order.
TeamList teams_of(std::span<const Opinion> opinions) {
  std::vector<TeamView> teams;
  for (const Opinion& opinion : opinions) {
    for (std::size_t i = 0; i < opinion.teams.size(); ++i) teams.push_back(opinion.teams[i]);
  }
  const auto before = [](TeamView left, TeamView right) {
    return std::ranges::lexicographical_compare(left, right);
  };
  std::ranges::sort(teams, before);
  TeamList each(opinions.empty() ? 1 : opinions.front().teams.team_size());
  for (std::size_t i = 0; i < teams.size(); ++i) {
    if (i == 0 || before(teams[i - 1], teams[i])) each.push_back(teams[i]);
  }
  return each;
}

/// An opinion in the order of a list.
struct Placed {
  std::vector<std::uint32_t> places;
  std::vector<double> scores;
};

Placed placed(const Opinion& opinion, const TeamList& list) {
  std::vector<std::uint32_t> order(opinion.teams.size());
  std::iota(order.begin(), order.end(), std::uint32_t{0});
  std::ranges::sort(order, [&](std::uint32_t left, std::uint32_t right) {
    return std::ranges::lexicographical_compare(opinion.teams[left], opinion.teams[right]);
  });
  Placed result;
  std::uint32_t at = 0;
  for (const std::uint32_t i : order) {
    while (!std::ranges::equal(list[at], opinion.teams[i])) ++at;
    result.places.push_back(at);
    result.scores.push_back(opinion.scores[i]);
  }
  return result;
}

}  // namespace

AgreedPlaces agreed_places(std::span<const PlacedOpinion> opinions) {
  constexpr std::uint32_t end = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::size_t> next(opinions.size(), 0);
  const auto place_at = [&](std::size_t i) {
    const std::span<const std::uint32_t> places = opinions[i].places;
    return next[i] < places.size() ? places[next[i]] : end;
  };
  AgreedPlaces agreed;
  std::size_t most = 0;
  for (const PlacedOpinion& opinion : opinions) most = std::max(most, opinion.places.size());
  agreed.places.reserve(most);
  agreed.votes.reserve(most);
  agreed.scores.reserve(most);
  while (true) {
    std::uint32_t place = end;
    for (std::size_t i = 0; i < opinions.size(); ++i) place = std::min(place, place_at(i));
    if (place == end) return agreed;
    int votes = 0;
    double sum = 0;
    for (std::size_t i = 0; i < opinions.size(); ++i) {
      if (place_at(i) != place) continue;
      ++votes;
      sum += opinions[i].scores[next[i]++];
    }
    if (2 * static_cast<std::size_t>(votes) <= opinions.size()) continue;
    agreed.places.push_back(place);
    agreed.votes.push_back(votes);
    agreed.scores.push_back(sum / votes);
  }
}

std::vector<ConsensusTeam> consensus(std::span<const Opinion> opinions) {
  const TeamList teams = teams_of(opinions);
  std::vector<Placed> lists;
  for (const Opinion& opinion : opinions) lists.push_back(placed(opinion, teams));
  std::vector<PlacedOpinion> views;
  for (const Placed& list : lists) views.push_back({list.places, list.scores});
  const AgreedPlaces agreed = agreed_places(views);
  std::vector<ConsensusTeam> ordered;
  ordered.reserve(agreed.places.size());
  for (std::size_t i = 0; i < agreed.places.size(); ++i) {
    ordered.push_back({Team(teams[agreed.places[i]]), agreed.votes[i], agreed.scores[i]});
  }
  std::ranges::stable_sort(ordered, [](const ConsensusTeam& left, const ConsensusTeam& right) {
    if (left.votes != right.votes) return left.votes > right.votes;
    return rounded_score(left.score) > rounded_score(right.score);
  });
  return ordered;
}

}  // namespace hqe
