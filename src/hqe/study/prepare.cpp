// SPDX-License-Identifier: MIT
#include "hqe/study/prepare.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "hqe/study/detail.h"

namespace hqe {
namespace {

/// Up to here the counts of all teams together cost less than looking for the ones needed.
constexpr int most_models_counted_together = 12;

Measured measure_selection(Pool pool, const PruneOptions& options, const Settings& settings,
                           const Run& run) {
  MeasureOptions measure_options{.counts = counts_for(settings.metrics, options.sample.has_value()),
                                 .vote = options.vote};
  if (options.detail && pool.model_count() <= most_models_for_focal_table) {
    measure_options.counts.triples = true;
  }
  return measure(std::move(pool), measure_options, run);
}

/// A remark on models that add nothing to each other; empty when there is none.
std::string twin_remark(const Counts& counts) {
  int twins = 0;
  for (int id = 1; id < counts.model_count(); ++id) {
    for (int other = 0; other < id; ++other) {
      if (counts.agreements(static_cast<ModelId>(other), static_cast<ModelId>(id)) !=
          counts.sample_count()) {
        continue;
      }
      ++twins;
      break;
    }
  }
  if (twins == 0) return "";
  return fmt::format("{} model{} exactly as an earlier one: hqe inspect names the pairs", twins,
                     twins == 1 ? " predicts" : "s predict");
}

/// A remark where one class is nearly everything, or where models do little but answer it; empty
/// otherwise. Accuracy says little then.
std::string imbalance_remark(const Measured& measured) {
  constexpr double nearly_everything = 0.8;
  constexpr double little_more = 0.05;
  if (measured.pool.kind == Kind::correctness) return "";
  std::vector<std::uint64_t> samples(static_cast<std::size_t>(measured.pool.class_count), 0);
  for (std::uint64_t i = 0; i < measured.pool.sample_count; ++i) {
    ++samples[static_cast<std::size_t>(measured.pool.true_label(i))];
  }
  const auto largest = std::ranges::max_element(samples);
  const double total = static_cast<double>(measured.pool.sample_count);
  const double share = static_cast<double>(*largest) / total;
  const double best = static_cast<double>(std::ranges::max(measured.correct())) / total;
  if (share == 1) return "";
  if (share <= nearly_everything && (share <= 0.5 || best > share + little_more)) return "";
  const auto label = static_cast<std::size_t>(largest - samples.begin());
  const auto& names = measured.pool.class_names;
  return fmt::format(
      "{:.0f} % of the samples are of class {}, so that accuracy says little of the others: "
      "--merit "
      "balanced counts every class alike",
      100 * share, label < names.size() ? names[label] : std::to_string(label));
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
                   const Run& run_as, TestTeams test_teams)
    : Prepared(match_pools(std::move(pool), std::move(test_pool), asked), run_as, test_teams) {}

Prepared::Prepared(MatchedPools matched, const Run& run_as, TestTeams test_teams)
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
      correct(*measured.contests, run),
      merits(merits_of(options.merit, measured.pool, measured.contests->rule(),
                       measured.pool.sample_count, run)) {
  warnings.insert(warnings.end(), settings.warnings.begin(), settings.warnings.end());
  if (std::string remark = twin_remark(measured.counts); !remark.empty()) {
    warnings.push_back(std::move(remark));
  }
  if (options.merit == Merit::accuracy) {
    if (std::string remark = imbalance_remark(measured); !remark.empty()) {
      warnings.push_back(std::move(remark));
    }
  }
  if (test) {
    test_correct.emplace(*test->contests, run);
    test_merits = merits_of(options.merit, test->pool, test->contests->rule(),
                            measured.pool.sample_count, run);
  }
  if (model_count() <= most_models_counted_together || options.by == By::mean) {
    correct.learn_every_team();
    if (test_correct && test_teams == TestTeams::many) test_correct->learn_every_team();
  }
  reference = figures(Team::all(model_count()));
}

void Prepared::learn(const TeamList& teams) {
  correct.learn(teams);
  if (test_correct) test_correct->learn(teams);
}

void Prepared::check_unchanged() const {
  hqe::check_unchanged(measured.pool);
  if (test) hqe::check_unchanged(test->pool);
}

TeamFigures Prepared::figures(const Team& team) const {
  TeamFigures result{.team = team, .correct = correct.of(team.view())};
  if (test_correct) result.test_correct = test_correct->of(team.view());
  if (merits) result.merit = merits->of(team.view());
  if (test_merits) result.test_merit = test_merits->of(team.view());
  return result;
}

}  // namespace hqe
