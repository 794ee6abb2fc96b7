// SPDX-License-Identifier: MIT
#include "hqe/search/kept_teams.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>

#include "hqe/diversity/metric.h"
#include "hqe/search/team_columns.h"

namespace hqe {
namespace {

/// Walks the teams of a tier, or those that it kept.
class Cursor {
 public:
  explicit Cursor(const ListedTier& listed) : tier_(listed.tier), with_pruned_(listed.with_pruned) {
    skip_pruned();
  }

  [[nodiscard]] bool done() const { return at_ == tier_->candidates.size(); }
  [[nodiscard]] TeamView team() const { return tier_->candidates[at_]; }
  [[nodiscard]] double score() const { return tier_->scores[at_]; }
  [[nodiscard]] bool is_kept() const { return tier_->kept[at_]; }
  [[nodiscard]] bool is_before(const Cursor& other) const {
    return leading_ != other.leading_ ? leading_ < other.leading_
                                      : team_before(team(), other.team());
  }
  [[nodiscard]] bool is_at(const Cursor& other) const {
    return leading_ == other.leading_ && std::ranges::equal(team(), other.team());
  }
  void advance() {
    ++at_;
    skip_pruned();
  }

 private:
  void skip_pruned() {
    while (!with_pruned_ && !done() && !tier_->kept[at_]) ++at_;
    if (!done()) leading_ = leading_members(team());
  }

  const Tier* tier_;
  bool with_pruned_;
  std::size_t at_ = 0;
  std::uint64_t leading_ = 0;
};

/// Bit i: the tier i has the team. A metric has one tier of a size.
using TierSet = std::uint16_t;
static_assert(metric_rows.size() <= 16);

std::vector<Cursor> cursors_of(std::span<const ListedTier> tiers) {
  return {tiers.begin(), tiers.end()};
}

/// Which tiers have each team, in team order. Lists of millions would be moved, and stand twice,
/// while they grow; this is short, and tells how long they will be.
std::vector<TierSet> tiers_of_teams(std::span<const ListedTier> tiers) {
  assert(tiers.size() <= 16);
  std::vector<TierSet> sets;
  std::vector<Cursor> cursors = cursors_of(tiers);
  while (true) {
    const Cursor* first = nullptr;
    TierSet those = 0;
    for (std::size_t i = 0; i < cursors.size(); ++i) {
      const Cursor& cursor = cursors[i];
      if (cursor.done()) continue;
      if (first == nullptr || cursor.is_before(*first)) {
        first = &cursor;
        those = static_cast<TierSet>(1U << i);
      } else if (cursor.is_at(*first)) {
        those = static_cast<TierSet>(those | 1U << i);
      }
    }
    if (first == nullptr) return sets;
    sets.push_back(those);
    for (std::size_t i = 0; i < cursors.size(); ++i) {
      if (those >> i & 1) cursors[i].advance();
    }
  }
}

}  // namespace

KeptTeams kept_together(std::span<const ListedTier> tiers) {
  const std::vector<TierSet> sets = tiers_of_teams(tiers);
  KeptTeams kept{.teams = nullptr,
                 .is_kept = std::vector<bool>(sets.size(), false),
                 .searches = std::vector<KeptTeams::OfSearch>(tiers.size())};
  for (std::size_t i = 0; i < tiers.size(); ++i) {
    kept.searches[i].places.reserve(tiers[i].tier->kept_count());
    if (!tiers[i].scores_to_take) kept.searches[i].scores.reserve(tiers[i].tier->kept_count());
  }
  TeamList teams(std::max(1, tiers.front().tier->team_size));
  teams.reserve(sets.size());
  std::vector<Cursor> cursors = cursors_of(tiers);
  for (std::size_t place = 0; place < sets.size(); ++place) {
    teams.push_back(cursors[static_cast<std::size_t>(std::countr_zero(sets[place]))].team());
    for (TierSet left = sets[place]; left != 0; left = static_cast<TierSet>(left & (left - 1))) {
      const auto i = static_cast<std::size_t>(std::countr_zero(left));
      if (cursors[i].is_kept()) {
        KeptTeams::OfSearch& own = kept.searches[i];
        kept.is_kept[place] = true;
        // What is taken moves up to where scores have been read already.
        if (tiers[i].scores_to_take) {
          (*tiers[i].scores_to_take)[own.places.size()] = cursors[i].score();
        } else {
          own.scores.push_back(cursors[i].score());
        }
        own.places.push_back(static_cast<std::uint32_t>(place));
      }
      cursors[i].advance();
    }
  }
  for (std::size_t i = 0; i < tiers.size(); ++i) {
    if (!tiers[i].scores_to_take) continue;
    tiers[i].scores_to_take->resize(kept.searches[i].places.size());
    kept.searches[i].scores = std::move(*tiers[i].scores_to_take);
  }
  kept.teams = std::make_shared<const TeamList>(std::move(teams));
  return kept;
}

TeamValues values_of_teams(const TeamList& teams, const Counters& counters) {
  const auto counts = [&](const CountedTeams* counted) {
    return counted == nullptr ? nullptr : counted->shared_counts_of(teams);
  };
  const auto merits = [&](const Merits* merit) {
    return merit == nullptr ? std::vector<double>{} : merit->of(teams);
  };
  return {.correct = counts(counters.correct),
          .test_correct = counts(counters.test_correct),
          .merit = merits(counters.merit),
          .test_merit = merits(counters.test_merit)};
}

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

/// Of one size: first by what 32 bits tell of votes and score, put into buckets by the first bits
/// and sorted there, which takes no second list; then by comparing where these agree.
std::vector<std::uint32_t> order_of(const ListedTeams& teams) {
  constexpr int vote_bits = 4, score_bits = 28, bucket_bits = 13;
  const std::size_t count = teams.kept.places.size();
  const auto score = [&](std::size_t i) { return rounded_score(teams.kept.scores[i]); };
  double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
  for (const double each : teams.kept.scores) {
    lowest = std::min(lowest, each);
    highest = std::max(highest, each);
  }
  // Rounding keeps the order.
  lowest = rounded_score(lowest);
  highest = rounded_score(highest);
  // Neither step changes the order of two scores.
  double scale = static_cast<double>((1 << score_bits) - 1) / (highest - lowest);
  if (!std::isfinite(scale)) scale = 0;
  const int most_votes = teams.votes.empty() ? 0 : *std::ranges::max_element(teams.votes);
  struct Keyed {
    std::uint32_t key, index;
  };
  const auto key_of = [&](std::size_t i) {
    const int fewer = std::min(most_votes - votes_at(teams, i), (1 << vote_bits) - 1);
    const auto below = static_cast<std::uint32_t>((highest - score(i)) * scale);
    return static_cast<std::uint32_t>(fewer) << score_bits | below;
  };
  const auto bucket_of = [](std::uint32_t key) { return key >> (32 - bucket_bits); };
  std::vector<std::size_t> ends((std::size_t{1} << bucket_bits) + 1, 0);
  for (std::size_t i = 0; i < count; ++i) ++ends[bucket_of(key_of(i)) + 1];
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  std::vector<Keyed> sorted(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t key = key_of(i);
    sorted[ends[bucket_of(key)]++] = {key, static_cast<std::uint32_t>(i)};
  }
  const auto at = [&](std::size_t i) { return sorted.begin() + static_cast<std::ptrdiff_t>(i); };
  std::size_t begin = 0;
  for (std::size_t bucket = 0; begin < count; begin = ends[bucket++]) {
    std::sort(at(begin), at(ends[bucket]), [&](const Keyed& left, const Keyed& right) {
      if (left.key != right.key) return left.key < right.key;
      return stands_before(teams, score, left.index, right.index);
    });
  }
  std::vector<std::uint32_t> places(count);
  std::ranges::transform(sorted, places.begin(), &Keyed::index);
  return places;
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

/// Millions of teams are of one size: what nobody asks for again makes room for what comes.
SelectedTeams one_size_in_order(ListedTeams teams) {
  std::vector<std::uint32_t> order = order_of(teams);
  SelectedTeams selected;
  selected.scores = picked(teams.kept.scores, order);
  teams.kept.scores = std::vector<double>();
  selected.votes = picked(teams.votes, order);
  teams.votes = std::vector<int>();
  std::vector<std::uint32_t> places = picked(teams.kept.places, order);
  teams.kept.places = std::vector<std::uint32_t>();
  order = std::vector<std::uint32_t>();
  if (teams.values->correct) selected.correct = picked(*teams.values->correct, places);
  if (teams.values->test_correct)
    selected.test_correct = picked(*teams.values->test_correct, places);
  selected.merit = picked(teams.values->merit, places);
  selected.test_merit = picked(teams.values->test_merit, places);
  selected.teams = {std::move(teams.list), std::move(places)};
  return selected;
}

}  // namespace

SelectedTeams in_order(std::vector<ListedTeams> sizes) {
  if (sizes.size() == 1) return one_size_in_order(std::move(sizes.front()));
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
