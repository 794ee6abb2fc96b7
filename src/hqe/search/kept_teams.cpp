// SPDX-License-Identifier: MIT
#include "hqe/search/kept_teams.h"

#include <algorithm>
#include <cstddef>
#include <utility>

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

/// Calls `visit(cursors, those)` for each team of the tiers, once, in team order; `those` are the
/// numbers of the cursors that stand at it.
template <class Visit>
void for_each_team(std::span<const ListedTier> tiers, const Visit& visit) {
  std::vector<Cursor> cursors;
  for (const ListedTier& tier : tiers) cursors.emplace_back(tier);
  std::vector<std::size_t> those;
  while (true) {
    const Cursor* first = nullptr;
    for (const Cursor& cursor : cursors) {
      if (!cursor.done() && (first == nullptr || cursor.is_before(*first))) first = &cursor;
    }
    if (first == nullptr) return;
    those.clear();
    for (std::size_t i = 0; i < cursors.size(); ++i) {
      if (!cursors[i].done() && cursors[i].is_at(*first)) those.push_back(i);
    }
    visit(cursors, those);
    for (const std::size_t i : those) cursors[i].advance();
  }
}

}  // namespace

KeptTeams kept_together(std::span<const ListedTier> tiers) {
  // Counted first: lists of millions would be moved, and stand twice, while they grow.
  std::size_t count = 0;
  for_each_team(tiers, [&](const auto&, const auto&) { ++count; });
  KeptTeams kept{.teams = nullptr,
                 .is_kept = std::vector<bool>(count, false),
                 .searches = std::vector<KeptTeams::OfSearch>(tiers.size())};
  for (std::size_t i = 0; i < tiers.size(); ++i) {
    kept.searches[i].places.reserve(tiers[i].tier->kept_count());
    kept.searches[i].scores.reserve(tiers[i].tier->kept_count());
  }
  TeamList teams(std::max(1, tiers.front().tier->team_size));
  teams.reserve(count);
  for_each_team(tiers,
                [&](const std::vector<Cursor>& cursors, const std::vector<std::size_t>& those) {
                  const std::size_t place = teams.size();
                  for (const std::size_t i : those) {
                    if (!cursors[i].is_kept()) continue;
                    kept.is_kept[place] = true;
                    kept.searches[i].places.push_back(static_cast<std::uint32_t>(place));
                    kept.searches[i].scores.push_back(cursors[i].score());
                  }
                  teams.push_back(cursors[those.front()].team());
                });
  kept.teams = std::make_shared<const TeamList>(std::move(teams));
  return kept;
}

TeamValues values_of_teams(const TeamList& teams, const Counters& counters) {
  const auto counts = [&](const CountedTeams* counted) -> std::vector<std::uint32_t> {
    if (counted == nullptr) return {};
    return counted->counts_of(teams);
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

/// Millions are sorted, so an entry is as short as it can be.
struct Entry {
  double score;
  std::uint32_t index;  ///< Among the teams of its size.
  std::uint16_t size;
  std::int16_t votes;
};

std::vector<Entry> sorted_entries(const std::vector<ListedTeams>& sizes) {
  std::size_t count = 0;
  for (const ListedTeams& teams : sizes) count += teams.kept.places.size();
  std::vector<Entry> entries;
  entries.reserve(count);
  for (std::size_t size = 0; size < sizes.size(); ++size) {
    const ListedTeams& teams = sizes[size];
    for (std::size_t i = 0; i < teams.kept.places.size(); ++i) {
      const int votes = teams.votes.empty() ? 0 : teams.votes[i];
      entries.push_back({rounded_score(teams.kept.scores[i]), static_cast<std::uint32_t>(i),
                         static_cast<std::uint16_t>(size), static_cast<std::int16_t>(votes)});
    }
  }
  const auto team_of = [&](const Entry& entry) {
    const ListedTeams& teams = sizes[entry.size];
    return (*teams.list)[teams.kept.places[entry.index]];
  };
  std::ranges::sort(entries, [&](const Entry& left, const Entry& right) {
    if (left.votes != right.votes) return left.votes > right.votes;
    if (left.score != right.score) return left.score > right.score;
    if (left.size == right.size) return left.index < right.index;
    return team_before(team_of(left), team_of(right));
  });
  return entries;
}

TeamTable table_of(const std::vector<Entry>& entries, const std::vector<ListedTeams>& sizes) {
  if (sizes.size() == 1) {
    std::vector<std::uint32_t> places(entries.size());
    std::ranges::transform(entries, places.begin(), [&](const Entry& entry) {
      return sizes.front().kept.places[entry.index];
    });
    return {sizes.front().list, std::move(places)};
  }
  TeamTable teams;
  for (const Entry& entry : entries) {
    const ListedTeams& from = sizes[entry.size];
    teams.push_back((*from.list)[from.kept.places[entry.index]]);
  }
  return teams;
}

}  // namespace

SelectedTeams in_order(std::vector<ListedTeams> sizes) {
  const std::vector<Entry> entries = sorted_entries(sizes);
  SelectedTeams selected{.teams = table_of(entries, sizes)};
  const auto take = [&](auto& into, auto TeamValues::* column) {
    if (entries.empty() || (sizes[entries.front().size].values->*column).empty()) return;
    into.reserve(entries.size());
    for (const Entry& entry : entries) {
      const ListedTeams& from = sizes[entry.size];
      into.push_back((from.values->*column)[from.kept.places[entry.index]]);
    }
  };
  take(selected.correct, &TeamValues::correct);
  take(selected.test_correct, &TeamValues::test_correct);
  take(selected.merit, &TeamValues::merit);
  take(selected.test_merit, &TeamValues::test_merit);
  // Nobody asks again, and others want the room.
  for (ListedTeams& teams : sizes) teams.kept.places = std::vector<std::uint32_t>();
  selected.scores.reserve(entries.size());
  if (!sizes.empty() && !sizes.front().votes.empty()) selected.votes.reserve(entries.size());
  for (const Entry& entry : entries) {
    selected.scores.push_back(sizes[entry.size].kept.scores[entry.index]);
    const std::vector<int>& votes = sizes[entry.size].votes;
    if (!votes.empty()) selected.votes.push_back(votes[entry.index]);
  }
  return selected;
}

}  // namespace hqe
