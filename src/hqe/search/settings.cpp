// SPDX-License-Identifier: MIT
#include "hqe/search/settings.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

#include "hqe/base/error.h"
#include "hqe/base/option_name.h"
#include "hqe/diversity/sample_limit.h"
#include "hqe/ensemble/ens_set.h"
#include "hqe/evaluation/contests.h"

namespace hqe {
namespace {

constexpr int fewest_models = 3;
constexpr int most_resamples = 10'000;

std::vector<ModelId> find_all(const Pool& pool, const std::vector<std::string>& wanted) {
  std::vector<ModelId> models;
  for (const std::string& word : wanted) models.push_back(find_model(pool, word));
  std::ranges::sort(models);
  const auto [first, last] = std::ranges::unique(models);
  models.erase(first, last);
  return models;
}

std::function<bool(TeamView)> budget_check(const Pool& pool, const std::vector<Budget>& budgets,
                                           const std::vector<ModelId>& excluded) {
  if (budgets.empty()) return nullptr;
  struct Limit {
    TeamPrices prices;
    double limit = 0;
  };
  std::vector<Limit> limits;
  for (const Budget& budget : budgets) {
    if (!(budget.limit >= 0)) {
      throw UsageError(fmt::format("the budget of {} is {}. It must not be negative",
                                   to_string(budget.cost), budget.limit));
    }
    for (std::size_t id = 0; id < pool.models.size(); ++id) {
      const Model& model = pool.models[id];
      if (!model.costs[budget.cost] &&
          !std::ranges::binary_search(excluded, static_cast<ModelId>(id))) {
        throw UsageError(
            fmt::format("a budget of {0} needs every model's {0}, but {1}'s is "
                        "unknown. Add it to pool.toml under [cost.{1}], or exclude "
                        "the model",
                        to_string(budget.cost), model.name));
      }
    }
    limits.push_back({team_prices(pool.models, budget.cost), budget.limit});
  }
  return [limits = std::move(limits)](TeamView team) {
    return std::ranges::all_of(
        limits, [&](const Limit& limit) { return limit.prices.of(team) <= limit.limit; });
  };
}

void check_mean(const Pool& pool, const PruneOptions& options, std::vector<Message>& warnings) {
  const Message hierarchical = option("by", to_string(By::hierarchical));
  if (pool.model_count() > most_models_for_every_team) {
    throw UsageError(
        message("mean threshold looks at every team, which works up to {} models; the pool has {}. "
                "Use {}, or exclude models",
                most_models_for_every_team, pool.model_count(), hierarchical));
  }
  if (options.size_auto || options.beta_auto) {
    throw UsageError(message("{} and {} belong to {}", option("size", "auto"),
                             option("beta", "auto"), hierarchical));
  }
  if (options.keep) {
    warnings.push_back(
        message("{} has no effect with {}", option("keep"), option("by", to_string(By::mean))));
  }
}

/// "CK, BD or GD".
std::string names_of(const std::vector<Metric>& metrics) {
  std::string names;
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    names += i == 0 ? "" : i + 1 == metrics.size() ? " or " : ", ";
    names += to_string(metrics[i]);
  }
  return names;
}

/// The size asked for, or the default as far as required and excluded models leave room for it.
int settle_size(const Pool& pool, const PruneOptions& options, const Eligibility& eligibility) {
  if (options.size) return *options.size;
  const int models = pool.model_count();
  const int required = eligibility.required.size();
  const int available = required + static_cast<int>(free_models(models, eligibility).size());
  return std::clamp(default_size(models), std::min(std::max(2, required), models - 1),
                    std::max(2, std::min(available, models - 1)));
}

}  // namespace

std::vector<Metric> settle_metrics(const Pool& pool, const std::vector<Metric>& asked,
                                   std::vector<Metric> defaults) {
  const bool is_correctness = pool.kind == Kind::correctness;
  if (asked.empty()) {
    if (is_correctness) std::erase(defaults, Metric::f_ck);
    return defaults;
  }
  std::vector<Metric> metrics;
  for (const Metric metric : asked) {
    if (is_correctness && metric == Metric::f_ck) {
      std::vector<Metric> others(focal_metrics.begin(), focal_metrics.end());
      std::erase(others, Metric::f_ck);
      throw UsageError(
          "F-CK says nothing in a correctness pool: on a model's failures every pair scores "
          "alike. Use " +
          names_of(others));
    }
    if (std::ranges::find(metrics, metric) == metrics.end()) metrics.push_back(metric);
  }
  return metrics;
}

void check_model_count(const Pool& pool, int fewest, std::string_view what) {
  const int models = pool.model_count();
  if (models >= fewest) return;
  throw InputError(pool.name, "",
                   fmt::format("the pool has {} model{}, and {} needs at least {}", models,
                               models == 1 ? "" : "s", what, fewest),
                   "Add models to the pool");
}

void check_sizes(int first, int last, int least, int most, int model_count) {
  if (first < least || last > most || first > last) {
    const std::string asked =
        first == last ? fmt::format("size {}", first) : fmt::format("sizes {} to {}", first, last);
    throw UsageError(fmt::format("{} out of range. {} models allow sizes {} to {}", asked,
                                 model_count, least, most));
  }
}

void check_team_count(int model_count, int first, int last, std::uint64_t limit) {
  std::uint64_t teams = 0;
  for (int size = first; size <= last; ++size) {
    const auto count = EnsSet(model_count, size).size();
    if (!count || *count > limit - teams) {
      throw UsageError(message(
          "sizes {} to {} of {} models have more than {} teams ({}). Ask for smaller teams "
          "or raise {}",
          first, last, model_count, limit, option("max_candidates"), option("max_candidates")));
    }
    teams += *count;
  }
}

void check_teams(const std::vector<Team>& teams, int model_count) {
  for (const Team& team : teams) {
    if (team.empty()) throw UsageError("a team needs at least one member");
    if (team.view().back() >= model_count) {
      throw UsageError(fmt::format("there is no model {}. The pool has models 0 to {}",
                                   team.view().back(), model_count - 1));
    }
  }
}

std::string size_remark(int size, int model_count) {
  if (2 * size <= model_count) return "";
  return fmt::format(
      "size {} is more than half of the {} models; smaller teams are usually as "
      "accurate and always cheaper",
      size, model_count);
}

namespace {

void check_metrics(const std::vector<Metric>& metrics) {
  for (const Metric metric : metrics) {
    if (!can_prune(metric)) {
      throw UsageError(fmt::format("{} can be scored but not pruned by. Use {}", to_string(metric),
                                   names_of(pruning_metrics())));
    }
  }
}

/// Throws UsageError for what is out of range or does not go together.
void check_ranges(const PruneOptions& options) {
  if (options.size_auto && options.beta.size() != 1) {
    throw UsageError(message("{} does not know the number of tiers. Give one beta for all",
                             option("size", "auto")));
  }
  if (options.merit != Merit::accuracy && (options.size_auto || options.beta_auto)) {
    throw UsageError(message("{} and {} go by accuracy. Give a size and a beta",
                             option("size", "auto"), option("beta", "auto")));
  }
  if (!(options.margin > 0 && options.margin < 1)) {
    throw UsageError(fmt::format("the margin is {}. It must lie between 0 and 1", options.margin));
  }
  if (options.stability < 0 || options.stability > most_resamples) {
    throw UsageError(message("{} resamples ({}). It must be 0 to {}: more tell nothing new",
                             options.stability, option("stability"), most_resamples));
  }
}

HierarchicalOptions settle_hierarchical(const Pool& pool, const PruneOptions& options) {
  HierarchicalOptions hierarchical;
  hierarchical.eligibility.required = Team(find_all(pool, options.require));
  hierarchical.eligibility.excluded = find_all(pool, options.exclude);
  hierarchical.eligibility.within_budget =
      budget_check(pool, options.budget, hierarchical.eligibility.excluded);
  hierarchical.desired_size = settle_size(pool, options, hierarchical.eligibility);
  hierarchical.beta = options.beta_auto ? PruneOptions{}.beta : options.beta;
  hierarchical.keep = options.keep;
  hierarchical.keep_last_tier = options.keep_last_tier;
  hierarchical.max_candidates = options.max_candidates;
  // The pruner refuses what is out of range; better before the predictions are read than after.
  (void)HierarchicalPruning(pool.model_count(), hierarchical);
  return hierarchical;
}

}  // namespace

Settings settle(const Pool& pool, const PruneOptions& options) {
  check_model_count(pool, fewest_models, "pruning");
  Settings settings;
  settings.metrics =
      settle_metrics(pool, options.metrics, {focal_metrics.begin(), focal_metrics.end()});
  check_metrics(settings.metrics);
  if (options.by == By::mean) check_mean(pool, options, settings.warnings);
  check_ranges(options);
  if (options.sample) check_sample(*options.sample, pool.model_count());
  settings.hierarchical = settle_hierarchical(pool, options);

  // Nobody who asked for no metric needs to hear it: the tables show the two as one.
  if (!options.metrics.empty()) {
    for (const auto& [earlier, later] : repeated_opinions(settings.metrics)) {
      settings.warnings.emplace_back(fmt::format(
          "{} and {} order teams of one size identically: they are one opinion, not two",
          to_string(earlier), to_string(later)));
    }
  }
  return settings;
}

}  // namespace hqe
