// SPDX-License-Identifier: MIT
#include "hqe/serving/early_exit.h"

#include <algorithm>

#include "hqe/base/words.h"
#include "hqe/predictions/samples.h"
#include "hqe/serving/exit_counts.h"
#include "hqe/serving/exit_order.h"
#include "hqe/serving/long_exit.h"
#include "hqe/serving/member_costs.h"

namespace hqe {
namespace {

constexpr std::array exit_judge_words{Word{ExitJudge::test, "test"}, Word{ExitJudge::half, "half"}};

constexpr std::uint64_t fewest_spaced_samples = 1024;

std::vector<std::uint64_t> spaced_samples(const Pool& pool, const TeamVote& vote,
                                          const EarlyExitOptions& options) {
  std::uint64_t count = pool.sample_count;
  if (options.most_scores) {
    const std::uint64_t scores =
        static_cast<std::uint64_t>(vote.size()) *
        static_cast<std::uint64_t>(has_scores(pool.kind) ? pool.class_count : 1);
    count = std::min(count, std::max(*options.most_scores / scores, fewest_spaced_samples));
  }
  std::vector<std::uint64_t> samples(count);
  for (std::uint64_t i = 0; i < count; ++i) samples[i] = i * pool.sample_count / count;
  return samples;
}

/// `open`: how many samples are open after 0, 1, .. S-1 members of the order.
ExitRun run_of(TeamView team, std::span<const std::size_t> order, std::span<const double> costs,
               std::span<const std::uint64_t> open) {
  ExitRun result{.samples = open.front()};
  const auto samples = static_cast<double>(open.front());
  for (std::size_t k = 0; k < order.size(); ++k) {
    result.order.push_back(team[order[k]]);
    const double share = static_cast<double>(open[k]) / samples;
    result.expected_models += share;
    result.expected_cost += share * costs[order[k]];
    const std::uint64_t still_open = k + 1 < open.size() ? open[k + 1] : 0;
    result.decided_after.push_back(static_cast<double>(open.front() - still_open) / samples);
  }
  return result;
}

std::vector<std::uint64_t> open_along_sets(std::span<const std::uint64_t> open,
                                           std::span<const std::size_t> order) {
  std::vector<std::uint64_t> result;
  std::size_t set = 0;
  for (const std::size_t member : order) {
    result.push_back(open[set]);
    set |= std::size_t{1} << member;
  }
  return result;
}

/// One question, as both kinds of teams answer it.
struct Problem {
  const Pool& pool;
  const VoteRule& rule;
  TeamView team;
  const EarlyExitOptions& options;
  const Run& run;
  const Pool* test;
  MemberCosts costs;

  [[nodiscard]] std::vector<std::uint64_t> samples_of(const Pool& from) const {
    return spaced_samples(from, team_vote(from, rule, team), options);
  }
  [[nodiscard]] bool uses_halves(std::uint64_t samples) const {
    return test == nullptr && options.judge_on_half && samples >= fewest_samples_for_exit_halves;
  }
  /// Which samples are held out of a choice of the order: of every class alike.
  [[nodiscard]] std::vector<char> halves(std::span<const std::uint64_t> samples) const {
    std::vector<char> is_held_out(samples.size());
    if (!uses_halves(samples.size())) return is_held_out;
    const Pool part = hqe::samples_of(pool, {samples.begin(), samples.end()});
    for (const std::uint64_t i : split_samples(part, 0.5, options.seed).held_out) {
      is_held_out[i] = 1;
    }
    return is_held_out;
  }
};

void answer_small(const Problem& problem, EarlyExit& exit) {
  const std::vector<std::uint64_t> samples = problem.samples_of(problem.pool);
  const std::vector<double>& costs = problem.costs.of;
  const auto [chosen, held_out] = open_counts(problem.pool, problem.rule, problem.team, samples,
                                              problem.halves(samples), problem.run);
  std::vector<std::uint64_t> open = chosen;
  for (std::size_t set = 0; set < open.size(); ++set) open[set] += held_out[set];
  const std::vector<std::size_t> order = cheapest_order(open, costs);
  exit.selection = run_of(problem.team, order, costs, open_along_sets(open, order));
  exit.least_cost = exit.selection.expected_cost;
  exit.is_least = true;
  if (problem.test != nullptr) {
    const std::vector<std::uint64_t> others = problem.samples_of(*problem.test);
    const auto counts = open_counts(*problem.test, problem.rule, problem.team, others,
                                    std::vector<char>(others.size()), problem.run);
    exit.held_out = {.by = ExitJudge::test,
                     .run = run_of(problem.team, order, costs, open_along_sets(counts[0], order))};
  } else if (problem.uses_halves(samples.size())) {
    const std::vector<std::size_t> half = cheapest_order(chosen, costs);
    exit.held_out = {.by = ExitJudge::half,
                     .run = run_of(problem.team, half, costs, open_along_sets(held_out, half))};
  }
}

void answer_large(const Problem& problem, EarlyExit& exit) {
  const std::vector<double>& costs = problem.costs.of;
  const auto gains = [&](std::span<const std::uint64_t> samples) {
    return member_gains(problem.pool, problem.rule, problem.team, costs, samples, problem.run);
  };
  const auto run_on = [&](const Pool& pool, std::span<const std::size_t> order,
                          std::span<const std::uint64_t> samples) {
    return run_of(problem.team, order, costs,
                  open_along(pool, problem.rule, problem.team, order, samples, problem.run));
  };
  const std::vector<std::uint64_t> samples = problem.samples_of(problem.pool);
  const MemberGains all = gains(samples);
  const std::vector<std::size_t> order = order_by_gain(all.gains, costs);
  exit.selection = run_on(problem.pool, order, samples);
  // Both are means of the same samples: rounding must not put the bound above the order.
  exit.least_cost = std::min(all.least_cost, exit.selection.expected_cost);
  if (problem.test != nullptr) {
    exit.held_out = {.by = ExitJudge::test,
                     .run = run_on(*problem.test, order, problem.samples_of(*problem.test))};
  } else if (problem.uses_halves(samples.size())) {
    const std::vector<char> is_held_out = problem.halves(samples);
    std::array<std::vector<std::uint64_t>, 2> parts;
    for (std::size_t i = 0; i < samples.size(); ++i) {
      parts[is_held_out[i] != 0 ? 1 : 0].push_back(samples[i]);
    }
    const std::vector<std::size_t> half = order_by_gain(gains(parts[0]).gains, costs);
    exit.held_out = {.by = ExitJudge::half, .run = run_on(problem.pool, half, parts[1])};
  }
}

}  // namespace

std::string_view to_string(ExitJudge judge) { return word_of(exit_judge_words, judge); }

std::optional<ExitJudge> parse_exit_judge(std::string_view word) {
  return value_of(exit_judge_words, word);
}

EarlyExit early_exit(const Pool& pool, const VoteRule& rule, TeamView team,
                     const EarlyExitOptions& options, const Run& run, const Pool* test) {
  const Problem problem{.pool = pool,
                        .rule = rule,
                        .team = team,
                        .options = options,
                        .run = run,
                        .test = test,
                        .costs = member_costs(pool, team)};
  EarlyExit exit{.cost = problem.costs.cost, .full_cost = problem.costs.sum};
  const TeamVote vote = team_vote(pool, rule, team);
  if (vote.has_scores) exit.bound = vote.largest_score;
  if (team.size() <= most_members_of_every_order) {
    answer_small(problem, exit);
  } else {
    answer_large(problem, exit);
  }
  return exit;
}

}  // namespace hqe
