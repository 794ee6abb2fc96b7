// SPDX-License-Identifier: MIT
#include "hqe/methods/front.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <utility>

#include "hqe/ensemble/pareto_front.h"
#include "hqe/evaluation/contests.h"
#include "hqe/methods/choose.h"
#include "hqe/search/measure.h"

namespace hqe {
namespace {

using TeamFront = ParetoFront<std::uint64_t, Team>;

CostFront cost_front(const std::optional<Cost>& cost, const TeamFront& offered) {
  CostFront front{.cost = cost, .points = {}};
  for (TeamFront::Point& point : offered.points()) {
    front.points.push_back({std::move(point.item), point.cost, point.merit});
  }
  return front;
}

/// Offers every team in team order with its cost, summed over members ascending.
class EveryTeam {
 public:
  EveryTeam(TeamPrices prices, const std::vector<std::uint32_t>& correct)
      : prices_(std::move(prices)), correct_(correct) {}

  TeamFront front() {
    visit(0, 0, 0);
    return std::move(front_);
  }

 private:
  void visit(std::size_t first, std::uint32_t mask, double cost) {
    const std::vector<double>& costs = prices_.of_models();
    for (std::size_t model = first; model < costs.size(); ++model) {
      const std::uint32_t larger = mask | std::uint32_t{1} << model;
      const double sum = cost + costs[model];
      members_.push_back(static_cast<ModelId>(model));
      front_.offer(sum, correct_[larger], [&] { return Team(TeamView(members_)); });
      visit(model + 1, larger, sum);
      members_.pop_back();
    }
  }

  TeamPrices prices_;
  const std::vector<std::uint32_t>& correct_;
  std::vector<ModelId> members_;
  TeamFront front_;
};

std::vector<std::optional<Cost>> costs_to_draw(const PoolSummary& pool) {
  std::vector<std::optional<Cost>> costs{std::nullopt};
  for (const Cost cost : known_costs(pool)) costs.emplace_back(cost);
  return costs;
}

/// The teams that methods choose of sizes 2 up to the one asked for.
std::set<Team> tournament_teams(const Pool& pool, const FrontOptions& options, const Run& run) {
  std::set<Team> teams;
  CompareOptions compare{.size = options.size, .vote = options.vote};
  for (const MethodRow& row : method_rows()) {
    if (row.answer == MethodAnswer::team) compare.methods.push_back(row.method);
  }
  // Sizes go down from the one asked for, which the first round settles.
  for (std::optional<int> size = options.size;;) {
    compare.size = size;
    SearchSpace space(pool, std::nullopt, prune_options(compare, pool), run);
    KnownSums sums;
    for (MethodChoice& made : choose(space, compare, options.seed, [](std::string_view) {}, sums)) {
      if (!made.choice.team.empty()) teams.insert(std::move(made.choice.team));
    }
    size = space.settings().hierarchical.desired_size - 1;
    if (*size < 2) break;
  }
  return teams;
}

void draw_from_tournament(Front& front, const Measured& measured, const Run& run) {
  std::set<Team> teams = tournament_teams(measured.pool, front.options, run);
  teams.insert(front.reference.team);
  for (const ModelId model : front.reference.team) teams.insert(Team{model});
  front.team_count = teams.size();
  for (const auto& cost : costs_to_draw(front.pool)) {
    const TeamPrices prices = team_prices(front.pool.models, cost);
    TeamFront offered;
    for (const Team& team : teams) {
      offered.offer(prices.of(team.view()), measured.contests->correct_count(team.view()),
                    [&] { return team; });
    }
    front.fronts.push_back(cost_front(cost, offered));
  }
}

}  // namespace

Front front(Pool pool, const FrontOptions& options, const Run& run) {
  const Measured measured = measure(std::move(pool), {.vote = options.vote}, run);
  const int models = measured.pool.model_count();
  Front front{.pool = summary_of(measured),
              .options = options,
              .vote = measured.contests->rule().vote,
              .reference = {.team = Team::all(models)}};
  front.warnings = measured.pool.notes;
  front.reference.correct = measured.contests->correct_count(front.reference.team.view());
  front.is_exact = models <= most_models_for_every_team;
  if (!front.is_exact) {
    draw_from_tournament(front, measured, run);
    front.warnings.emplace_back(
        fmt::format("{} models have too many teams to look at all: the front is over {} teams that "
                    "methods chose, single models and the entire ensemble",
                    models, front.team_count));
    check_unchanged(measured.pool);
    return front;
  }
  const std::vector<std::uint32_t> correct = measured.contests->correct_counts_of_all_teams(run);
  front.team_count = correct.size() - 1;
  for (const auto& cost : costs_to_draw(front.pool)) {
    EveryTeam every(team_prices(front.pool.models, cost), correct);
    front.fronts.push_back(cost_front(cost, every.front()));
  }
  check_unchanged(measured.pool);
  return front;
}

std::string_view name_of(const CostFront& front) {
  return front.cost ? to_string(*front.cost) : "size";
}

}  // namespace hqe
