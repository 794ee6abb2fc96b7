// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "hqe/base/random.h"
#include "hqe/verbs/verbs.h"
#include "tests/reference/diversity.h"
#include "tests/reference/pruning.h"
#include "tests/reference/votes.h"
#include "tests/support/thinned.h"

namespace hqe {
namespace {

using reference::Members;
using reference::ReferencePool;

/// Makes a pool strange in one of the ways that users' pools are.
ReferencePool strange_pool(std::uint64_t seed) {
  ReferencePool pool = reference::random_pool({.model_count = 4 + static_cast<int>(seed % 4),
                                               .sample_count = 20 + static_cast<int>(seed % 30),
                                               .class_count = 2 + static_cast<int>(seed % 3),
                                               .abstain = seed % 5 == 1 ? 0.2 : 0,
                                               .probabilities = seed % 5 > 2,
                                               .seed = seed});
  const auto copy = [&](std::size_t to, std::size_t from) {
    pool.predictions[to] = pool.predictions[from];
    if (!pool.probabilities.empty()) pool.probabilities[to] = pool.probabilities[from];
  };
  const auto answer = [&](std::size_t model, int sample, int label) {
    pool.predictions[model][static_cast<std::size_t>(sample)] = label;
    if (pool.probabilities.empty()) return;
    auto& row = pool.probabilities[model][static_cast<std::size_t>(sample)];
    row.assign(row.size(), 0.0);
    row[static_cast<std::size_t>(label)] = 1.0;
  };
  switch (seed % 7) {
    case 1:  // two models say the same
      copy(2, 0);
      break;
    case 2:  // all models say the same
      for (std::size_t m = 1; m < pool.predictions.size(); ++m) copy(m, 0);
      break;
    case 3:  // a model never fails
      for (int x = 0; x < pool.sample_count; ++x) answer(1, x, pool.truth[x]);
      break;
    case 4:  // a model says always the same
      for (int x = 0; x < pool.sample_count; ++x) answer(3, x, 0);
      break;
    case 5:  // rows of equal probabilities
      for (auto& model : pool.probabilities) {
        model[0].assign(model[0].size(), 1.0 / static_cast<double>(model[0].size()));
      }
      if (!pool.probabilities.empty()) {
        for (auto& model : pool.predictions) model[0] = 0;
      }
      break;
    default:
      break;
  }
  return pool;
}

std::uint64_t correct_of(const ReferencePool& pool, const Members& team) {
  const std::vector<std::uint64_t> correct = reference::correct_counts(pool);
  return reference::team_correct(pool, [&](int sample) {
    return pool.probabilities.empty() ? reference::plurality_vote(pool, team, sample, correct)
                                      : reference::soft_vote(pool, team, sample);
  });
}

Members members(TeamView team) { return {team.begin(), team.end()}; }

std::map<Members, double> score_literally(const ReferencePool& pool, Metric metric,
                                          const std::vector<Members>& teams) {
  if (teams.empty()) return {};
  if (is_focal(metric)) return reference::focal_diversity(pool, baseline_of(metric), teams);
  std::map<Members, double> scores;
  for (const Members& team : teams) {
    scores[team] = reference::baseline_diversity(pool, metric, team);
  }
  return scores;
}

void check_quality(const ReferencePool& pool, const Quality& quality,
                   const std::vector<Members>& selected, int size) {
  const std::uint64_t entire =
      correct_of(pool, reference::all_teams(pool.model_count, pool.model_count)[0]);
  const auto is_good = [&](const Members& team) { return correct_of(pool, team) >= entire; };
  const std::vector<Members> all = reference::all_teams(pool.model_count, size);
  const auto good = static_cast<std::uint64_t>(std::ranges::count_if(all, is_good));
  const auto hits = static_cast<std::uint64_t>(std::ranges::count_if(selected, is_good));
  CHECK(quality.selected == selected.size());
  CHECK(quality.good == good);
  CHECK(quality.true_positive == hits);
  CHECK(quality.teams_of_size == all.size());
  CHECK(quality.precision.has_value() == !selected.empty());
  if (quality.precision) {
    CHECK(*quality.precision == static_cast<double>(hits) / static_cast<double>(selected.size()));
  }
  CHECK(quality.recall.has_value() == (good > 0));
  if (quality.recall) {
    CHECK(*quality.recall == static_cast<double>(hits) / static_cast<double>(good));
  }
}

TEST_CASE("studies of strange pools equal the paper's algorithms word by word") {
  testing::Thinned thinned(11);  // Seven are left: each strange way once, and every kind of pool.
  for (std::uint64_t seed = 1; seed <= 70; ++seed) {
    if (thinned.leaves_out()) continue;
    CAPTURE(seed);
    const ReferencePool plain = strange_pool(seed);
    Random random(seed);
    const int size =
        2 + static_cast<int>(random.below(static_cast<std::uint64_t>(plain.model_count - 2)));
    const double beta = 0.05 * static_cast<double>(random.below(10));
    const Study study = prune(reference::to_pool(plain),
                              {.size = size,
                               .beta = {beta},
                               .metrics = {Metric::bd, Metric::gd, Metric::f_ck, Metric::f_bd,
                                           Metric::f_kw, Metric::f_gd}},
                              {.threads = 1 + static_cast<int>(seed % 3)});
    std::vector<std::map<Members, double>> focal_opinions;
    for (std::size_t s = 0; s < study.selections.size(); ++s) {
      const Selection& selection = study.selections[s];
      CAPTURE(selection.metric);
      const Metric metric = study.metrics[s];
      const auto tiers = reference::prune_hierarchically(
          plain.model_count,
          [&](const std::vector<Members>& teams) { return score_literally(plain, metric, teams); },
          {.desired_size = size, .beta = {beta}});
      REQUIRE(tiers.size() == selection.tiers.size());
      for (std::size_t t = 0; t < tiers.size(); ++t) {
        CHECK(selection.tiers[t].candidates == tiers[t].candidates.size());
        CHECK(selection.tiers[t].pruned == tiers[t].pruned.size());
      }
      std::map<Members, double> kept;
      for (const Members& team : tiers.back().kept) kept[team] = tiers.back().scores.at(team);
      CHECK(selection.selected.size() == kept.size());
      for (std::size_t i = 0; i < selection.selected.size(); ++i) {
        const Members team = members(selection.selected.teams[i]);
        REQUIRE(kept.contains(team));
        CHECK(selection.selected.scores[i] == doctest::Approx(kept[team]).epsilon(1e-9));
        CHECK(selection.selected.correct[i] == correct_of(plain, team));
      }
      check_quality(plain, selection.quality, tiers.back().kept, size);
      if (is_focal(metric)) focal_opinions.push_back(std::move(kept));
    }
    const auto agreed = reference::consensus(focal_opinions);
    REQUIRE(study.consensus.has_value());
    const SelectedTeams& consensus = study.consensus->selection.selected;
    REQUIRE(consensus.size() == agreed.size());
    std::vector<Members> agreed_teams;
    for (std::size_t i = 0; i < agreed.size(); ++i) {
      CHECK(members(consensus.teams[i]) == agreed[i].team);
      CHECK(consensus.votes[i] == agreed[i].votes);
      agreed_teams.push_back(agreed[i].team);
    }
    check_quality(plain, study.consensus->selection.quality, agreed_teams, size);
  }
}

TEST_CASE("what is kept of tiers too long to be counted whole is what is kept of others") {
  const Pool pool = reference::to_pool(
      reference::random_pool({.model_count = 14, .sample_count = 300, .seed = 4}));
  const PruneOptions options{.size = 4, .choose = Choose::consensus};
  PruneOptions few = options;
  few.max_evaluate = 100;  // Of 1,001 teams.
  PruneOptions listed = few;
  listed.detail = true;  // Tiers forget nothing where every scored team is to be listed.
  const Study all = prune(pool, options);
  for (const Study& study : {prune(pool, few), prune(pool, listed)}) {
    REQUIRE(study.selections.size() == all.selections.size());
    const auto check = [](const Selection& one, const Selection& other) {
      CHECK(one.selected.teams == other.selected.teams);
      CHECK(one.selected.scores == other.selected.scores);
      CHECK(one.selected.correct == other.selected.correct);
      CHECK(one.selected.votes == other.selected.votes);
      CHECK(one.quality.correct_max == other.quality.correct_max);
      REQUIRE(one.tiers.size() == other.tiers.size());
      for (std::size_t i = 0; i < one.tiers.size(); ++i) {
        CHECK(one.tiers[i].candidates == other.tiers[i].candidates);
        CHECK(one.tiers[i].pruned == other.tiers[i].pruned);
      }
    };
    for (std::size_t i = 0; i < all.selections.size(); ++i) {
      check(study.selections[i], all.selections[i]);
      CHECK(study.selections[i].correlations.back().teams ==
            all.selections[i].correlations.back().teams);
    }
    check(study.consensus->selection, all.consensus->selection);
    CHECK(study.recommended->figures.team == all.recommended->figures.team);
  }
}

TEST_CASE("the same study comes out for any number of threads") {
  const Pool pool = reference::to_pool(
      reference::random_pool({.model_count = 14, .sample_count = 300, .seed = 3}));
  const PruneOptions options{.size = 5, .detail = true};
  const Study one = prune(pool, options, {.threads = 1});
  for (const int threads : {2, 7}) {
    const Study many = prune(pool, options, {.threads = threads});
    REQUIRE(many.detail->scored.size() == one.detail->scored.size());
    for (std::size_t i = 0; i < one.detail->scored.size(); ++i) {
      CHECK(many.detail->scored[i].teams == one.detail->scored[i].teams);
      CHECK(many.detail->scored[i].scores == one.detail->scored[i].scores);
      CHECK(many.detail->scored[i].fates == one.detail->scored[i].fates);
      CHECK(many.detail->scored[i].correct == one.detail->scored[i].correct);
    }
    CHECK(many.consensus->selection.selected.teams == one.consensus->selection.selected.teams);
    CHECK(many.recommended->why == one.recommended->why);
    CHECK(many.selections[3].correlations[3].kendall == one.selections[3].correlations[3].kendall);
  }
}

void check_same_columns(const SelectedTeams& left, const SelectedTeams& right) {
  CHECK(left.teams == right.teams);
  CHECK(left.scores == right.scores);
  CHECK(left.votes == right.votes);
  CHECK(left.correct == right.correct);
}

void check_same(const std::vector<Correlation>& left, const std::vector<Correlation>& right) {
  REQUIRE(left.size() == right.size());
  for (std::size_t i = 0; i < left.size(); ++i) {
    CHECK(left[i].teams == right[i].teams);
    CHECK(left[i].spearman == right[i].spearman);
    CHECK(left[i].kendall == right[i].kendall);
  }
}

TEST_CASE("what is forgotten on the way to a study is in none of its answers") {
  testing::Thinned thinned(5);
  for (const int classes : {2, 4}) {
    const auto pool =
        reference::random_pool({.model_count = 26, .sample_count = 150, .class_count = classes});
    for (const std::uint64_t keep : {12U, 60U, 100'000U}) {
      for (const std::uint64_t max_evaluate : {100U, 1'500U}) {
        for (const int threads : {1, 3}) {
          if (thinned.leaves_out()) continue;
          PruneOptions options{.size = 4, .keep = keep, .max_evaluate = max_evaluate};
          const Study forgetful = prune(reference::to_pool(pool), options, {.threads = threads});
          options.detail = true;  // A page lists every team: none is forgotten.
          const Study whole = prune(reference::to_pool(pool), options, {.threads = threads});
          REQUIRE(forgetful.selections.size() == whole.selections.size());
          for (std::size_t i = 0; i < whole.selections.size(); ++i) {
            const Selection &one = forgetful.selections[i], &other = whole.selections[i];
            check_same_columns(one.selected, other.selected);
            check_same(one.correlations, other.correlations);
            check_same(one.baseline_correlations, other.baseline_correlations);
            CHECK(one.tiers.back().candidates == other.tiers.back().candidates);
          }
          check_same_columns(forgetful.consensus->selection.selected,
                             whole.consensus->selection.selected);
          CHECK(forgetful.recommended->figures.team == whole.recommended->figures.team);
        }
      }
    }
  }
}

}  // namespace
}  // namespace hqe
