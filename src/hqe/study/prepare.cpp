// SPDX-License-Identifier: MIT
#include "hqe/study/prepare.h"

#include <utility>

#include "hqe/study/detail.h"

namespace hqe {
namespace {

/// Up to here the counts of all teams together cost less than looking for the ones needed.
constexpr int most_models_for_every_team = 12;

Measured measure_selection(Pool pool, const PruneOptions& options, const Settings& settings,
                           const Run& run) {
  MeasureOptions measure_options{.counts = counts_for(settings.metrics), .vote = options.vote};
  if (options.detail && pool.model_count() <= most_models_for_focal_table) {
    measure_options.counts.triples = true;
  }
  return measure(std::move(pool), measure_options, run);
}

/// The test pool votes as was settled on the selection pool: same weights, same ties.
std::optional<Measured> measure_test(std::optional<Pool> test, const Measured& selection,
                                     const Run& run) {
  if (!test) return std::nullopt;
  const VoteRule& rule = selection.contests->rule();
  return measure(
      std::move(*test),
      {.vote = VoteOptions{.vote = rule.vote, .weights = rule.weights, .ties = rule.ties},
       .selection_correct = selection.correct(),
       .selection_samples = selection.pool.sample_count},
      run);
}

}  // namespace

Prepared::Prepared(Pool pool, std::optional<Pool> test_pool, const PruneOptions& asked,
                   const Run& run_as)
    : Prepared(match_pools(std::move(pool), std::move(test_pool), asked), run_as) {}

Prepared::Prepared(MatchedPools matched, const Run& run_as)
    : run(run_as),
      options(std::move(matched.options)),
      settings(settle(matched.pool, options)),
      warnings(std::move(matched.warnings)),
      measured(measure_selection(std::move(matched.pool), options, settings, run)),
      test(measure_test(std::move(matched.test), measured, run)),
      scorer(measured,
             {.weights = options.weights,
              .scale = options.scale,
              .sample = options.sample,
              .max_candidates = options.max_candidates},
             run),
      correct(*measured.contests, run) {
  warnings.insert(warnings.end(), settings.warnings.begin(), settings.warnings.end());
  if (test) test_correct.emplace(*test->contests, run);
  if (model_count() <= most_models_for_every_team || options.by == By::mean) {
    correct.learn_every_team();
    if (test_correct) test_correct->learn_every_team();
  }
  reference = figures(Team::all(model_count()));
}

void Prepared::learn(const TeamList& teams) {
  correct.learn(teams);
  if (test_correct) test_correct->learn(teams);
}

TeamFigures Prepared::figures(const Team& team) const {
  TeamFigures result{.team = team, .correct = correct.of(team.view())};
  if (test_correct) result.test_correct = test_correct->of(team.view());
  return result;
}

}  // namespace hqe
