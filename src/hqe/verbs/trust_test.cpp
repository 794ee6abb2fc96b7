// SPDX-License-Identifier: MIT
#include "hqe/study/trust.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "hqe/base/error.h"
#include "hqe/base/random.h"
#include "hqe/ensemble/ens_set.h"
#include "hqe/predictions/samples.h"
#include "hqe/verbs/verbs.h"
#include "tests/support/strange_pools.h"

namespace hqe {
namespace {

using testing::strange_pool;

Pool trusted_pool(Kind kind, int samples = 240, std::uint64_t seed = 3) {
  return strange_pool(
      {.kind = kind, .model_count = 7, .sample_count = samples, .class_count = 3, .seed = seed});
}

/// Right or wrong, sample by sample, as the vote is defined.
std::vector<char> outcomes(const Pool& pool, const VoteRule& rule, const Team& team) {
  std::vector<char> right;
  for (std::uint64_t sample = 0; sample < pool.sample_count; ++sample) {
    right.push_back(team_answer(pool, rule, team.view(), sample) == pool.true_label(sample));
  }
  return right;
}

std::vector<std::uint64_t> correct_of(const PoolSummary& pool) {
  std::vector<std::uint64_t> correct;
  for (const auto& model : pool.models) correct.push_back(model.correct);
  return correct;
}

/// The rule that a study voted by.
VoteRule rule_of(const Study& study) {
  return settle_vote(study.pool.kind, study.pool.sample_count, {}, correct_of(study.pool));
}

void check_paired(const PairedFigures& figures, const std::vector<char>& first,
                  const std::vector<char>& second) {
  std::uint64_t only_first = 0, only_second = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    only_first += first[i] > second[i] ? 1 : 0;
    only_second += first[i] < second[i] ? 1 : 0;
  }
  CHECK(figures.counts.total == first.size());
  CHECK(figures.counts.only_first == only_first);
  CHECK(figures.counts.only_second == only_second);
  CHECK(figures.p_value == mcnemar_p_value(figures.counts));
}

TEST_CASE("holding out is choosing on one part and judging on the other") {
  for (const Kind kind : all_kinds) {
    const Pool pool = trusted_pool(kind);
    const PruneOptions options{.size = 3, .holdout = 0.4, .seed = 6};
    const Study study = prune(pool, options);
    const SampleSplit split = split_samples(pool, 0.4, 6);
    const Pool held_out = samples_of(pool, split.held_out);
    const Study expected = prune(samples_of(pool, split.selection), {.size = 3}, {}, held_out);
    REQUIRE(study.recommended.has_value());
    CHECK(study.recommended->figures.team == expected.recommended->figures.team);
    CHECK(study.recommended->figures.test_correct == expected.recommended->figures.test_correct);
    CHECK(study.trust.held_out == HeldOut::share);
    CHECK(expected.trust.held_out == HeldOut::test);
    const VoteRule rule = rule_of(study);
    const auto own = outcomes(held_out, rule, study.recommended->figures.team);
    REQUIRE(study.trust.teams.size() == 4);
    CHECK(study.trust.teams[0].held_out->correct ==
          static_cast<std::uint64_t>(std::ranges::count(own, 1)));
    REQUIRE(study.trust.comparisons.size() == 3);
    for (const BaselineComparison& comparison : study.trust.comparisons) {
      check_paired(*comparison.held_out, own, outcomes(held_out, rule, comparison.team));
    }
  }
}

TEST_CASE("nothing held out is said, and then verdicts rest on the corrected interval") {
  const Study study = prune(trusted_pool(Kind::labels),
                            {.size = 3, .choose = Choose::consensus, .judge_on_half = false});
  CHECK(study.trust.held_out == HeldOut::nothing);
  CHECK(study.trust.says.text().find("Nothing was held out") != std::string::npos);
  REQUIRE(study.trust.chosen.has_value());
  const ChosenInterval& chosen = *study.trust.chosen;
  const Interval& plain = study.trust.teams[0].selection.interval;
  CHECK(chosen.interval.low <= plain.low);
  CHECK(chosen.interval.high >= plain.high);
  CHECK(chosen.among == study.consensus->selection.selected.size());
  for (const BaselineComparison& comparison : study.trust.comparisons) {
    CHECK_FALSE(comparison.held_out.has_value());
    CHECK(comparison.samples == study.pool.sample_count);
    CHECK(comparison.corrected.low <= comparison.selection.counts.difference());
    CHECK(comparison.corrected.high >= comparison.selection.counts.difference());
  }
}

TEST_CASE("folds judge every sample once, by a choice made without it") {
  for (const Kind kind : all_kinds) {
    const Pool pool = trusted_pool(kind);
    const Study study = prune(pool, {.size = 3, .folds = 4, .seed = 2});
    CHECK(study.trust.held_out == HeldOut::folds);
    REQUIRE(study.trust.folds.size() == 4);
    std::vector<char> own, entire, single;
    const auto append = [](std::vector<char>& all, const std::vector<char>& more) {
      all.insert(all.end(), more.begin(), more.end());
    };
    const auto splits = fold_samples(pool, 4, 2);
    for (std::size_t fold = 0; fold < 4; ++fold) {
      const Study without = prune(samples_of(pool, splits[fold].selection), {.size = 3});
      const Pool part = samples_of(pool, splits[fold].held_out);
      const VoteRule rule = rule_of(without);
      CHECK(study.trust.folds[fold].team == without.recommended->figures.team);
      append(own, outcomes(part, rule, without.recommended->figures.team));
      append(entire, outcomes(part, rule, Team::all(7)));
      append(single, outcomes(part, rule, without.baselines.best_single.team));
    }
    CHECK(own.size() == pool.sample_count);
    const SideBySide& row = study.trust.teams[0];
    CHECK(row.selection.correct == study.recommended->figures.correct);
    CHECK(row.held_out->correct == static_cast<std::uint64_t>(std::ranges::count(own, 1)));
    CHECK(row.held_out->samples == pool.sample_count);
    check_paired(*study.trust.comparisons[0].held_out, own, entire);
    check_paired(*study.trust.comparisons[1].held_out, own, single);
  }
}

TEST_CASE("held-out samples are asked for in one way at a time, and in sensible amounts") {
  const Pool pool = trusted_pool(Kind::labels);
  CHECK_THROWS_AS((void)prune(pool, {.holdout = 0.5, .folds = 2}), UsageError);
  CHECK_THROWS_AS((void)prune(pool, {.holdout = 0.5}, {}, pool), UsageError);
  CHECK_THROWS_AS((void)prune(pool, {.folds = 2}, {}, pool), UsageError);
  CHECK_THROWS_AS((void)prune(pool, {.holdout = 1.5}), UsageError);
  CHECK_THROWS_AS((void)prune(pool, {.folds = 1}), UsageError);
  CHECK_THROWS_AS((void)prune(pool, {.margin = 0}), UsageError);
}

TEST_CASE("stability counts the choices on resamples") {
  const Pool pool = trusted_pool(Kind::labels, 100);
  const Study study =
      prune(pool, {.size = 3, .choose = Choose::consensus, .seed = 4, .stability = 6});
  REQUIRE(study.trust.stability.has_value());
  const Stability& stability = *study.trust.stability;
  CHECK(stability.resamples == 6);
  double members = 0;
  for (const double share : stability.members) members += share;
  CHECK(members == doctest::Approx(3.0 * (6 - stability.without_team) / 6));
  int times = 0;
  for (const Stability::Frequency& entry : stability.teams) {
    times += entry.times;
    if (entry.team == study.recommended->figures.team) {
      CHECK(stability.same_team == doctest::Approx(entry.times / 6.0));
    }
  }
  CHECK(times == 6 - stability.without_team);
  REQUIRE(stability.kept.size() == 5);
  for (const Stability::Kept& kept : stability.kept) {
    CHECK(kept.jaccard > 0);
    CHECK(kept.jaccard <= 1);
  }
  // Where all samples are alike, every resample is the same pool.
  PoolParts parts{.kind = Kind::correctness};
  for (const double right : {1, 0, 1, 1}) {
    parts.models.push_back(testing::model("m" + std::to_string(parts.models.size()),
                                          testing::vector(std::vector<double>(20, right))));
  }
  const Study same = prune(make_pool(parts), {.stability = 3});
  CHECK(same.trust.stability->same_team == 1);
  for (const Stability::Kept& kept : same.trust.stability->kept) CHECK(kept.jaccard == 1);
}

/// Whether `team` ranks in the upper half of its size, counted plainly.
bool is_upper(const std::vector<double>& scores, std::size_t place) {
  std::size_t before = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const double difference = scores[i] - scores[place];
    if (difference > 5e-13 || (std::abs(difference) <= 5e-13 && i < place)) ++before;
  }
  return before < scores.size() / 2;
}

TEST_CASE("violations and regret equal a plain look at all teams") {
  for (const Kind kind : {Kind::labels, Kind::correctness}) {
    const Pool pool = trusted_pool(kind, 90);
    const Study study =
        prune(pool, {.size = 4, .beta = {0.25}, .metrics = {Metric::f_gd}, .detail = true});
    REQUIRE(study.trust.pruning.size() == 1);
    const PruningCheck& check = study.trust.pruning[0];
    CHECK(check.not_measured.empty());
    const Scores scores = score(pool, {.size_max = 4, .metrics = {Metric::f_gd}});
    const Evaluation evaluation = evaluate(pool, {.size_min = 4, .size_max = 4});
    std::vector<std::vector<double>> by_size(5);
    for (std::size_t i = 0; i < scores.teams.size(); ++i) {
      by_size[scores.teams[i].size()].push_back(scores.columns[0].scores[i]);
    }
    std::vector<Team> good;  // Of the upper half, of any size.
    std::vector<std::size_t> place(5);
    for (std::size_t i = 0; i < scores.teams.size(); ++i) {
      const std::size_t size = scores.teams[i].size();
      if (is_upper(by_size[size], place[size]++)) good.emplace_back(scores.teams[i]);
    }
    const auto& scored = study.detail->scored[0];
    const auto contains = [](TeamView large, TeamView small) {
      return large.size() > small.size() && std::ranges::includes(large, small);
    };
    std::vector<std::uint64_t> pruned(5), violated(5);
    std::vector<Team> pruned_teams;
    for (std::size_t i = 0; i < scored.teams.size(); ++i) {
      if (scored.fates[i] != StudyDetail::Fate::pruned) continue;
      const std::size_t size = scored.teams[i].size();
      pruned_teams.emplace_back(scored.teams[i]);
      ++pruned[size];
      violated[size] += std::ranges::any_of(
          good, [&](const Team& team) { return contains(team.view(), scored.teams[i]); });
    }
    REQUIRE(check.tiers.size() == 2);
    for (const PruningCheck::Tier& tier : check.tiers) {
      CHECK(tier.pruned == pruned[static_cast<std::size_t>(tier.size)]);
      CHECK(tier.violated == violated[static_cast<std::size_t>(tier.size)]);
    }
    std::uint64_t cut = 0, cut_good = 0, best_kept = 0, best_thrown_away = 0;
    for (std::size_t i = 0; i < evaluation.teams.size(); ++i) {
      const TeamView team = evaluation.teams[i];
      const bool is_cut = std::ranges::any_of(
          pruned_teams, [&](const Team& small) { return contains(team, small.view()); });
      const bool is_pruned = std::ranges::any_of(
          pruned_teams, [&](const Team& one) { return std::ranges::equal(one, team); });
      cut += is_cut ? 1 : 0;
      cut_good += is_cut && is_upper(by_size[4], i) ? 1 : 0;
      std::uint64_t& best = is_cut || is_pruned ? best_thrown_away : best_kept;
      best = std::max(best, evaluation.correct[i]);
    }
    CHECK(check.cut == cut);
    CHECK(check.cut_in_upper_half == cut_good);
    CHECK(check.best_kept->correct == best_kept);
    CHECK(check.best_thrown_away->correct == best_thrown_away);
  }
  const Study limited = prune(trusted_pool(Kind::labels), {.require = {"0"}});
  CHECK(limited.trust.pruning[0].not_measured.find("required") != std::string::npos);
  const Study large = prune(trusted_pool(Kind::labels), {.size = 3, .max_evaluate = 30});
  CHECK(large.trust.pruning[0].not_measured.find("35 teams of size 3") != std::string::npos);
}

double plain_balanced(const Pool& pool, const std::vector<char>& right) {
  std::vector<double> hits(static_cast<std::size_t>(pool.class_count)), all(hits);
  for (std::uint64_t i = 0; i < pool.sample_count; ++i) {
    const auto label = static_cast<std::size_t>(pool.true_label(i));
    hits[label] += right[i];
    ++all[label];
  }
  double sum = 0, classes = 0;
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (all[k] == 0) continue;
    sum += hits[k] / all[k];
    ++classes;
  }
  return sum / classes;
}

double plain_log_loss(const Pool& pool, TeamView team) {
  double sum = 0;
  std::vector<double> row(static_cast<std::size_t>(pool.class_count));
  for (std::uint64_t i = 0; i < pool.sample_count; ++i) {
    double share = 0;
    for (const ModelId model : team) {
      class_scores(pool, model, i, row);
      share += row[static_cast<std::size_t>(pool.true_label(i))];
    }
    sum += std::log(std::max(share / static_cast<double>(team.size()), 1e-15));
  }
  return sum / static_cast<double>(pool.sample_count);
}

TEST_CASE("balanced accuracy and log-loss equal their definitions, and decide what is good") {
  for (const Kind kind : all_kinds) {
    for (const Merit merit : {Merit::balanced, Merit::logloss}) {
      if (merit == Merit::logloss && !has_scores(kind)) continue;
      const Pool pool = trusted_pool(kind, 150);
      const Pool test = trusted_pool(kind, 90, 9);
      const Study study =
          prune(pool, {.size = 3, .choose = Choose::consensus, .merit = merit}, {}, test);
      const VoteRule rule = rule_of(study);
      const auto plain = [&](const Pool& on, TeamView team) {
        return merit == Merit::balanced ? plain_balanced(on, outcomes(on, rule, Team(team)))
                                        : plain_log_loss(on, team);
      };
      const double reference = plain(pool, Team::all(7).view());
      CHECK(*study.reference.merit == doctest::Approx(reference).epsilon(1e-11));
      const SelectedTeams& selected = study.selections[0].selected;
      std::uint64_t good_selected = 0;
      for (std::size_t i = 0; i < selected.size(); ++i) {
        CHECK(selected.merit[i] == doctest::Approx(plain(pool, selected.teams[i])).epsilon(1e-11));
        CHECK(selected.test_merit[i] ==
              doctest::Approx(plain(test, selected.teams[i])).epsilon(1e-11));
        good_selected += selected.merit[i] >= *study.reference.merit ? 1 : 0;
      }
      CHECK(study.selections[0].quality.true_positive == good_selected);
      std::uint64_t good = 0;
      const TeamList all = EnsSet(7, 3).list();
      for (std::size_t i = 0; i < all.size(); ++i) {
        good += plain(pool, all[i]) >= reference - 1e-12 ? 1 : 0;
      }
      CHECK(study.selections[0].quality.good == good);
      for (const double value : study.consensus->selection.selected.merit) {
        CHECK(value <= *study.recommended->figures.merit);
      }
    }
  }
  CHECK_THROWS_AS((void)prune(trusted_pool(Kind::labels), {.merit = Merit::logloss}), UsageError);
  CHECK_THROWS_AS(
      (void)prune(trusted_pool(Kind::labels), {.size_auto = true, .merit = Merit::balanced}),
      UsageError);
}

TEST_CASE(
    "under another merit verdicts go by its differences, on the samples held out where there are "
    "some") {
  for (const Kind kind : {Kind::probabilities, Kind::labels}) {
    for (const Merit merit : {Merit::balanced, Merit::logloss}) {
      if (merit == Merit::logloss && !has_scores(kind)) continue;
      const Pool pool = trusted_pool(kind, 300);
      const Pool test = trusted_pool(kind, 200, 9);
      for (const bool has_test : {true, false}) {
        const Study study = prune(pool, {.size = 3, .merit = merit, .judge_on_half = false}, {},
                                  has_test ? std::optional(test) : std::nullopt);
        const VoteRule rule = rule_of(study);
        const Pool& judged = has_test ? test : pool;
        const auto plain = [&](TeamView team) {
          return merit == Merit::balanced
                     ? plain_balanced(judged, outcomes(judged, rule, Team(team)))
                     : plain_log_loss(judged, team);
        };
        REQUIRE(study.trust.comparisons.size() == 3);
        for (const BaselineComparison& comparison : study.trust.comparisons) {
          REQUIRE(comparison.merit.has_value());
          const double difference =
              plain(study.recommended->figures.team.view()) - plain(comparison.team.view());
          CHECK(comparison.merit->difference == doctest::Approx(difference).epsilon(1e-9));
          CHECK(comparison.difference() == comparison.merit->difference);
          const Interval& interval = comparison.merit->interval;
          CHECK(interval.low + interval.high == doctest::Approx(2 * difference).epsilon(1e-9));
          if (comparison.says != "the same team") {
            CHECK(comparison.verdict == verdict_of(interval, 0.005));
          }
          CHECK(comparison.samples == judged.sample_count);
        }
      }
    }
  }
}

TEST_CASE("folds add up differences of merit over every sample") {
  const Pool pool = trusted_pool(Kind::probabilities, 300);
  const PruneOptions options{.size = 3, .merit = Merit::logloss, .folds = 4, .seed = 5};
  const Study study = prune(pool, options);
  const VoteRule rule = rule_of(study);
  double sum = 0;
  const std::vector<SampleSplit> splits = fold_samples(pool, 4, 5);
  REQUIRE(study.trust.folds.size() == splits.size());
  for (std::size_t fold = 0; fold < splits.size(); ++fold) {
    const Pool held_out = samples_of(pool, splits[fold].held_out);
    const auto samples = static_cast<double>(held_out.sample_count);
    sum += samples * (plain_log_loss(held_out, study.trust.folds[fold].team.view()) -
                      plain_log_loss(held_out, Team::all(7).view()));
  }
  const BaselineComparison& entire = study.trust.comparisons.front();
  REQUIRE(entire.against == JudgedRule::entire_ensemble);
  CHECK(entire.merit->difference == doctest::Approx(sum / 300).epsilon(1e-9));
}

}  // namespace
}  // namespace hqe
