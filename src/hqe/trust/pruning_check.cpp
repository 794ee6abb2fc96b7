// SPDX-License-Identifier: MIT
#include "hqe/trust/pruning_check.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "hqe/ensemble/ens_set.h"
#include "hqe/pruning/hierarchical.h"

namespace hqe {
namespace {

/// Every team of one size, and the place of each in team order.
class AllTeams {
 public:
  AllTeams(int model_count, int size) : teams_(EnsSet(model_count, size).list()) {
    // before_[i][v]: teams whose i-th member is below v, the members before it given.
    for (int i = 0; i < size; ++i) {
      std::vector<std::uint64_t>& row = before_.emplace_back(1, 0);
      for (int v = 0; v < model_count; ++v) {
        row.push_back(row.back() + binomial(static_cast<std::uint64_t>(model_count - 1 - v),
                                            static_cast<std::uint64_t>(size - 1 - i))
                                       .value_or(0));
      }
    }
  }

  [[nodiscard]] const TeamList& teams() const { return teams_; }

  /// The place of `team` without its member number `left_out`.
  [[nodiscard]] std::size_t place_without(TeamView team, std::size_t left_out) const {
    std::uint64_t place = 0;
    std::size_t next = 0;
    std::size_t i = 0;
    for (std::size_t at = 0; at < team.size(); ++at) {
      if (at == left_out) continue;
      place += before_[i][team[at]] - before_[i][next];
      next = team[at] + std::size_t{1};
      ++i;
    }
    return static_cast<std::size_t>(place);
  }

 private:
  TeamList teams_;
  std::vector<std::vector<std::uint64_t>> before_;
};

/// Whether each team ranks in the upper half of these scores; among equals the earlier team does.
std::vector<char> upper_half(const std::vector<double>& scores) {
  std::vector<double> rounded(scores.size());
  std::ranges::transform(scores, rounded.begin(), rounded_score);
  std::vector<std::uint32_t> order(scores.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto half = static_cast<std::ptrdiff_t>(order.size() / 2);
  std::ranges::nth_element(order, order.begin() + half, [&](std::uint32_t a, std::uint32_t b) {
    return rounded[a] != rounded[b] ? rounded[a] > rounded[b] : a < b;
  });
  std::vector<char> is_upper(scores.size());
  for (auto i = order.begin(); i != order.begin() + half; ++i) is_upper[*i] = 1;
  return is_upper;
}

/// What became of each team of a size, in the order of `all`.
enum class Outcome : char { cut, pruned, kept };

std::vector<Outcome> outcomes_of(const Tier& tier, const TeamList& all) {
  std::vector<Outcome> outcomes(all.size(), Outcome::cut);
  std::size_t candidate = 0;
  for (std::size_t i = 0; i < all.size() && candidate < tier.candidates.size(); ++i) {
    if (!std::ranges::equal(all[i], tier.candidates[candidate])) continue;
    outcomes[i] = tier.kept[candidate] ? Outcome::kept : Outcome::pruned;
    ++candidate;
  }
  return outcomes;
}

class Check {
 public:
  Check(const SearchSpace& space, const std::map<int, AllTeams>& all, const Search& search)
      : space_(space), all_(all), search_(search) {
    check_.metric = to_string(search.metric);
  }

  PruningCheck take() {
    // Downward, so that a mark on a team tells of all its supersets.
    std::vector<char> marked;
    for (std::size_t i = search_.tiers.size(); i-- > 0;) {
      const Tier& tier = search_.tiers[i];
      const TeamList& teams = all_.at(tier.team_size).teams();
      const std::vector<Outcome> outcomes = outcomes_of(tier, teams);
      std::vector<char> is_upper = upper_half(space_.scorer().scores(search_.metric, teams));
      if (i + 1 == search_.tiers.size()) {
        look_at_cut(outcomes, is_upper);
        look_for_regret(teams, outcomes);
      } else {
        look_at_pruned(tier, outcomes, marked);
        for (std::size_t team = 0; team < teams.size(); ++team) is_upper[team] |= marked[team];
      }
      if (i > 0) marked = marks_below(teams, is_upper, all_.at(tier.team_size - 1));
    }
    std::ranges::reverse(check_.tiers);
    return std::move(check_);
  }

 private:
  static std::vector<char> marks_below(const TeamList& teams, const std::vector<char>& is_marked,
                                       const AllTeams& below) {
    std::vector<char> marks(below.teams().size());
    for (std::size_t i = 0; i < teams.size(); ++i) {
      if (is_marked[i] == 0) continue;
      const TeamView team = teams[i];
      for (std::size_t member = 0; member < team.size(); ++member) {
        marks[below.place_without(team, member)] = 1;
      }
    }
    return marks;
  }

  void look_at_cut(const std::vector<Outcome>& outcomes, const std::vector<char>& is_upper) {
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      if (outcomes[i] != Outcome::cut) continue;
      ++check_.cut;
      if (is_upper[i] != 0) ++check_.cut_in_upper_half;
    }
  }

  void look_at_pruned(const Tier& tier, const std::vector<Outcome>& outcomes,
                      const std::vector<char>& marked) {
    PruningCheck::Tier& found = check_.tiers.emplace_back();
    found.size = tier.team_size;
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      if (outcomes[i] != Outcome::pruned) continue;
      ++found.pruned;
      if (marked[i] != 0) ++found.violated;
    }
  }

  void look_for_regret(const TeamList& teams, const std::vector<Outcome>& outcomes) {
    const std::vector<std::uint64_t> correct = space_.selection().correct().of(teams);
    const auto best = [&](bool is_kept) -> std::optional<PruningCheck::Best> {
      std::optional<std::size_t> place;
      for (std::size_t i = 0; i < outcomes.size(); ++i) {
        if ((outcomes[i] == Outcome::kept) != is_kept) continue;
        if (!place || correct[i] > correct[*place]) place = i;
      }
      if (!place) return std::nullopt;
      const TeamFigures figures = space_.figures(Team(teams[*place]));
      return PruningCheck::Best{figures.team, figures.correct, figures.test_correct};
    };
    check_.best_kept = best(true);
    check_.best_thrown_away = best(false);
  }

  const SearchSpace& space_;
  const std::map<int, AllTeams>& all_;
  const Search& search_;
  PruningCheck check_;
};

/// Why the check cannot be made; empty where it can.
std::string obstacle(const SearchSpace& space, const Searches& found) {
  if (space.eligibility().is_limited()) {
    return "not measured: required or excluded models or a budget limit the teams";
  }
  for (int size = 2; size <= found.desired_size; ++size) {
    const auto teams = EnsSet(space.model_count(), size).size();
    if (!teams || *teams > space.options().max_evaluate) {
      return fmt::format("not measured: {} teams of size {}",
                         teams ? std::to_string(*teams) : "more than 2^64", size);
    }
  }
  return "";
}

}  // namespace

std::vector<PruningCheck> check_pruning(const SearchSpace& space, const Searches& found) {
  if (space.options().by == By::mean) return {};
  const std::string reason = obstacle(space, found);
  std::map<int, AllTeams> all;
  std::vector<PruningCheck> checks;
  for (const Search& search : found.searches) {
    if (!reason.empty()) {
      checks.push_back({.metric = std::string(to_string(search.metric)), .not_measured = reason});
      continue;
    }
    for (const Tier& tier : search.tiers) {
      all.try_emplace(tier.team_size, space.model_count(), tier.team_size);
    }
    checks.push_back(Check(space, all, search).take());
  }
  return checks;
}

}  // namespace hqe
