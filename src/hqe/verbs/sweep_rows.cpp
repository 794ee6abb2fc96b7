// SPDX-License-Identifier: MIT
#include "hqe/verbs/sweep_rows.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <tuple>
#include <utility>

#include "hqe/ensemble/ens_set.h"
#include "hqe/pruning/hierarchical.h"
#include "hqe/search/quality.h"
#include "hqe/search/search.h"

namespace hqe {
namespace {

/// The search as it would have ended at a smaller size.
Search ended_at(const Search& search, const HierarchicalOptions& options,
                const SearchSpace& space) {
  Search ended{.metric = search.metric, .beta = search.beta};
  for (const Tier& tier : search.tiers) {
    if (tier.team_size != options.desired_size) continue;
    ended.tiers.push_back(tier);
    HierarchicalPruning(space.model_count(), options).prune_tier(ended.tiers.back(), space.run());
  }
  return ended;
}

/// Runs every beta up to the largest size; smaller sizes are the first tiers of that search.
class Sweeper {
 public:
  Sweeper(SearchSpace& space, std::vector<int> sizes)
      : space_(space), sizes_(std::move(sizes)), similar_(space.settings().metrics.size()) {
    for (const int size : sizes_) populations_.push_back(count_population(space_, size, size));
  }

  /// Rows of one beta, by size, then metric.
  std::vector<SweepRow> rows_of(double beta) {
    HierarchicalOptions options = space_.settings().hierarchical;
    options.desired_size = sizes_.back();
    options.beta = {beta};
    for (std::size_t i = 0; i < similar_.size(); ++i) {
      similar_[i] =
          search_hierarchically(space_.scorer(), space_.settings().metrics[i], space_.model_count(),
                                options, std::move(similar_[i]), space_.run());
    }
    std::vector<SweepRow> rows;
    for (std::size_t place = 0; place < sizes_.size(); ++place) {
      options.desired_size = sizes_[place];
      std::vector<Search> searches;
      for (const Search& search : similar_) {
        searches.push_back(ended_at(search, options, space_));
        space_.learn(kept_teams(searches.back().tiers.back()));
      }
      for (const Search& search : searches) {
        rows.push_back(
            row(place, beta, std::string(to_string(search.metric)), kept_counts(search)));
      }
      if (const auto consensus =
              consensus_of(searches, {.correct = &space_.selection().correct()})) {
        const Selection& selection = consensus->selection;
        rows.push_back(row(place, beta, selection.metric, selection.selected.correct));
      }
    }
    return rows;
  }

 private:
  [[nodiscard]] std::vector<std::uint32_t> kept_counts(const Search& search) const {
    return space_.selection().correct().counts_of(kept_teams(search.tiers.back()));
  }

  [[nodiscard]] SweepRow row(std::size_t place, double beta, std::string metric,
                             const std::vector<std::uint32_t>& counts) const {
    const Population& population = populations_[place];
    return {
        .size = sizes_[place],
        .beta = beta,
        .metric = std::move(metric),
        .quality = quality_of(extent_of(counts), count_good(counts, space_.reference().correct),
                              population, population.good, space_.model_count(), sizes_[place])};
  }

  SearchSpace& space_;
  std::vector<int> sizes_;
  std::vector<Search> similar_;  ///< One a metric: the search of the last beta.
  std::vector<Population> populations_;
};

}  // namespace

std::vector<SweepRow> sweep_rows(SearchSpace& space, const std::vector<int>& sizes,
                                 const std::vector<double>& betas) {
  Sweeper sweeper(space, sizes);
  std::vector<SweepRow> rows;
  for (const double beta : betas)
    std::ranges::move(sweeper.rows_of(beta), std::back_inserter(rows));
  std::ranges::stable_sort(rows, {},
                           [](const SweepRow& row) { return std::tuple(row.size, row.beta); });
  return rows;
}

std::vector<SweepRow> sweep_around(SearchSpace& space, int size) {
  constexpr std::uint64_t most_teams = 20'000;
  const bool is_plain = space.options().by == By::hierarchical &&
                        space.options().merit == Merit::accuracy &&
                        space.options().require.empty() && space.options().exclude.empty() &&
                        space.options().budget.empty();
  std::vector<int> sizes;
  for (int one = std::max(2, size - 2); one <= std::min(size + 1, space.model_count() - 1); ++one) {
    const auto teams = EnsSet(space.model_count(), one).size();
    if (teams && *teams <= most_teams) sizes.push_back(one);
  }
  if (!is_plain || sizes.empty()) return {};
  return sweep_rows(space, sizes, {0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35});
}

}  // namespace hqe
