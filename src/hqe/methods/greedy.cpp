// SPDX-License-Identifier: MIT
#include "hqe/methods/greedy.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "hqe/base/random.h"
#include "hqe/methods/ordered.h"

namespace hqe {
namespace {

constexpr int bag_count = 20;

/// Half of the models, rounded up, better ones first.
std::vector<ModelId> draw_bag(const SelectionProblem& problem, int bag) {
  Random random(problem.seed, static_cast<std::uint64_t>(bag) + 1);
  std::vector<ModelId> models = problem.drawing_order;
  const std::size_t half = (models.size() + 1) / 2;
  for (std::size_t i = 0; i < half; ++i) {
    std::swap(models[i], models[i + random.below(models.size() - i)]);
  }
  const std::vector<ModelId> drawn(models.begin(), models.begin() + static_cast<long>(half));
  std::vector<ModelId> best_first = by_accuracy(problem);
  std::erase_if(best_first,
                [&](ModelId model) { return std::ranges::find(drawn, model) == drawn.end(); });
  return best_first;
}

struct Pick {
  ModelId model = 0;
  std::uint64_t correct = 0;  ///< Of the votes of all picks up to this one.
};

/// `size` picks of `bag`, better models first: each time the model that, once more, leaves the most
/// correct.
std::vector<Pick> pick_with_replacement(const SelectionProblem& problem,
                                        const std::vector<ModelId>& bag) {
  std::vector<Pick> picks;
  std::vector<ModelId> voters;
  for (int step = 0; step < problem.size; ++step) {
    TeamList grown(step + 1);
    std::vector<ModelId> models;
    for (const ModelId model : bag) {
      std::vector<ModelId> more = voters;
      more.insert(std::ranges::upper_bound(more, model), model);
      std::vector<ModelId> members = more;
      members.erase(std::ranges::unique(members).begin(), members.end());
      if (!problem.allows(Team(std::move(members)))) continue;
      grown.push_back(more);
      models.push_back(model);
    }
    if (models.empty()) break;
    const auto correct = problem.contests.correct_counts(grown, {.threads = 1});
    const std::size_t best = place_of_largest(correct);
    voters.assign(grown[best].begin(), grown[best].end());
    picks.push_back({models[best], correct[best]});
  }
  return picks;
}

}  // namespace

Team greedy_forward_team(const SelectionProblem& problem) {
  Team team;
  while (team.size() < problem.size) {
    const std::vector<ModelId> models = additions(problem, team);
    if (models.empty()) break;
    team = with(team, models[place_of_largest(correct_with(problem, team, models))]);
  }
  return team;
}

Team greedy_backward_team(const SelectionProblem& problem) {
  std::vector<ModelId> able = problem.models();
  std::erase_if(able, [&](ModelId model) { return !problem.allows(Team{model}); });
  Team team(std::move(able));
  std::vector<ModelId> worst_first = by_accuracy(problem);
  std::ranges::reverse(worst_first);
  while (team.size() > problem.size || (team.size() > 1 && !problem.allows(team))) {
    TeamList smaller(team.size() - 1);
    for (const ModelId leaving : worst_first) {
      if (team.contains(leaving)) smaller.push_back(without(team, leaving).view());
    }
    team = Team(smaller[place_of_largest(problem.contests.correct_counts(smaller, problem.run))]);
  }
  return team;
}

Team drep_team(const SelectionProblem& problem) {
  const RightAnswers& right = problem.right;
  const std::vector<ModelId> standing = by_accuracy(problem);
  Team team = best_single_team(problem);
  while (!team.empty() && team.size() < problem.size) {
    std::vector<ModelId> models = additions(problem, team);
    if (models.empty()) break;
    const auto team_right = problem.contests.right_patterns(team.view());
    std::vector<std::uint64_t> differing(static_cast<std::size_t>(problem.model_count()), 0);
    for (const ModelId model : models) {
      const auto row = right.row(model);
      std::vector<std::uint64_t> bits(row.begin(), row.end());
      for (std::size_t i = 0; i < bits.size(); ++i) bits[i] ^= team_right[i];
      differing[model] = right.samples(bits);
    }
    std::ranges::stable_sort(models, std::ranges::greater{},
                             [&](ModelId model) { return differing[model]; });
    models.resize((models.size() + 3) / 4);
    const auto place_in = [&](ModelId model) { return std::ranges::find(standing, model); };
    std::ranges::sort(models, {}, place_in);
    team = with(team, models[place_of_largest(correct_with(problem, team, models))]);
  }
  return team;
}

WeightedTeam greedy_with_replacement_team(const SelectionProblem& problem) {
  std::vector<Pick> picks = pick_with_replacement(problem, by_accuracy(problem));
  if (picks.empty()) return {};
  picks.erase(std::ranges::max_element(picks, {}, &Pick::correct) + 1, picks.end());
  std::vector<ModelId> members;
  for (const Pick& pick : picks) members.push_back(pick.model);
  std::ranges::sort(members);
  members.erase(std::ranges::unique(members).begin(), members.end());
  WeightedTeam result{.team = Team(std::move(members))};
  for (const ModelId member : result.team) {
    result.weights.push_back(static_cast<int>(std::ranges::count(picks, member, &Pick::model)));
  }
  return result;
}

WeightedTeam caruana_team(const SelectionProblem& problem) {
  std::vector<int> picks(static_cast<std::size_t>(problem.model_count()), 0);
  for (int bag = 0; bag < bag_count; ++bag) {
    for (const Pick& pick : pick_with_replacement(problem, draw_bag(problem, bag))) {
      ++picks[pick.model];
    }
  }
  std::vector<ModelId> order = by_accuracy(problem);
  std::erase_if(order, [&](ModelId model) { return picks[model] == 0; });
  std::ranges::stable_sort(order, std::ranges::greater{},
                           [&](ModelId model) { return picks[model]; });
  WeightedTeam result{.team = take_in_order(problem, order)};
  for (const ModelId member : result.team) result.weights.push_back(picks[member]);
  const int common = std::accumulate(result.weights.begin(), result.weights.end(), 0,
                                     [](int a, int b) { return std::gcd(a, b); });
  for (int& weight : result.weights) weight /= common;
  return result;
}

}  // namespace hqe
