// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "hqe/base/error.h"
#include "hqe/diversity/baseline.h"
#include "hqe/diversity/sample_limit.h"
#include "hqe/ensemble/ens_set.h"
#include "hqe/search/measure.h"
#include "hqe/search/scorer.h"
#include "hqe/search/settings.h"
#include "hqe/verbs/verbs.h"

namespace hqe {

Scores score(Pool pool, const ScoreOptions& options, const Run& run) {
  const int models = pool.model_count();
  check_model_count(pool, 2, "a team's diversity");
  check_sizes(options.size_min, options.size_max, 2, models, models);
  check_team_count(models, options.size_min, options.size_max, options.max_candidates);
  const std::vector<Metric> metrics = settle_metrics(pool, options.metrics, pruning_metrics());
  if (options.sample) check_sample(*options.sample, pool.model_count());
  MeasureOptions measure_options{.counts = counts_for(metrics, options.sample.has_value())};
  measure_options.failure_bits = std::ranges::any_of(metrics, needs_failure_bits);
  const Measured measured = measure(std::move(pool), measure_options, run);
  const Scorer scorer(measured, {.weights = options.weights, .sample = options.sample}, run);

  Scores result{.pool = summary_of(measured), .options = options};
  result.warnings = measured.pool.notes;
  for (const Metric metric : metrics) result.columns.push_back({.metric = metric});
  for (int size = options.size_min; size <= options.size_max; ++size) {
    const TeamList teams = EnsSet(models, size).list();
    result.teams.append(teams);
    for (Scores::Column& column : result.columns) {
      const std::vector<double> scores = scorer.scores(column.metric, teams);
      column.scores.insert(column.scores.end(), scores.begin(), scores.end());
      if (!options.focal || !is_focal(column.metric)) continue;
      const std::vector<double> focal = scorer.focal_columns(column.metric, teams);
      column.focal.insert(column.focal.end(), focal.begin(), focal.end());
    }
  }
  check_unchanged(measured.pool);
  return result;
}

}  // namespace hqe
