// SPDX-License-Identifier: MIT
/// A small study whose every number can be checked by hand: four models on 100 samples, teams of
/// two, the pair 0,1 pruned.

#pragma once

#include "hqe/study/study.h"
#include "tests/support/hand_made_serving.h"

namespace hqe::testing {

inline PoolSummary hand_made_pool() {
  PoolSummary pool;
  pool.name = "four friends";
  pool.kind = Kind::probabilities;
  pool.kind_detected = true;
  pool.sample_count = 100;
  pool.class_count = 3;
  pool.models = {{"anna", 70, {}},
                 {"Bébé", 72, {}},
                 {"a model with a very long name indeed, v2", 75, {}},
                 {"dora", 78, {}}};
  double params = 1e6;
  for (auto& model : pool.models) {
    model.costs[Cost::params] = params;
    params *= 2;
  }
  pool.models[0].costs.lipschitz = 12.5;
  pool.class_names = {"cat", "dog", "bird"};
  pool.about = "made \"by hand\"";
  return pool;
}

inline Quality hand_made_quality() {
  return {.selected = 2,
          .good = 3,
          .true_positive = 1,
          .teams_of_size = 6,
          .precision = 0.5,
          .recall = 1.0 / 3,
          .base_rate = 0.5,
          .correct_min = 79,
          .correct_max = 84,
          .cost_reduction = 0.5,
          .not_computed = {}};
}

inline Selection hand_made_selection(const char* metric) {
  Selection selection;
  selection.metric = metric;
  selection.tiers = {{.size = 2, .candidates = 6, .pruned = 4, .cut = 0, .beta = 0.7}};
  selection.selected.teams.push_back(Team{2, 3}.view());
  selection.selected.teams.push_back(Team{0, 3}.view());
  selection.selected.scores = {0.9375, 0.5};
  selection.selected.correct = {84, 79};
  selection.quality = hand_made_quality();
  selection.correlations = {{.size = 2, .teams = 6, .spearman = 0.75, .kendall = 0.5}};
  selection.baseline_correlations = {{.size = 2, .teams = 6, .spearman = -0.25, .kendall = {}}};
  return selection;
}

inline void add_alternative(Recommendation& recommended, Alternative::Role role, const Team& team,
                            std::uint64_t correct, const char* says) {
  Alternative& alternative = recommended.alternatives.emplace_back();
  alternative.role = role;
  alternative.figures.team = team;
  alternative.figures.correct = correct;
  alternative.rule = "the best one";
  alternative.expected = 0.775;
  alternative.says = says;
}

inline Study hand_made_study() {
  Study study;
  study.pool = hand_made_pool();
  study.options.size = 2;
  study.options.beta = {0.7};
  study.options.metrics = {Metric::f_bd, Metric::f_gd};
  study.options.sample = SampleOptions{.draws = 100, .repeats = 3, .seed = 7};
  study.options.require = {"dora"};
  study.options.budget = {{Cost::params, 1e8}};
  study.vote = Vote::soft;
  study.desired_size = 2;
  study.metrics = study.options.metrics;
  study.reference = {Team::all(4), 80, {}};
  study.selections = {hand_made_selection("F-BD"), hand_made_selection("F-GD")};
  Consensus consensus{hand_made_selection("MAJORITY-F"), 2, 2};
  consensus.selection.tiers.clear();
  consensus.selection.correlations.clear();
  consensus.selection.baseline_correlations.clear();
  consensus.selection.selected.votes = {2, 2};
  study.consensus = consensus;
  study.baselines = {{Team{3}, 78, {}}, {Team{2, 3}, 84, {}}, TeamFigures{Team{2, 3}, 84, {}}, {}};
  Recommendation& recommended = study.recommended.emplace();
  recommended.figures.team = Team{2, 3};
  recommended.figures.correct = 84;
  recommended.from = "MAJORITY-F";
  recommended.why = "It is the best.";
  add_alternative(recommended, Alternative::Role::cheaper, Team{3}, 78, "as good");
  add_alternative(recommended, Alternative::Role::most_accurate, Team{2, 3}, 84, "the same team");
  CandidateFigures& candidate = study.evidence.emplace_back();
  candidate.rule = "the best team of 2";
  candidate.team = Team{2, 3};
  candidate.worth = 0.84;
  candidate.expected = 0.8125;
  candidate.ahead = 0.0125;
  candidate.standard_error = 0.005;
  recommended.serving = Serving{.temperature = 2, .selection = hand_made_effect(100), .test = {}};
  study.recommended_errors = TeamErrors{
      .error_correlation = 0.2, .posterior_error_correlation = {}, .added_error_ratio = 0.6};
  study.recommended_robustness = Robustness{.median_radius = 0.01, .certified = {{0.005, 0.625}}};
  study.warnings = {"S_d is half of the models."};
  return study;
}

inline void add_test_pool(Study& study) {
  study.test = TestSummary{hand_made_pool(), 160};
  study.test->pool.name = "test friends";
  study.test->pool.sample_count = 200;
  study.reference.test_correct = 160;
  const auto count = [](Selection& selection) {
    selection.selected.test_correct = {158, 165};
    selection.test_quality = hand_made_quality();
  };
  for (Selection& selection : study.selections) count(selection);
  count(study.consensus->selection);
  study.baselines.best_single.test_correct = 150;
  study.baselines.most_accurate.test_correct = 158;
  study.baselines.best_of_size->test_correct = 158;
  study.recommended->figures.test_correct = 158;
  study.recommended->serving->test = hand_made_effect(200);
}

/// Everything that can be said of trust; the numbers stand for themselves.
inline void add_trust(Study& study) {
  const AccuracyFigures chosen_on{84, 100, {0.75, 0.9}};
  const AccuracyFigures held_out{158, 200, {0.73, 0.84}};
  const PairedFigures paired{
      {.total = 200, .only_first = 12, .only_second = 4}, {0.01, 0.08}, 0.125};
  Trust& trust = study.trust;
  trust.held_out = HeldOut::test;
  trust.says = "Judged on others.";
  trust.teams = {{JudgedRule::recommended, Team{2, 3}, chosen_on, held_out},
                 {JudgedRule::entire_ensemble, Team::all(4), chosen_on, held_out},
                 {JudgedRule::best_single, Team{3}, chosen_on, {}}};
  trust.comparisons = {{.against = JudgedRule::entire_ensemble,
                        .team = Team::all(4),
                        .selection = paired,
                        .corrected = {-0.01, 0.1},
                        .held_out = paired,
                        .verdict = Verdict::cannot_tell,
                        .samples = 200,
                        .samples_needed = 450,
                        .says = "cannot tell on 200 samples, about 450 would be needed"},
                       {.against = JudgedRule::best_single,
                        .team = Team{3},
                        .selection = paired,
                        .corrected = {0.01, 0.1},
                        .held_out = {},
                        .verdict = Verdict::better,
                        .samples = 100,
                        .samples_needed = {},
                        .says = "better"}};
  trust.chosen = ChosenInterval{{0.7, 0.95}, 2.5, 2, 3, 1000};
  trust.half = FoldFigures{Team{0, 3}, chosen_on, held_out};
  trust.folds = {{Team{2, 3}, chosen_on, held_out}, {Team{0, 3}, chosen_on, held_out}};
  trust.stability = Stability{.resamples = 50,
                              .without_team = 1,
                              .same_team = 0.5,
                              .members = {0.25, 0, 0.75, 1},
                              .kept = {{"F-GD", 0.625}},
                              .teams = {{Team{2, 3}, 25}},
                              .not_measured = {}};
  trust.pruning = {{.metric = "F-BD",
                    .tiers = {{.size = 2, .pruned = 4, .violated = 3}},
                    .cut = 8,
                    .cut_in_upper_half = 2,
                    .best_kept = PruningCheck::Best{Team{2, 3}, 84, 158},
                    .best_thrown_away = PruningCheck::Best{Team{0, 1}, 85, {}},
                    .not_measured = {}},
                   {.metric = "F-GD",
                    .tiers = {},
                    .best_kept = {},
                    .best_thrown_away = {},
                    .not_measured = "not measured: too many"}};
}

inline void add_detail(Study& study) {
  StudyDetail detail;
  StudyDetail::ScoredTeams scored;
  scored.metric = "F-GD";
  scored.teams.push_back(Team{0, 3}.view());
  scored.teams.push_back(Team{2, 3}.view());
  scored.scores = {0.5, 0.9375};
  scored.fates = {StudyDetail::Fate::pruned, StudyDetail::Fate::kept};
  scored.correct = {79, 84};
  detail.scored = {scored};
  const auto both_fail = [&](std::uint64_t i, std::uint64_t j) {
    return i == j ? 100 - study.pool.models[i].correct : i + j + 3;
  };
  for (std::uint64_t f = 0; f < 4; ++f) {
    for (std::uint64_t i = 0; i < 4; ++i) detail.co_failures.push_back(both_fail(f, i));
    for (std::uint64_t ij = 0; ij < 16; ++ij) {
      const std::uint64_t i = ij / 4, j = ij % 4;
      detail.focal_co_failures.push_back(f == i || i == j ? both_fail(f, j)
                                         : f == j         ? both_fail(i, j)
                                                          : (f + i + j) / 2);
    }
  }
  detail.repaired_count = 9;
  detail.broken_count = 4;
  detail.deciding_samples = {
      {.sample = 17,
       .truth = 2,
       .answer = -1,
       .repaired = false,
       .members = {{.model = 2, .classes = {2, 0, 1}, .confidences = {0.5, 0.25, 0.25}},
                   {.model = 3, .classes = {1}, .confidences = {}}}}};
  detail.sweep = {{.size = 2, .beta = 0.25, .metric = "F-GD", .quality = hand_made_quality()}};
  detail.sweep[0].quality.cost_reduction.reset();
  study.detail = detail;
  study.options.detail = true;
}

/// A study with everything that a study can have.
inline Study whole_study() {
  Study study = hand_made_study();
  add_test_pool(study);
  add_detail(study);
  add_trust(study);
  study.recommended->early_exit = hand_made_exit();
  study.recommended->early_exit->held_out = {.by = ExitJudge::test, .run = hand_made_run(200)};
  return study;
}

}  // namespace hqe::testing
