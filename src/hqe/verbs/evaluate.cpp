// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include "hqe/base/error.h"
#include "hqe/base/option_name.h"
#include "hqe/ensemble/ens_set.h"
#include "hqe/evaluation/contests.h"
#include "hqe/search/counted_teams.h"
#include "hqe/search/measure.h"
#include "hqe/search/settings.h"
#include "hqe/verbs/verbs.h"

namespace hqe {
namespace {

/// The lists to evaluate, by size, each in team order.
std::vector<TeamList> listed_teams(const EvaluateOptions& options, int models) {
  std::vector<Team> teams = options.teams;
  std::ranges::sort(teams, [](const Team& left, const Team& right) {
    return left.size() != right.size() ? left.size() < right.size() : left < right;
  });
  teams.erase(std::ranges::unique(teams).begin(), teams.end());
  std::vector<TeamList> lists;
  for (const Team& team : teams) {
    if (lists.empty() || lists.back().team_size() != team.size()) lists.emplace_back(team.size());
    lists.back().push_back(team.view());
  }
  if (!options.size_min) return lists;
  std::erase_if(lists, [&](const TeamList& list) {
    return list.team_size() >= *options.size_min && list.team_size() <= *options.size_max;
  });
  for (int size = *options.size_min; size <= *options.size_max; ++size) {
    lists.push_back(EnsSet(models, size).list());
  }
  std::ranges::sort(lists, {}, &TeamList::team_size);
  return lists;
}

void append(Evaluation& evaluation, const CountedTeams& correct, const TeamList& teams) {
  evaluation.teams.append(teams);
  const std::vector<std::uint64_t> counts = correct.of(teams);
  evaluation.correct.insert(evaluation.correct.end(), counts.begin(), counts.end());
}

}  // namespace

Evaluation evaluate(Pool pool, const EvaluateOptions& options, const Run& run) {
  const int models = pool.model_count();
  EvaluateOptions settled = options;
  if (settled.size_min || settled.size_max) {
    settled.size_min = settled.size_min.value_or(*settled.size_max);
    settled.size_max = settled.size_max.value_or(*settled.size_min);
    check_sizes(*settled.size_min, *settled.size_max, 1, models, models);
    check_team_count(models, *settled.size_min, *settled.size_max, settled.max_candidates);
  }
  check_teams(settled.teams, models);
  const bool every_team = !settled.size_min && settled.teams.empty();
  if (every_team && models > most_models_for_every_team) {
    throw UsageError(
        message("evaluating every team works up to {} models; the pool has {}. Give {} or {}",
                most_models_for_every_team, models, option("size"), option("teams")));
  }
  if (every_team) check_team_count(models, 1, models, settled.max_candidates);
  const Measured measured = measure(std::move(pool), {.vote = settled.vote}, run);
  CountedTeams correct(*measured.contests, run);
  Evaluation result{
      .pool = summary_of(measured), .options = options, .vote = measured.contests->rule().vote};
  result.warnings = measured.pool.notes;
  if (every_team) {
    correct.learn_every_team();
    for (int size = 1; size <= models; ++size) {
      append(result, correct, EnsSet(models, size).list());
    }
  } else {
    for (const TeamList& teams : listed_teams(settled, models)) {
      correct.learn(teams);
      append(result, correct, teams);
    }
  }
  check_unchanged(measured.pool);
  return result;
}

}  // namespace hqe
