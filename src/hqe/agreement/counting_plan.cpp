// SPDX-License-Identifier: MIT
#include "hqe/agreement/counting_plan.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>

namespace hqe {
namespace {

constexpr int lost = -1;
constexpr int won = 0;  // Above it: even ties, by the Places of those who must vote above.

/// The sum of correct counts of every set of first members.
class StrengthSums {
 public:
  void set(TeamView members, std::span<const std::uint64_t> correct) {
    sums_.assign(1, 0);
    for (const ModelId model : members) {
      const std::size_t before = sums_.size();
      for (std::size_t i = 0; i < before; ++i) sums_.push_back(sums_[i] + correct[model]);
    }
  }
  [[nodiscard]] std::uint64_t of(Places places) const { return sums_[places]; }

 private:
  std::vector<std::uint64_t> sums_;
};

/// A wrong class of a partition.
struct Rival {
  Places places = 0;
  int votes = 0;
  int first = 0;  ///< The place of its first voter.
};

/// A partition as a vote that the last member ends.
class Position {
 public:
  Position(const Partition& partition, bool one_rival)
      : right_(partition.right), votes_(std::popcount(partition.right)) {
    for (const Places places : partition.wrong) {
      rivals_.push_back({places, std::popcount(places), std::countr_zero(places)});
    }
    joins_ = one_rival && !rivals_.empty();
    const bool hopeless =
        std::ranges::any_of(rivals_, [&](const Rival& rival) { return rival.votes > votes_ + 1; });
    if (hopeless) return;
    depends_ = votes_ == 1 && !joins_;
    for (const Rival& rival : rivals_) {
      depends_ |= rival.votes == votes_ + 1 || rival.votes + 1 == votes_;
      ties_ |= rival.votes == votes_;
    }
  }

  /// Correct counts can matter: the last member's, or only those of the others.
  [[nodiscard]] bool depends() const { return depends_; }
  [[nodiscard]] bool ties() const { return ties_; }
  /// Where there is one rival, who is wrong votes for it.
  [[nodiscard]] bool joins() const { return joins_; }
  [[nodiscard]] const std::vector<Rival>& rivals() const { return rivals_; }

  /// Adds the correct counts of a last member that tie with others' where correct counts can
  /// matter: between two neighbours of these every last member has the same outcomes.
  void add_ties_of_last(const StrengthSums& strengths, std::vector<std::int64_t>& counts) const {
    const auto own = static_cast<std::int64_t>(strengths.of(right_));
    if (votes_ == 1) counts.push_back(own);
    for (const Rival& rival : rivals_) {
      const auto other = static_cast<std::int64_t>(strengths.of(rival.places));
      if (rival.votes == votes_ + 1) counts.push_back(other - own);
      if (rival.votes + 1 == votes_) counts.push_back(own - other);
    }
  }

  /// The last member, with so many right answers, is right.
  [[nodiscard]] int helped(const StrengthSums& strengths, std::uint64_t last) const {
    return outcome(strengths, votes_ + 1, strengths.of(right_) + last, nullptr, 0);
  }
  /// It votes for a rival.
  [[nodiscard]] int joined(const StrengthSums& strengths, const Rival& rival,
                           std::uint64_t last) const {
    return outcome(strengths, votes_, strengths.of(right_), &rival, last);
  }
  /// It votes for a class of its own.
  [[nodiscard]] int alone(const StrengthSums& strengths, std::uint64_t last) const {
    const std::uint64_t own = strengths.of(right_);
    const int others = outcome(strengths, votes_, own, nullptr, 0);
    if (others == lost || votes_ > 1 || last < own) return others;
    return last > own ? lost : others | EvenTie::last;
  }

 private:
  [[nodiscard]] int outcome(const StrengthSums& strengths, int own, std::uint64_t own_strength,
                            const Rival* stronger, std::uint64_t last) const {
    if (own == 0) return lost;
    int above = won;
    for (const Rival& rival : rivals_) {
      const int others = rival.votes + (&rival == stronger ? 1 : 0);
      if (others > own) return lost;
      if (others < own) continue;
      const std::uint64_t other = strengths.of(rival.places) + (&rival == stronger ? last : 0);
      if (other > own_strength) return lost;
      if (other == own_strength) above |= 1 << rival.first;
    }
    return above;
  }

  Places right_;
  int votes_;
  std::vector<Rival> rivals_;
  bool joins_ = false, depends_ = false, ties_ = false;
};

/// Bit u: in union u.
using Membership = std::uint32_t;

class PlanMaker {
 public:
  PlanMaker(CountingPlan& plan, const Partitions& partitions, bool one_rival,
            std::span<const std::uint64_t> correct)
      : plan_(plan), one_rival_(one_rival), correct_(correct) {
    const std::vector<Partition>& all = partitions.of(partitions.depth());
    in_.resize(all.size(), 0);
    strengths_.set(Team::all(partitions.depth()).view(),
                   std::vector<std::uint64_t>(static_cast<std::size_t>(partitions.depth()), 0));
    for (std::size_t i = 0; i < in_.size(); ++i) {
      const Position& added = positions_.emplace_back(all[i], one_rival);
      if (added.depends()) {
        dependent_.push_back(i);
      } else if (added.ties()) {
        tied_.push_back(i);
      } else {
        in_[i] = membership_of(i, 0, lasting_ties_);
      }
    }
  }

  /// The teams [begin, end), which differ in their last members only.
  void add(const TeamList& teams, std::size_t begin, std::size_t end) {
    const TeamView prefix = teams[begin].first(teams[begin].size() - 1);
    strengths_.set(prefix, correct_);

    // In order of their correct counts, so that a tie changes sides once.
    order_.resize(end - begin);
    std::iota(order_.begin(), order_.end(), begin);
    const auto last_correct = [&](std::size_t team) { return correct_[teams[team].back()]; };
    std::ranges::stable_sort(order_, {}, last_correct);

    lasting_ties_.clear();
    for (const std::size_t i : tied_) in_[i] = membership_of(i, 0, lasting_ties_);
    find_ties_of_last();
    PrefixPlan result{.first_team = begin};
    std::uint64_t before = 0;
    for (const std::size_t team : order_) {
      const bool first = team == order_.front();
      const std::uint64_t correct = last_correct(team);
      LastMember step{.team = team};
      for (std::size_t which = 0; which < dependent_.size(); ++which) {
        if (!first && stays(which, before, correct)) continue;
        const std::size_t i = dependent_[which];
        const std::size_t ties = plan_.ties.size();
        const Membership now = membership_of(i, correct, plan_.ties);
        has_ties_[which] = plan_.ties.size() > ties;
        if (!first) toggle(i, in_[i] ^ now);
        in_[i] = now;
      }
      before = correct;
      if (first) {
        enter_all(prefix.size());
        result.base_end = plan_.toggles.size();
      }
      plan_.ties.insert(plan_.ties.end(), lasting_ties_.begin(), lasting_ties_.end());
      step.toggles_end = plan_.toggles.size();
      step.ties_end = plan_.ties.size();
      plan_.lasts.push_back(step);
    }
    result.lasts_end = plan_.lasts.size();
    plan_.prefixes.push_back(result);
  }

 private:
  /// Where the last member's correct count ties, of each dependent partition.
  void find_ties_of_last() {
    ties_of_last_.clear();
    ties_ends_.clear();
    for (const std::size_t i : dependent_) {
      positions_[i].add_ties_of_last(strengths_, ties_of_last_);
      ties_ends_.push_back(ties_of_last_.size());
    }
    has_ties_.assign(dependent_.size(), false);
  }

  /// Whether a dependent partition is as it was for the last member before, who has not more right,
  /// and noted no ties. Most are.
  [[nodiscard]] bool stays(std::size_t which, std::uint64_t before, std::uint64_t correct) const {
    if (has_ties_[which]) return false;
    const auto low = static_cast<std::int64_t>(before), high = static_cast<std::int64_t>(correct);
    bool is_crossed = false;
    for (std::size_t at = which == 0 ? 0 : ties_ends_[which - 1]; at < ties_ends_[which]; ++at) {
      is_crossed |= low <= ties_of_last_[at] && ties_of_last_[at] <= high;
    }
    return !is_crossed;
  }

  /// The unions of a partition where the last member has so many right; even ties go to `ties`.
  Membership membership_of(std::size_t partition, std::uint64_t last,
                           std::vector<EvenTie>& ties) const {
    const Position& at = positions_[partition];
    const auto note = [&](int outcome, std::uint8_t vote) {
      if (outcome > won) {
        ties.push_back({static_cast<std::uint8_t>(partition), vote, static_cast<Places>(outcome)});
      }
    };
    const int other =
        at.joins() ? at.joined(strengths_, at.rivals().front(), last) : at.alone(strengths_, last);
    const int helped = at.helped(strengths_, last);
    note(other, EvenTie::other);
    note(helped, EvenTie::right);
    Membership in = other == won ? 1U << Unions::safe : 0;
    if (helped == won && other != won) in |= 1U << Unions::saved;
    if (one_rival_) return in;
    for (const Rival& rival : at.rivals()) {
      const int joined = at.joined(strengths_, rival, last);
      note(joined, static_cast<std::uint8_t>(EvenTie::like + rival.first));
      if (other == won && joined != won) in |= 1U << (Unions::spoiled + rival.first);
    }
    return in;
  }

  void toggle(std::size_t partition, Membership changed) {
    for (; changed != 0; changed &= changed - 1) {
      plan_.toggles.push_back({static_cast<std::uint8_t>(partition),
                               static_cast<std::uint8_t>(std::countr_zero(changed))});
    }
  }

  void enter_all(std::size_t places) {
    const std::size_t unions = Unions::spoiled + places;
    for (std::size_t into = 0; into < unions; ++into) {
      for (std::size_t i = 0; i < in_.size(); ++i) {
        if (in_[i] >> into & 1) {
          plan_.toggles.push_back({static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(into)});
        }
      }
    }
  }

  CountingPlan& plan_;
  bool one_rival_;
  std::span<const std::uint64_t> correct_;
  std::vector<Position> positions_;
  std::vector<std::size_t> dependent_, tied_;  // The other positions stay where they are.
  std::vector<Membership> in_;
  StrengthSums strengths_;
  std::vector<std::size_t> order_;
  std::vector<EvenTie> lasting_ties_;  // Of every team of the prefix.
  std::vector<std::int64_t> ties_of_last_;
  std::vector<std::size_t> ties_ends_;  // Of each dependent partition among these.
  std::vector<char> has_ties_;
};

}  // namespace

CountingPlan::CountingPlan(const Partitions& partitions, bool one_rival, const TeamList& teams,
                           std::size_t begin, std::size_t end,
                           std::span<const std::uint64_t> correct) {
  PlanMaker maker(*this, partitions, one_rival, correct);
  const auto prefix = [&](std::size_t team) {
    return teams[team].first(static_cast<std::size_t>(teams.team_size() - 1));
  };
  while (begin < end) {
    std::size_t next = begin + 1;
    while (next < end && std::ranges::equal(prefix(begin), prefix(next))) ++next;
    maker.add(teams, begin, next);
    begin = next;
  }
}

}  // namespace hqe
