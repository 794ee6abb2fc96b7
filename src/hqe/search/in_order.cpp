// SPDX-License-Identifier: MIT
#include "hqe/search/in_order.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "hqe/ensemble/team_columns.h"
#include "hqe/pruning/hierarchical.h"

namespace hqe {
namespace {

/// Millions are sorted, so a place is as short as it can be.
struct ListedPlace {
  std::uint32_t index;  ///< Among the teams of its size.
  std::uint32_t size;
};

int votes_at(const ListedTeams& teams, std::size_t index) {
  return teams.votes.empty() ? 0 : teams.votes[index];
}

/// Whether a team stands before another of the same size; `score` gives them as they are compared.
template <class Score>
bool stands_before(const ListedTeams& teams, const Score& score, std::uint32_t left,
                   std::uint32_t right) {
  const int left_votes = votes_at(teams, left), right_votes = votes_at(teams, right);
  if (left_votes != right_votes) return left_votes > right_votes;
  const double left_score = score(left), right_score = score(right);
  return left_score != right_score ? left_score > right_score : left < right;
}

/// Teams of several sizes are few.
std::vector<ListedPlace> order_of_sizes(const std::vector<ListedTeams>& sizes) {
  std::vector<ListedPlace> places;
  for (std::uint32_t size = 0; size < sizes.size(); ++size) {
    for (std::uint32_t i = 0; i < sizes[size].kept.places.size(); ++i) places.push_back({i, size});
  }
  const auto team_of = [&](const ListedPlace& place) {
    const ListedTeams& teams = sizes[place.size];
    return (*teams.list)[teams.kept.places[place.index]];
  };
  std::ranges::sort(places, [&](const ListedPlace& left, const ListedPlace& right) {
    const ListedTeams &one = sizes[left.size], &other = sizes[right.size];
    const int votes = votes_at(one, left.index), other_votes = votes_at(other, right.index);
    if (votes != other_votes) return votes > other_votes;
    const double score = rounded_score(one.kept.scores[left.index]);
    const double other_score = rounded_score(other.kept.scores[right.index]);
    if (score != other_score) return score > other_score;
    if (left.size == right.size) return left.index < right.index;
    return team_before(team_of(left), team_of(right));
  });
  return places;
}

/// What 32 bits tell of a team's place in the order: votes, then the score.
class OrderKeys {
 public:
  static constexpr int bucket_bits = 13;

  explicit OrderKeys(const ListedTeams& teams) : teams_(teams) {
    double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
    for (const double each : teams.kept.scores) {
      lowest = std::min(lowest, each);
      highest = std::max(highest, each);
    }
    // Rounding keeps the order.
    highest_ = rounded_score(highest);
    scale_ = static_cast<double>((1 << score_bits) - 1) / (highest_ - rounded_score(lowest));
    if (!std::isfinite(scale_)) scale_ = 0;
    if (!teams.votes.empty()) most_votes_ = *std::ranges::max_element(teams.votes);
  }

  [[nodiscard]] double score(std::size_t i) const { return rounded_score(teams_.kept.scores[i]); }
  [[nodiscard]] std::uint32_t of(std::size_t i) const {
    const int fewer = std::min(most_votes_ - votes_at(teams_, i), (1 << vote_bits) - 1);
    // Neither step changes the order of two scores.
    const auto below = static_cast<std::uint32_t>((highest_ - score(i)) * scale_);
    return static_cast<std::uint32_t>(fewer) << score_bits | below;
  }
  [[nodiscard]] std::uint32_t bucket(std::size_t i) const { return of(i) >> (32 - bucket_bits); }

 private:
  static constexpr int vote_bits = 4, score_bits = 28;

  const ListedTeams& teams_;
  double highest_ = 0, scale_ = 0;
  int most_votes_ = 0;
};

/// Of one size: put into buckets by the first bits of their keys, then sorted there by all of them
/// and by comparing where these agree. Keys are held of one bucket at a time.
std::vector<std::uint32_t> order_of(const ListedTeams& teams, const Run& run) {
  constexpr std::size_t bucket_count = std::size_t{1} << OrderKeys::bucket_bits;
  const std::size_t count = teams.kept.places.size();
  const OrderKeys keys(teams);
  std::vector<std::size_t> ends(bucket_count + 1, 0);
  for (std::size_t i = 0; i < count; ++i) ++ends[keys.bucket(i) + 1];
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  std::vector<std::uint32_t> order(count);
  for (std::uint32_t i = 0; i < count; ++i) order[ends[keys.bucket(i)]++] = i;
  struct Keyed {
    std::uint32_t key, index;
  };
  std::vector<std::vector<Keyed>> scratch(static_cast<std::size_t>(run.thread_count()));
  parallel_for(run, "", bucket_count, 64, [&](std::uint64_t from, std::uint64_t to, int worker) {
    std::vector<Keyed>& sorted = scratch[static_cast<std::size_t>(worker)];
    for (std::size_t bucket = from; bucket < to; ++bucket) {
      const std::size_t begin = bucket == 0 ? 0 : ends[bucket - 1];
      const auto those = std::span(order).subspan(begin, ends[bucket] - begin);
      if (those.size() < 2) continue;
      sorted.clear();
      for (const std::uint32_t index : those) sorted.push_back({keys.of(index), index});
      std::ranges::sort(sorted, [&](const Keyed& left, const Keyed& right) {
        if (left.key != right.key) return left.key < right.key;
        const auto score = [&](std::uint32_t i) { return keys.score(i); };
        return stands_before(teams, score, left.index, right.index);
      });
      std::ranges::transform(sorted, those.begin(), &Keyed::index);
    }
  });
  return order;
}

/// A column of one size in order.
template <class Value>
std::vector<Value> picked(const std::vector<Value>& column,
                          const std::vector<std::uint32_t>& places) {
  std::vector<Value> result;
  if (column.empty()) return result;
  result.resize(places.size());
  std::ranges::transform(places, result.begin(),
                         [&](std::uint32_t place) { return column[place]; });
  return result;
}

/// Puts a column in order where it stands. Uses up the order.
void put_in_order(std::vector<double>& column, std::vector<std::uint32_t> order) {
  for (std::uint32_t first = 0; first < order.size(); ++first) {
    if (order[first] == first) continue;
    const double value = column[first];
    std::uint32_t at = first;
    while (order[at] != first) {
      const std::uint32_t next = order[at];
      column[at] = column[next];
      order[at] = at;
      at = next;
    }
    column[at] = value;
    order[at] = at;
  }
}

/// Millions of teams are of one size: what nobody asks for again makes room for what comes.
SelectedTeams one_size_in_order(ListedTeams teams, const Run& run) {
  std::vector<std::uint32_t> order = order_of(teams, run);
  SelectedTeams selected;
  selected.votes = picked(teams.votes, order);
  teams.votes = std::vector<int>();
  std::vector<std::uint32_t> places = picked(teams.kept.places, order);
  teams.kept.places = std::vector<std::uint32_t>();
  put_in_order(teams.kept.scores, std::move(order));
  selected.scores = std::move(teams.kept.scores);
  if (teams.values->correct) selected.correct = picked(*teams.values->correct, places);
  if (teams.values->test_correct)
    selected.test_correct = picked(*teams.values->test_correct, places);
  selected.merit = picked(teams.values->merit, places);
  selected.test_merit = picked(teams.values->test_merit, places);
  selected.teams = {std::move(teams.list), std::move(places)};
  return selected;
}

}  // namespace

SelectedTeams in_order(std::vector<ListedTeams> sizes, const Run& run) {
  if (sizes.size() == 1) return one_size_in_order(std::move(sizes.front()), run);
  const std::vector<ListedPlace> entries = order_of_sizes(sizes);
  SelectedTeams selected;
  // `column` gives that of the figures of one size, or null.
  const auto take = [&](auto& into, const auto& column) {
    for (const ListedPlace& entry : entries) {
      const ListedTeams& from = sizes[entry.size];
      const auto* values = column(*from.values);
      if (values == nullptr || values->empty()) return;
      into.push_back((*values)[from.kept.places[entry.index]]);
    }
  };
  take(selected.correct, [](const TeamValues& of) { return of.correct.get(); });
  take(selected.test_correct, [](const TeamValues& of) { return of.test_correct.get(); });
  take(selected.merit, [](const TeamValues& of) { return &of.merit; });
  take(selected.test_merit, [](const TeamValues& of) { return &of.test_merit; });
  for (const ListedPlace& entry : entries) {
    const ListedTeams& from = sizes[entry.size];
    selected.teams.push_back((*from.list)[from.kept.places[entry.index]]);
    selected.scores.push_back(from.kept.scores[entry.index]);
    if (!from.votes.empty()) selected.votes.push_back(from.votes[entry.index]);
  }
  return selected;
}

}  // namespace hqe
