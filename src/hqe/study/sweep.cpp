// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>
#include <vector>

#include "hqe/base/error.h"
#include "hqe/study/judge.h"
#include "hqe/study/nothing_selected.h"
#include "hqe/study/prepare.h"
#include "hqe/study/search.h"
#include "hqe/study/sweep_rows.h"
#include "hqe/study/verbs.h"

namespace hqe {
namespace {

PruneOptions with_one_setting(PruneOptions options, int size, double beta) {
  options.size = size;
  options.beta = {beta};
  return options;
}

void check_sweep(const std::vector<int>& sizes, const std::vector<double>& betas,
                 const PruneOptions& options) {
  if (sizes.empty() || betas.empty()) {
    throw UsageError("a sweep needs at least one size and one beta");
  }
  if (options.by == By::mean || options.size_auto || options.beta_auto) {
    throw UsageError("a sweep tries sizes and betas of --by hierarchical; it has no auto");
  }
  if (options.merit != Merit::accuracy) throw UsageError("a sweep counts good teams by accuracy");
}

/// The search as it would have ended at a smaller size.
Search ended_at(const Search& search, const HierarchicalOptions& options, int model_count) {
  Search ended{.metric = search.metric, .beta = search.beta};
  for (const Tier& tier : search.tiers) {
    if (tier.team_size != options.desired_size) continue;
    ended.tiers.push_back(tier);
    HierarchicalPruning(model_count, options).prune_tier(ended.tiers.back());
  }
  return ended;
}

/// Runs every beta up to the largest size; smaller sizes are the first tiers of that search.
class Sweeper {
 public:
  Sweeper(Prepared& prepared, std::vector<int> sizes)
      : prepared_(prepared), sizes_(std::move(sizes)), similar_(prepared.settings.metrics.size()) {
    for (const int size : sizes_) populations_.push_back(count_population(prepared_, size, size));
  }

  /// Rows of one beta, by size, then metric.
  std::vector<SweepRow> rows_of(double beta) {
    HierarchicalOptions options = prepared_.settings.hierarchical;
    options.desired_size = sizes_.back();
    options.beta = {beta};
    for (std::size_t i = 0; i < similar_.size(); ++i) {
      similar_[i] = search_hierarchically(prepared_.scorer, prepared_.settings.metrics[i],
                                          prepared_.model_count(), options, std::move(similar_[i]),
                                          prepared_.run);
    }
    std::vector<SweepRow> rows;
    for (std::size_t place = 0; place < sizes_.size(); ++place) {
      options.desired_size = sizes_[place];
      std::vector<Search> searches;
      for (const Search& search : similar_) {
        searches.push_back(ended_at(search, options, prepared_.model_count()));
        prepared_.learn(kept_teams(searches.back().tiers.back()));
      }
      for (const Search& search : searches) {
        rows.push_back(
            row(place, beta, std::string(to_string(search.metric)), kept_counts(search)));
      }
      if (const auto agreement = agreement_of(searches, {.correct = &prepared_.correct})) {
        rows.push_back(row(place, beta, "MAJORITY-F", agreement->selected.correct));
      }
    }
    return rows;
  }

 private:
  [[nodiscard]] std::vector<std::uint64_t> kept_counts(const Search& search) const {
    return prepared_.correct.of(kept_teams(search.tiers.back()));
  }

  [[nodiscard]] SweepRow row(std::size_t place, double beta, std::string metric,
                             const std::vector<std::uint64_t>& counts) const {
    const Population& population = populations_[place];
    return {
        .size = sizes_[place],
        .beta = beta,
        .metric = std::move(metric),
        .quality = quality_of(counts, count_good(counts, prepared_.reference.correct), population,
                              population.good, prepared_.model_count(), sizes_[place])};
  }

  Prepared& prepared_;
  std::vector<int> sizes_;
  std::vector<Search> similar_;  ///< One a metric: the search of the last beta.
  std::vector<Population> populations_;
};

}  // namespace

std::vector<SweepRow> sweep_rows(Prepared& prepared, const std::vector<int>& sizes,
                                 const std::vector<double>& betas) {
  Sweeper sweeper(prepared, sizes);
  std::vector<SweepRow> rows;
  for (const double beta : betas)
    std::ranges::move(sweeper.rows_of(beta), std::back_inserter(rows));
  std::ranges::stable_sort(rows, {},
                           [](const SweepRow& row) { return std::tuple(row.size, row.beta); });
  return rows;
}

Sweep sweep(Pool pool, const std::vector<int>& sizes, const std::vector<double>& betas,
            const PruneOptions& options, const Run& run) {
  check_sweep(sizes, betas, options);
  std::vector<int> ascending = sizes;
  std::ranges::sort(ascending);
  ascending.erase(std::ranges::unique(ascending).begin(), ascending.end());
  std::vector<double> growing = betas;
  std::ranges::sort(growing);
  growing.erase(std::ranges::unique(growing).begin(), growing.end());
  // Every setting must be in range, not only the first that is tried.
  for (const int size : ascending) {
    for (const double beta : growing) (void)settle(pool, with_one_setting(options, size, beta));
  }

  Prepared prepared(std::move(pool), std::nullopt,
                    with_one_setting(options, ascending.back(), growing.front()), run);
  Sweep result{.pool = summary_of(prepared.measured),
               .options = options,
               .vote = prepared.correct.contests().rule().vote,
               .reference = prepared.reference,
               .rows = sweep_rows(prepared, ascending, growing),
               .warnings = prepared.warnings};
  for (const int size : ascending) {
    const std::string remark = size_remark(size, prepared.model_count());
    if (!remark.empty()) result.warnings.push_back(remark);
  }
  if (std::ranges::none_of(result.rows,
                           [](const SweepRow& row) { return row.quality.selected > 0; })) {
    const std::string over = why_over_budget(prepared, ascending.front());
    result.warnings.push_back(!over.empty() ? over
                                            : "no setting selected a team. Sweep smaller sizes or "
                                              "betas, or raise --keep");
  }
  prepared.check_unchanged();
  return result;
}

}  // namespace hqe
