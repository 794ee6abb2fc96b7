// SPDX-License-Identifier: MIT
#include "hqe/methods/ordered.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <vector>

#include "hqe/diversity/baseline.h"
#include "hqe/ensemble/ens_set.h"
#include "hqe/pruning/hierarchical.h"

namespace hqe {
namespace {

__extension__ using Wide = __int128;

/// Adds models one at a time, each time the one with the largest key; `key(team, model)`.
template <class Key>
Team grow(const SelectionProblem& problem, Team team, const Key& keys_of) {
  while (team.size() < problem.size) {
    const std::vector<ModelId> models = additions(problem, team);
    if (models.empty()) break;
    team = with(team, models[place_of_largest(keys_of(team, models))]);
  }
  return team;
}

/// The sum of signatures (+1 right, -1 wrong) of all models, a pattern each.
std::vector<std::int64_t> signature_sums(const SelectionProblem& problem) {
  std::vector<std::int64_t> sums(problem.right.pattern_count(), 0);
  for (const ModelId model : problem.models()) {
    for (std::size_t pattern = 0; pattern < sums.size(); ++pattern) {
      sums[pattern] += problem.right.is_right(model, pattern) ? 1 : -1;
    }
  }
  return sums;
}

}  // namespace

Team most_accurate_team(const SelectionProblem& problem) {
  return take_in_order(problem, by_accuracy(problem));
}

Team best_single_team(const SelectionProblem& problem) {
  for (const ModelId model : by_accuracy(problem)) {
    if (problem.allows(Team{model})) return Team{model};
  }
  return {};
}

Team complementarity_team(const SelectionProblem& problem) {
  const RightAnswers& right = problem.right;
  return grow(problem, best_single_team(problem),
              [&](const Team& team, const std::vector<ModelId>& models) {
                const auto team_right = problem.contests.right_patterns(team.view());
                std::vector<std::uint64_t> rescued;
                for (const ModelId model : models) {
                  const auto row = right.row(model);
                  std::vector<std::uint64_t> bits(row.begin(), row.end());
                  for (std::size_t i = 0; i < bits.size(); ++i) bits[i] &= ~team_right[i];
                  rescued.push_back(right.samples(bits));
                }
                return rescued;
              });
}

Team margin_distance_team(const SelectionProblem& problem) {
  const RightAnswers& right = problem.right;
  // The objective point is 0.075 = 3/40 in every coordinate of the signature mean over all M
  // models; times 40 M everything is an integer.
  const std::int64_t objective = std::int64_t{3} * problem.model_count();
  std::vector<std::int64_t> sums(right.pattern_count(), 0);
  Team known;
  return grow(problem, {}, [&](const Team& team, const std::vector<ModelId>& models) {
    for (const ModelId member : team) {
      if (known.contains(member)) continue;
      for (std::size_t pattern = 0; pattern < sums.size(); ++pattern) {
        sums[pattern] += right.is_right(member, pattern) ? 1 : -1;
      }
    }
    known = team;
    std::vector<std::int64_t> nearness;
    for (const ModelId model : models) {
      std::int64_t distance = 0;
      for (std::size_t pattern = 0; pattern < sums.size(); ++pattern) {
        const std::int64_t sum = sums[pattern] + (right.is_right(model, pattern) ? 1 : -1);
        const std::int64_t off = objective - 40 * sum;
        distance += off * off * right.weights()[pattern];
      }
      nearness.push_back(-distance);
    }
    return nearness;
  });
}

Team orientation_team(const SelectionProblem& problem) {
  const RightAnswers& right = problem.right;
  const std::vector<std::int64_t> sums = signature_sums(problem);
  const std::int64_t everybody = problem.model_count();
  const auto certain = static_cast<std::int64_t>(right.always_right());
  std::int64_t along = certain * everybody;               // 1 . C
  std::int64_t length = certain * everybody * everybody;  // C . C
  for (std::size_t pattern = 0; pattern < sums.size(); ++pattern) {
    along += sums[pattern] * right.weights()[pattern];
    length += sums[pattern] * sums[pattern] * right.weights()[pattern];
  }
  std::vector<Wide> keys;
  for (const ModelId model : problem.models()) {
    std::int64_t alone = certain;                 // 1 . c
    std::int64_t together = certain * everybody;  // C . c
    for (std::size_t pattern = 0; pattern < sums.size(); ++pattern) {
      const std::int64_t sign = right.is_right(model, pattern) ? 1 : -1;
      alone += sign * right.weights()[pattern];
      together += sign * sums[pattern] * right.weights()[pattern];
    }
    // All signatures are equally long, so the angle follows c . c_ref, here times C . C.
    keys.push_back(length == 0 ? Wide{alone} : Wide{alone} * length - Wide{along} * together);
  }
  std::vector<ModelId> order = by_accuracy(problem);
  std::ranges::stable_sort(order, [&](ModelId a, ModelId b) { return keys[a] > keys[b]; });
  return take_in_order(problem, order);
}

Team kappa_team(const SelectionProblem& problem) {
  const TeamList pairs = EnsSet(problem.model_count(), 2).list();
  std::vector<double> diversity =
      baseline_scores(problem.counts, nullptr, Metric::ck, pairs, problem.run);
  for (double& score : diversity) score = rounded_score(score);
  std::vector<std::size_t> places(pairs.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::ranges::stable_sort(places, std::ranges::greater{}, [&](std::size_t place) {
    const auto [less, more] = std::minmax(
        {problem.counts.correct(pairs[place][0]), problem.counts.correct(pairs[place][1])});
    return std::tuple(diversity[place], more, less);
  });
  std::vector<ModelId> order;
  for (const std::size_t place : places) {
    const TeamView pair = pairs[place];
    const bool swap = problem.counts.correct(pair[1]) > problem.counts.correct(pair[0]);
    order.push_back(pair[swap ? 1 : 0]);
    order.push_back(pair[swap ? 0 : 1]);
  }
  return take_in_order(problem, order);
}

Team individual_contribution_team(const SelectionProblem& problem) {
  std::vector<ModelId> order = by_accuracy(problem);
  std::ranges::stable_sort(order, std::ranges::greater{},
                           [&](ModelId model) { return problem.contributions[model]; });
  return take_in_order(problem, order);
}

}  // namespace hqe
