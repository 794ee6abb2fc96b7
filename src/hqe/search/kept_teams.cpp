// SPDX-License-Identifier: MIT
#include "hqe/search/kept_teams.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstddef>
#include <utility>

#include "hqe/diversity/metric.h"
#include "hqe/ensemble/team_columns.h"

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
static_assert(std::ranges::count_if(metric_rows, &MetricRow::prunes) <= 16, "a bit a tier");

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

}  // namespace hqe
