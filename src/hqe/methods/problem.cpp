// SPDX-License-Identifier: MIT
#include "hqe/methods/problem.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace hqe {

RightAnswers::RightAnswers(const Contests& contests)
    : words_((contests.summary().patterns + 63) / 64),
      always_right_(contests.summary().always_right),
      weights_(contests.weights().begin(), contests.weights().end()) {
  for (const ModelId model : Team::all(contests.model_count())) {
    const std::vector<std::uint64_t> row = contests.right_patterns({&model, 1});
    bits_.insert(bits_.end(), row.begin(), row.end());
  }
}

std::uint64_t RightAnswers::samples(std::span<const std::uint64_t> patterns) const {
  std::uint64_t total = 0;
  for (std::size_t word = 0; word < patterns.size(); ++word) {
    for (std::uint64_t rest = patterns[word]; rest != 0; rest &= rest - 1) {
      total += weights_[word * 64 + static_cast<std::size_t>(std::countr_zero(rest))];
    }
  }
  return total;
}

std::vector<ModelId> SelectionProblem::models() const {
  const Team all = Team::all(model_count());
  return {all.begin(), all.end()};
}

std::vector<ModelId> WeightedTeam::voters() const {
  if (weights.empty()) return {team.begin(), team.end()};
  std::vector<ModelId> all;
  for (std::size_t place = 0; place < weights.size(); ++place) {
    all.insert(all.end(), static_cast<std::size_t>(weights[place]), team[place]);
  }
  return all;
}

Team with(const Team& team, ModelId model) {
  std::vector<ModelId> members(team.begin(), team.end());
  members.push_back(model);
  return Team(std::move(members));
}

Team without(const Team& team, ModelId model) {
  std::vector<ModelId> members(team.begin(), team.end());
  std::erase(members, model);
  return Team(std::move(members));
}

std::vector<ModelId> additions(const SelectionProblem& problem, const Team& team) {
  std::vector<ModelId> models;
  for (const ModelId model : by_accuracy(problem)) {
    if (!team.contains(model) && problem.allows(with(team, model))) models.push_back(model);
  }
  return models;
}

std::vector<std::uint64_t> correct_with(const SelectionProblem& problem, const Team& team,
                                        std::span<const ModelId> models) {
  TeamList teams(team.size() + 1);
  for (const ModelId model : models) teams.push_back(with(team, model).view());
  return problem.contests.correct_counts(teams, {.threads = 1});
}

std::vector<ModelId> by_accuracy(const SelectionProblem& problem) {
  std::vector<ModelId> order = problem.models();
  std::ranges::stable_sort(order, std::ranges::greater{},
                           [&](ModelId model) { return problem.counts.correct(model); });
  return order;
}

std::vector<ModelId> drawing_order(const Counts& counts, const Pool& pool) {
  const Team all = Team::all(pool.model_count());
  std::vector<ModelId> order(all.begin(), all.end());
  std::ranges::sort(order, [&](ModelId a, ModelId b) {
    if (counts.correct(a) != counts.correct(b)) return counts.correct(a) > counts.correct(b);
    return pool.models[a].name < pool.models[b].name;
  });
  return order;
}

Team take_in_order(const SelectionProblem& problem, std::span<const ModelId> order) {
  return hqe::take_in_order(order, problem.size, problem.eligibility);
}

}  // namespace hqe
