// SPDX-License-Identifier: MIT
#include "hqe/methods/front.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "hqe/methods/choose.h"
#include "hqe/search/measure.h"

namespace hqe {
namespace {

constexpr int most_models_for_every_team = 24;

double cost_of(const PoolSummary& pool, const std::optional<Cost>& cost, ModelId model) {
  return cost ? *pool.models[model].costs[*cost] : 1.0;
}

/// For each correct count the cheapest team that reaches it: the first one offered among equals.
class Cheapest {
 public:
  void offer(double cost, std::uint64_t correct, TeamView team) {
    const auto place = teams_.find(correct);
    if (place == teams_.end()) {
      teams_.emplace(correct, FrontPoint{Team(team), cost, correct});
    } else if (cost < place->second.cost) {
      place->second = {Team(team), cost, correct};
    }
  }

  [[nodiscard]] std::vector<FrontPoint> front() const {
    std::vector<FrontPoint> points;
    for (auto place = teams_.rbegin(); place != teams_.rend(); ++place) {
      if (points.empty() || place->second.cost < points.back().cost) {
        points.push_back(place->second);
      }
    }
    std::ranges::reverse(points);
    return points;
  }

 private:
  std::map<std::uint64_t, FrontPoint> teams_;
};

/// Visits every team in team order with its cost, summed over members ascending.
class EveryTeam {
 public:
  EveryTeam(const PoolSummary& pool, const std::optional<Cost>& cost,
            const std::vector<std::uint32_t>& correct)
      : correct_(correct) {
    for (std::size_t id = 0; id < pool.models.size(); ++id) {
      costs_.push_back(cost_of(pool, cost, static_cast<ModelId>(id)));
    }
  }

  Cheapest cheapest() {
    visit(0, 0, 0);
    return std::move(cheapest_);
  }

 private:
  void visit(std::size_t first, std::uint32_t mask, double cost) {
    for (std::size_t model = first; model < costs_.size(); ++model) {
      const std::uint32_t larger = mask | std::uint32_t{1} << model;
      const double sum = cost + costs_[model];
      members_.push_back(static_cast<ModelId>(model));
      cheapest_.offer(sum, correct_[larger], members_);
      visit(model + 1, larger, sum);
      members_.pop_back();
    }
  }

  const std::vector<std::uint32_t>& correct_;
  std::vector<double> costs_;
  std::vector<ModelId> members_;
  Cheapest cheapest_;
};

std::vector<std::optional<Cost>> costs_to_draw(const PoolSummary& pool) {
  std::vector<std::optional<Cost>> costs{std::nullopt};
  for (const Cost cost : all_costs) {
    const bool is_known = std::ranges::all_of(
        pool.models, [&](const auto& model) { return model.costs[cost].has_value(); });
    if (is_known) costs.emplace_back(cost);
  }
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
    for (Choice& choice : choose(space, compare, options.seed, [](std::string_view) {})) {
      if (!choice.judged.team.empty()) teams.insert(std::move(choice.judged.team));
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
    Cheapest cheapest;
    for (const Team& team : teams) {
      double sum = 0;
      for (const ModelId model : team) sum += cost_of(front.pool, cost, model);
      cheapest.offer(sum, measured.contests->correct_count(team.view()), team.view());
    }
    front.fronts.push_back({cost, cheapest.front()});
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
  front.reference.correct = measured.contests->correct_count(front.reference.team.view());
  front.is_exact = models <= most_models_for_every_team;
  if (!front.is_exact) {
    draw_from_tournament(front, measured, run);
    front.warnings.push_back(
        fmt::format("{} models have too many teams to look at all: the front is over {} teams that "
                    "methods chose, single models and the entire ensemble",
                    models, front.team_count));
    check_unchanged(measured.pool);
    return front;
  }
  const std::vector<std::uint32_t> correct = measured.contests->correct_counts_of_all_teams(run);
  front.team_count = correct.size() - 1;
  for (const auto& cost : costs_to_draw(front.pool)) {
    front.fronts.push_back({cost, EveryTeam(front.pool, cost, correct).cheapest().front()});
  }
  check_unchanged(measured.pool);
  return front;
}

std::string_view name_of(const CostFront& front) {
  return front.cost ? to_string(*front.cost) : "size";
}

}  // namespace hqe
