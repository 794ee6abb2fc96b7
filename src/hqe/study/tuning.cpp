// SPDX-License-Identifier: MIT
#include "hqe/study/tuning.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "hqe/base/error.h"
#include "hqe/study/judge.h"

namespace hqe {
namespace {

struct TunedSearch {
  Search search;
  bool found = false;  ///< Some beta reached both goals.
};

/// Precision >= 75 % and recall >= 50 %, in whole numbers.
bool reaches_goals(const Prepared& prepared, const Search& search, std::uint64_t good) {
  const TeamList kept = kept_teams(search.tiers.back());
  std::uint64_t true_positive = 0;
  for (const std::uint64_t count : prepared.correct.of(kept)) {
    if (count >= prepared.reference.correct) ++true_positive;
  }
  return true_positive > 0 && 4 * true_positive >= 3 * kept.size() && 2 * true_positive >= good;
}

/// The search with the smallest beta in 0.01 .. 0.50 that reaches the goals; without one, with the
/// default beta.
TunedSearch search_with_best_beta(Prepared& prepared, Metric metric, HierarchicalOptions options,
                                  std::uint64_t good) {
  const std::vector<double> default_beta = options.beta;
  Search search;
  for (int percent = 1; percent <= 50; ++percent) {
    options.beta = {percent / 100.0};
    search = search_hierarchically(prepared.scorer, metric, prepared.model_count(), options,
                                   std::move(search), prepared.run);
    if (reaches_goals(prepared, search, good)) return {std::move(search), true};
  }
  options.beta = default_beta;
  return {search_hierarchically(prepared.scorer, metric, prepared.model_count(), options,
                                std::move(search), prepared.run),
          false};
}

Searches searches_with_best_betas(Prepared& prepared, int size) {
  const Population population = count_population(prepared, size, size);
  if (!population.good) {
    throw UsageError(
        fmt::format("--beta auto needs the accuracy of every team of size {}, which "
                    "was {}. Raise --max-evaluate or give a beta",
                    size, population.not_computed));
  }
  Searches result{.desired_size = size};
  HierarchicalOptions options = prepared.settings.hierarchical;
  options.desired_size = size;
  for (const Metric metric : prepared.settings.metrics) {
    TunedSearch tuned = search_with_best_beta(prepared, metric, options, *population.good);
    const double beta = tuned.search.beta.front();
    result.warnings.push_back(
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
Searches searches_of_size(Prepared& prepared, int size, std::vector<Search> similar) {
  if (prepared.options.beta_auto) return searches_with_best_betas(prepared, size);
  Searches result{.desired_size = size};
  HierarchicalOptions options = prepared.settings.hierarchical;
  options.desired_size = size;
  similar.resize(prepared.settings.metrics.size());
  for (std::size_t i = 0; i < similar.size(); ++i) {
    result.searches.push_back(search_hierarchically(prepared.scorer, prepared.settings.metrics[i],
                                                    prepared.model_count(), options,
                                                    std::move(similar[i]), prepared.run));
  }
  return result;
}

/// Whether the best consensus team, or without a consensus the best selected team, is good.
bool reaches_reference(Prepared& prepared, const std::vector<Search>& searches) {
  for (const Search& search : searches) prepared.learn(kept_teams(search.tiers.back()));
  const auto is_good = [&](std::uint64_t count) { return count >= prepared.reference.correct; };
  if (const auto agreement = agreement_of(searches, prepared.counters())) {
    return std::ranges::any_of(agreement->selected.correct, is_good);
  }
  return std::ranges::any_of(searches, [&](const Search& search) {
    return std::ranges::any_of(prepared.correct.of(kept_teams(search.tiers.back())), is_good);
  });
}

Searches searches_of_smallest_size(Prepared& prepared) {
  const HierarchicalOptions& options = prepared.settings.hierarchical;
  const int models = prepared.model_count();
  const int first = std::max(2, options.eligibility.required.size());
  const int available = options.eligibility.required.size() +
                        static_cast<int>(free_models(models, options.eligibility).size());
  const int last = std::min(models - 1, available);
  std::vector<Search> similar;
  for (int size = first; size <= last; ++size) {
    Searches result = searches_of_size(prepared, size, std::move(similar));
    if (reaches_reference(prepared, result.searches)) return result;
    similar = std::move(result.searches);
    const bool nothing_left = std::ranges::all_of(
        similar, [](const Search& search) { return search.tiers.back().kept_count() == 0; });
    if (nothing_left) break;
  }
  Searches result = searches_of_size(prepared, options.desired_size, {});
  result.warnings.push_back(
      fmt::format("no size has a selected team that reaches the entire ensemble: size {} is used",
                  options.desired_size));
  return result;
}

}  // namespace

Searches run_searches(Prepared& prepared) {
  const HierarchicalOptions& options = prepared.settings.hierarchical;
  if (prepared.options.by == By::mean) {
    Searches result{.desired_size = options.desired_size};
    for (const Metric metric : prepared.settings.metrics) {
      result.searches.push_back(
          search_by_mean(prepared.scorer, metric, prepared.model_count(), options.eligibility));
    }
    return result;
  }
  Searches result = prepared.options.size_auto
                        ? searches_of_smallest_size(prepared)
                        : searches_of_size(prepared, options.desired_size, {});
  const std::string remark = size_remark(result.desired_size, prepared.model_count());
  if (!remark.empty()) result.warnings.push_back(remark);
  return result;
}

}  // namespace hqe
