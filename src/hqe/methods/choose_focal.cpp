// SPDX-License-Identifier: MIT
// The methods of the paper: hierarchical pruning, consensus, mean threshold; and the decision,
// which looks at what these found where there are too many teams to look at all.
#include <algorithm>
#include <utility>

#include "hqe/decision/decide.h"
#include "hqe/methods/chooser.h"
#include "hqe/search/decision_of.h"

namespace hqe {

bool needs_consensus(const CompareOptions& options) {
  return takes_part(options, Method::consensus) ||
         takes_part(options, Method::consensus_by_accuracy);
}

bool needs_metric(const CompareOptions& options, const FocalMethods& methods) {
  return needs_consensus(options) || takes_part(options, Method::decision) ||
         takes_part(options, methods.by_score) || takes_part(options, methods.by_accuracy);
}

bool needs_mean(const CompareOptions& options) {
  return takes_part(options, Method::mean_threshold) ||
         takes_part(options, Method::mean_threshold_by_accuracy);
}

namespace {

/// Of the teams that a tier kept the one with the largest count, then the highest score as
/// compared, then the first in team order. `counts`: one a kept team, or empty where they do not
/// matter. Requires: one was kept.
Team best_kept(const Tier& tier, const std::vector<std::uint64_t>& counts) {
  std::size_t best = 0;
  std::pair<std::uint64_t, double> highest;
  std::size_t place = 0;
  for (std::size_t i = 0; i < tier.candidates.size(); ++i) {
    if (!tier.kept[i]) continue;
    const std::uint64_t count = counts.empty() ? 0 : counts[place];
    if (place == 0 || count >= highest.first) {
      const std::pair found(count, rounded_score(tier.scores[i]));
      if (place == 0 || found > highest) {
        highest = found;
        best = i;
      }
    }
    ++place;
  }
  return Team(tier.candidates[best]);
}

}  // namespace

// One team is wanted of each order, so nothing is put in order.
void Chooser::add_picks(const Search& search, double seconds, Method by_score, Method by_accuracy) {
  const auto pick = [&](Method method, const auto& count) {
    add(method, [&](MethodChoice& made) {
      made.choice.seconds = seconds;
      const std::vector<const Tier*> tiers = search.selecting_tiers();  // One, of the size.
      if (tiers.empty() || tiers.front()->kept_count() == 0) {
        made.choice.not_computed = "no team of the size was kept";
      } else {
        made.choice.team = best_kept(*tiers.front(), count(*tiers.front()));
      }
    });
  };
  pick(by_score, [](const Tier&) { return std::vector<std::uint64_t>(); });
  pick(by_accuracy, [&](const Tier& tier) {
    const TeamList kept = kept_teams(tier);
    return knows_every_team_ ? space_.selection().correct().of(kept)
                             : problem_->contests.correct_counts(kept, problem_->run);
  });
}

void Chooser::add_picks(const SelectedTeams& selected, double seconds, Method by_score,
                        Method by_accuracy) {
  const auto pick = [&](Method method, auto place_in) {
    add(method, [&](MethodChoice& made) {
      made.choice.seconds = seconds;
      if (selected.size() == 0) {
        made.choice.not_computed = "no team of the size was kept";
      } else {
        made.choice.team = Team(selected.teams[place_in(selected)]);
      }
    });
  };
  pick(by_score, [](const SelectedTeams&) { return std::size_t{0}; });
  pick(by_accuracy, [&](const SelectedTeams& teams) {
    if (!teams.correct.empty()) return place_of_largest(teams.correct);
    TeamList list(problem_->size);
    for (std::size_t i = 0; i < teams.size(); ++i) list.push_back(teams.teams[i]);
    return place_of_largest(problem_->contests.correct_counts(list, problem_->run));
  });
}

Counters Chooser::known_counts() const {
  return {.correct = knows_every_team_ ? &space_.selection().correct() : nullptr};
}

void Chooser::add_hierarchical() {
  const auto begin = Clock::now();
  for (const FocalMethods& each : focal_methods) {
    if (!needs_metric(options_, each)) continue;
    const auto& metrics = space_.settings().metrics;
    if (std::ranges::find(metrics, each.metric) == metrics.end()) {
      for (const Method method : {each.by_score, each.by_accuracy}) {
        add_refusal(method, "F-CK says nothing in a correctness pool");
      }
      continue;
    }
    notice_(title_of(each.by_score));
    const auto search_begin = Clock::now();
    searches_.push_back(search_hierarchically(space_.scorer(), each.metric, problem_->model_count(),
                                              space_.settings().hierarchical, {}, problem_->run));
    const double seconds = seconds_since(search_begin);
    add_picks(searches_.back(), seconds, each.by_score, each.by_accuracy);
  }
  if (!needs_consensus(options_)) return;
  const auto consensus = consensus_of(searches_, known_counts());
  add_picks(consensus ? consensus->selection.selected : SelectedTeams{}, seconds_since(begin),
            Method::consensus, Method::consensus_by_accuracy);
}

void Chooser::add_mean_threshold() {
  if (!needs_mean(options_)) return;
  const int models = problem_->model_count();
  if (models >= 40 || (std::uint64_t{1} << models) > options_.max_evaluate) {
    for (const Method method : {Method::mean_threshold, Method::mean_threshold_by_accuracy}) {
      add_refusal(method, too_many("needs the scores of"));
    }
    return;
  }
  notice_(title_of(Method::mean_threshold));
  const auto begin = Clock::now();
  Search search = search_by_mean(space_.scorer(), Metric::f_gd, models, problem_->eligibility);
  std::erase_if(search.tiers, [&](const Tier& tier) { return tier.team_size != problem_->size; });
  add_picks(search, seconds_since(begin), Method::mean_threshold,
            Method::mean_threshold_by_accuracy);
}

void Chooser::add_decision() {
  add(Method::decision, [&](MethodChoice& made) {
    Searches found{.desired_size = problem_->size, .searches = std::move(searches_)};
    const std::optional<Decision> decision = decision_of(space_, found);
    if (!decision) return;
    const Candidate& recommended = decision->candidates[decision->recommended];
    made.choice.team = recommended.team;
    made.note = title_of(recommended);
  });
}

}  // namespace hqe
