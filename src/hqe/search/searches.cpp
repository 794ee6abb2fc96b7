// SPDX-License-Identifier: MIT
#include "hqe/search/searches.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "hqe/base/error.h"
#include "hqe/base/option_name.h"
#include "hqe/search/quality.h"

namespace hqe {
namespace {

struct TunedSearch {
  Search search;
  bool found = false;  ///< Some beta reached both goals.
};

/// Precision >= 75 % and recall >= 50 %, in whole numbers.
bool reaches_goals(const SearchSpace& space, const Search& search, std::uint64_t good) {
  const TeamList kept = kept_teams(search.tiers.back());
  std::uint64_t true_positive = 0;
  for (const std::uint64_t count : space.selection().correct().of(kept)) {
    if (count >= space.reference().correct) ++true_positive;
  }
  return true_positive > 0 && 4 * true_positive >= 3 * kept.size() && 2 * true_positive >= good;
}

/// The search with the smallest beta in 0.01 .. 0.50 that reaches the goals; without one, with the
/// default beta.
TunedSearch search_with_best_beta(SearchSpace& space, Metric metric, HierarchicalOptions options,
                                  std::uint64_t good) {
  const std::vector<double> default_beta = options.beta;
  Search search;
  for (int percent = 1; percent <= 50; ++percent) {
    options.beta = {percent / 100.0};
    search = search_hierarchically(space.scorer(), metric, space.model_count(), options,
                                   std::move(search), space.run());
    if (reaches_goals(space, search, good)) return {std::move(search), true};
  }
  options.beta = default_beta;
  return {search_hierarchically(space.scorer(), metric, space.model_count(), options,
                                std::move(search), space.run()),
          false};
}

Searches searches_with_best_betas(SearchSpace& space, int size) {
  const Population population = count_population(space, size, size);
  if (!population.good) {
    throw UsageError(
        message("{} needs the accuracy of every team of size {}, which was {}. Raise {} or give a "
                "beta",
                option("beta", "auto"), size, population.not_computed, option("max_evaluate")));
  }
  Searches result{.desired_size = size};
  HierarchicalOptions options = space.settings().hierarchical;
  options.desired_size = size;
  for (const Metric metric : space.settings().metrics) {
    TunedSearch tuned = search_with_best_beta(space, metric, options, *population.good);
    const double beta = tuned.search.beta.front();
    result.warnings.emplace_back(
        tuned.found
            ? fmt::format("beta {} for {} at size {} was found with this pool's true labels: its "
                          "precision and recall are optimistic",
                          beta, to_string(metric), size)
            : fmt::format("no beta from 0.01 to 0.50 reaches 75 % precision and 50 % recall for {} "
                          "at size {}: {} is used",
                          to_string(metric), size, beta));
    result.searches.push_back(std::move(tuned.search));
  }
  return result;
}

/// `similar`: the searches of another size, or none.
Searches searches_of_size(SearchSpace& space, int size, std::vector<Search> similar,
                          Pruned pruned) {
  if (space.options().beta_auto) return searches_with_best_betas(space, size);
  Searches result{.desired_size = size};
  HierarchicalOptions options = space.settings().hierarchical;
  options.desired_size = size;
  similar.resize(space.settings().metrics.size());
  // A page lists every team that was scored.
  const bool forgets = pruned == Pruned::forgotten && !space.options().detail;
  const std::uint64_t hold = forgets ? space.options().max_evaluate : UINT64_MAX;
  for (std::size_t i = 0; i < similar.size(); ++i) {
    result.searches.push_back(search_hierarchically(space.scorer(), space.settings().metrics[i],
                                                    space.model_count(), options,
                                                    std::move(similar[i]), space.run(), hold));
  }
  return result;
}

/// Whether the best consensus team, or without a consensus the best selected team, is good.
bool reaches_reference(SearchSpace& space, const std::vector<Search>& searches) {
  for (const Search& search : searches) space.learn(kept_teams(search.tiers.back()));
  const auto is_good = [&](std::uint64_t count) { return count >= space.reference().correct; };
  if (const auto consensus = consensus_of(searches, space.counters())) {
    return std::ranges::any_of(consensus->selection.selected.correct, is_good);
  }
  return std::ranges::any_of(searches, [&](const Search& search) {
    return std::ranges::any_of(space.selection().correct().of(kept_teams(search.tiers.back())),
                               is_good);
  });
}

Searches searches_of_smallest_size(SearchSpace& space) {
  const HierarchicalOptions& options = space.settings().hierarchical;
  const int models = space.model_count();
  const int first = std::max(2, options.eligibility.required.size());
  const int available = options.eligibility.required.size() +
                        static_cast<int>(free_models(models, options.eligibility).size());
  const int last = std::min(models - 1, available);
  std::vector<Search> similar;
  for (int size = first; size <= last; ++size) {
    Searches result = searches_of_size(space, size, std::move(similar), Pruned::held);
    if (reaches_reference(space, result.searches)) return result;
    similar = std::move(result.searches);
    const bool nothing_left = std::ranges::all_of(
        similar, [](const Search& search) { return search.tiers.back().kept_count() == 0; });
    if (nothing_left) break;
  }
  Searches result = searches_of_size(space, options.desired_size, {}, Pruned::held);
  result.warnings.emplace_back(
      fmt::format("no size has a selected team that reaches the entire ensemble: size {} is used",
                  options.desired_size));
  return result;
}

}  // namespace

Searches run_searches(SearchSpace& space, Pruned pruned) {
  const HierarchicalOptions& options = space.settings().hierarchical;
  if (space.options().by == By::mean) {
    Searches result{.desired_size = options.desired_size};
    for (const Metric metric : space.settings().metrics) {
      result.searches.push_back(
          search_by_mean(space.scorer(), metric, space.model_count(), options.eligibility));
    }
    return result;
  }
  Searches result = space.options().size_auto
                        ? searches_of_smallest_size(space)
                        : searches_of_size(space, options.desired_size, {}, pruned);
  const std::string remark = size_remark(result.desired_size, space.model_count());
  if (!remark.empty()) result.warnings.emplace_back(remark);
  return result;
}

}  // namespace hqe
