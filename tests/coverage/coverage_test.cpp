// SPDX-License-Identifier: MIT
// Intervals and verdicts on synthetic pools whose truth is known: some samples are easy, every
// model is right; on the others models are right independently of each other, each with a
// probability of its own. So the accuracy of a team has a formula.
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "hqe/base/random.h"
#include "hqe/predictions/pool.h"
#include "hqe/search/measure.h"
#include "hqe/search/outcomes.h"
#include "hqe/statistics/intervals.h"
#include "hqe/verbs/verbs.h"

namespace hqe {
namespace {

constexpr double easy_share = 0.6;

struct World {
  std::vector<double> skill;  ///< On a hard sample, one a model.
  std::uint64_t samples = 0;
};

Pool draw_pool(const World& world, std::uint64_t seed) {
  Random random(seed, 77);
  std::vector<char> is_easy(world.samples);
  for (char& easy : is_easy) easy = random.unit() < easy_share ? 1 : 0;
  PoolParts parts{.kind = Kind::correctness};
  for (std::size_t m = 0; m < world.skill.size(); ++m) {
    const auto right = std::make_shared<std::vector<std::uint8_t>>();
    for (const char easy : is_easy) {
      right->push_back(easy != 0 || random.unit() < world.skill[m] ? 1 : 0);
    }
    parts.models.push_back(
        {.name = "m" + std::to_string(m),
         .predictions = {.dtype = DType::uint8,
                         .shape = {static_cast<std::int64_t>(world.samples), 1},
                         .strides = {1, 0},
                         .data = reinterpret_cast<const std::byte*>(right->data()),
                         .owner = right}});
  }
  return make_pool(std::move(parts));
}

/// The chance that most of an odd number of members are right, sample by sample of the world.
double true_accuracy(const World& world, TeamView team) {
  std::vector<double> chance{1};  // Of so many members being right.
  for (const ModelId model : team) {
    const double skill = world.skill[model];
    chance.push_back(0);
    for (std::size_t k = chance.size(); k-- > 0;) {
      chance[k] = chance[k] * (1 - skill) + (k > 0 ? chance[k - 1] * skill : 0);
    }
  }
  double right = 0;
  for (std::size_t k = team.size() / 2 + 1; k < chance.size(); ++k) right += chance[k];
  return easy_share + (1 - easy_share) * right;
}

bool covers(const Interval& interval, double truth) {
  return interval.low <= truth && truth <= interval.high;
}

/// Skills between 0.45 and 0.75.
World uneven_world(int models, std::uint64_t samples, std::uint64_t seed) {
  World world{.skill = {}, .samples = samples};
  Random random(seed, 78);
  for (int m = 0; m < models; ++m) world.skill.push_back(0.45 + 0.3 * random.unit());
  return world;
}

struct Shares {
  double wilson = 0, paired = 0, chosen = 0;
};

/// How often each interval holds the truth, over `pools` pools.
Shares coverage(int pools) {
  Shares covered;
  const Team fixed{0, 1, 2};
  const Team other{3, 4, 5};
  for (int pool = 0; pool < pools; ++pool) {
    const auto seed = static_cast<std::uint64_t>(pool);
    const World world = uneven_world(9, 1000, seed);
    const Measured measured =
        measure(draw_pool(world, seed), {.vote = VoteOptions{}}, {.threads = 1});
    const double truth = true_accuracy(world, fixed.view());
    if (covers(wilson_interval(measured.contests->correct_count(fixed.view()), world.samples),
               truth)) {
      ++covered.wilson;
    }
    const PairedCounts counts = paired_counts(*measured.contests, fixed.view(), other.view());
    if (covers(paired_bootstrap_interval(counts, seed),
               truth - true_accuracy(world, other.view()))) {
      ++covered.paired;
    }
    const Study study = prune(measured.pool, {.size = 3, .seed = seed}, {.threads = 1});
    const Team& chosen = study.recommended->figures.team;
    if (covers(study.trust.chosen->interval, true_accuracy(world, chosen.view()))) {
      ++covered.chosen;
    }
  }
  return {covered.wilson / pools, covered.paired / pools, covered.chosen / pools};
}

struct Verdicts {
  double better = 0;       ///< Share of the pools with "better" against some baseline.
  double each_better = 0;  ///< Share of all verdicts that are "better".
};

/// All models are right on half of the hard samples: every team of odd size, the entire ensemble
/// and every single model are exactly as good as each other.
enum class Judged { held_out, on_half, corrected };

Verdicts verdicts_on_equals(int pools, Judged judged) {
  Verdicts found;
  double verdicts = 0;
  const World world{.skill = std::vector<double>(9, 0.5), .samples = 800};
  for (int pool = 0; pool < pools; ++pool) {
    const auto seed = static_cast<std::uint64_t>(pool) + 5000;
    PruneOptions options{.size = 3, .seed = seed};
    if (judged == Judged::held_out) options.holdout = 0.5;
    options.judge_on_half = judged == Judged::on_half;
    const Study study = prune(draw_pool(world, seed), options, {.threads = 1});
    bool any = false;
    for (const BaselineComparison& comparison : study.trust.comparisons) {
      const bool is_better = comparison.verdict == Verdict::better;
      any = any || is_better;
      found.each_better += is_better ? 1 : 0;
      ++verdicts;
    }
    found.better += any ? 1 : 0;
  }
  return {found.better / pools, found.each_better / verdicts};
}

TEST_CASE("intervals hold the truth about as often as they promise") {
  const Shares shares = coverage(150);
  CHECK(shares.wilson >= 0.9);
  CHECK(shares.paired >= 0.9);
  CHECK(shares.chosen >= 0.92);
}

TEST_CASE("equally good models are seldom called better") {
  for (const Judged judged : {Judged::held_out, Judged::on_half, Judged::corrected}) {
    CAPTURE(judged);
    CHECK(verdicts_on_equals(60, judged).better <= 0.1);
  }
}

TEST_CASE("soak: intervals hold the truth over a thousand pools" * doctest::skip()) {
  const Shares shares = coverage(1000);
  MESSAGE("Wilson " << shares.wilson << ", paired " << shares.paired << ", chosen "
                    << shares.chosen);
  CHECK(shares.wilson >= 0.93);
  CHECK(shares.wilson <= 0.97);
  CHECK(shares.paired >= 0.93);
  CHECK(shares.paired <= 0.97);
  CHECK(shares.chosen >= 0.94);
}

TEST_CASE("soak: five hundred pools of equals are called better in about 5 % at most" *
          doctest::skip()) {
  for (const Judged judged : {Judged::held_out, Judged::on_half, Judged::corrected}) {
    const Verdicts found = verdicts_on_equals(500, judged);
    CAPTURE(judged);
    MESSAGE(found.better << " of pools, " << found.each_better << " of verdicts");
    CHECK(found.better <= 0.05 + 2 * 0.0097);  // Two standard errors of 5 % of 500.
  }
}

}  // namespace
}  // namespace hqe
