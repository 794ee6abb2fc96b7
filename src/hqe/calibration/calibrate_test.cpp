// SPDX-License-Identifier: MIT
#include "hqe/calibration/calibrate.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "hqe/bits/target.h"
#include "tests/reference/calibration.h"
#include "tests/reference/votes.h"
#include "tests/support/arrays.h"

namespace hqe {
namespace {

using reference::Members;
using reference::ReferencePool;

const VoteRule soft{.vote = Vote::soft};

/// Two classes; every sample has the share `first` for class 0, as the mean of two models.
Pool one_opinion(double first, const std::vector<double>& truth) {
  std::vector<double> low, high;
  for (std::size_t x = 0; x < truth.size(); ++x) {
    low.insert(low.end(), {first - 0.1, 1.1 - first});
    high.insert(high.end(), {first + 0.1, 0.9 - first});
  }
  const auto samples = static_cast<std::int64_t>(truth.size());
  PoolParts parts{.kind = Kind::probabilities};
  parts.models.push_back(testing::model("low", testing::matrix(samples, 2, low, DType::float64)));
  parts.models.push_back(testing::model("high", testing::matrix(samples, 2, high, DType::float64)));
  parts.labels = testing::vector(truth);
  return make_pool(std::move(parts));
}

void check_figures(const CalibrationFigures& figures, const reference::Calibration& expected) {
  const auto near = [](double value) { return doctest::Approx(value).epsilon(1e-12).scale(1); };
  CHECK(figures.log_loss == near(expected.log_loss));
  CHECK(figures.brier == near(expected.brier));
  CHECK(figures.calibration_error == near(expected.calibration_error));
  for (std::size_t b = 0; b < figures.bins.size(); ++b) {
    CAPTURE(b);
    CHECK(figures.bins[b].count == static_cast<std::uint64_t>(expected.bins[b].count));
    CHECK(figures.bins[b].confidence == near(expected.bins[b].confidence));
    CHECK(figures.bins[b].accuracy() == near(expected.bins[b].accuracy));
  }
}

bool same_bits(const CalibrationFigures& left, const CalibrationFigures& right) {
  return left.log_loss == right.log_loss && left.brier == right.brier &&
         left.calibration_error == right.calibration_error &&
         std::ranges::equal(left.bins, right.bins, [](const auto& one, const auto& other) {
           return one.count == other.count && one.confidence == other.confidence &&
                  one.correct == other.correct;
         });
}

TEST_CASE("shares of 9 to 1 that are right three times of four need the temperature 2") {
  // 3 to 1 is the square root of 9 to 1.
  const Serving serving = calibrate(one_opinion(0.9, {0, 0, 1, 0}), soft, Team{0, 1}.view(), {});
  CHECK(serving.temperature == doctest::Approx(2).epsilon(1e-9));
  const CalibrationEffect& effect = serving.selection;
  CHECK(effect.samples == 4);
  CHECK(effect.before.log_loss ==
        doctest::Approx(-(3 * std::log(0.9) + std::log(0.1)) / 4).epsilon(1e-12));
  CHECK(effect.after.log_loss ==
        doctest::Approx(-(3 * std::log(0.75) + std::log(0.25)) / 4).epsilon(1e-12));
  CHECK(effect.before.brier == doctest::Approx(0.42).epsilon(1e-12));
  CHECK(effect.after.brier == doctest::Approx(0.375).epsilon(1e-9));
  CHECK(effect.before.calibration_error == doctest::Approx(0.15).epsilon(1e-12));
  CHECK(effect.after.calibration_error < 1e-9);
  // 0.9 lies in (13/15, 14/15], 0.75 in (11/15, 12/15].
  CHECK(effect.before.bins[13].count == 4);
  CHECK(effect.before.bins[13].confidence == doctest::Approx(0.9));
  CHECK(effect.before.bins[13].accuracy() == 0.75);
  CHECK(effect.after.bins[11].count == 4);
}

TEST_CASE("shares that are right as often as they say keep the temperature 1") {
  const Serving serving = calibrate(one_opinion(0.75, {0, 0, 1, 0}), soft, Team{0, 1}.view(), {});
  CHECK(serving.temperature == 1);
  CHECK(same_bits(serving.selection.before, serving.selection.after));
  CHECK(serving.selection.before.calibration_error < 1e-15);
}

TEST_CASE("a team that is always right or always wrong ends at a limit of the temperature") {
  const Team team{0, 1};
  CHECK(calibrate(one_opinion(0.8, {0, 0}), soft, team.view(), {}).temperature == 1.0 / 20);
  CHECK(calibrate(one_opinion(0.8, {1, 1}), soft, team.view(), {}).temperature == 20);
}

TEST_CASE("a largest share on the border of two bins lies in the lower one") {
  // 0.6 is 9/15, which binary fractions miss by a little.
  const CalibrationEffect effect =
      judge_calibration(one_opinion(0.6, {0, 1}), soft, Team{0, 1}.view(), 1, {});
  CHECK(effect.before.bins[8].count == 2);
}

TEST_CASE("temperature and figures equal plain loops over random pools") {
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    CAPTURE(seed);
    const ReferencePool plain =
        reference::random_pool({.model_count = 4,
                                .sample_count = 40 + static_cast<int>(seed * 13),
                                .class_count = 2 + static_cast<int>(seed % 11),
                                .accuracy = 0.4 + 0.02 * static_cast<double>(seed),
                                .probabilities = true,
                                .seed = seed});
    const Members members = seed % 2 == 0 ? Members{0, 1, 3} : Members{1, 2};
    const Team team(std::vector<ModelId>(members.begin(), members.end()));
    const bool is_weighted = seed % 3 == 0;
    const std::vector<double> weights =
        is_weighted ? std::vector{0.2, 0.9, 0.0, 0.4} : std::vector(4, 1.0);
    const VoteRule rule = is_weighted ? VoteRule{.vote = Vote::weighted, .weights = weights} : soft;
    const Pool pool = reference::to_pool(plain);

    const Serving serving = calibrate(pool, rule, team.view(), {});
    const double expected = reference::best_temperature(plain, members, weights);
    CHECK(std::abs(serving.temperature / expected - 1) < 1e-6);
    const auto judge = [&](double temperature) {
      return reference::judge_shares(
          plain, reference::tempered_shares(plain, members, weights, temperature));
    };
    check_figures(serving.selection.before, judge(1));
    check_figures(serving.selection.after, judge(serving.temperature));
    CHECK(serving.selection.after.log_loss <= serving.selection.before.log_loss);
    const CalibrationEffect given = judge_calibration(pool, rule, team.view(), 3.5, {});
    check_figures(given.before, judge(1));
    check_figures(given.after, judge(3.5));
  }
}

TEST_CASE("no answer changes: as many samples are right in the bins as by the vote") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    const ReferencePool plain = reference::random_pool({.model_count = 3,
                                                        .sample_count = 200,
                                                        .class_count = 4,
                                                        .probabilities = true,
                                                        .seed = seed});
    const Members members{0, 1, 2};
    const std::uint64_t right = reference::team_correct(
        plain, [&](int sample) { return reference::soft_vote(plain, members, sample); });
    const Pool pool = reference::to_pool(plain);
    for (const double temperature : {1.0 / 20, 0.3, 1.0, 4.0, 20.0}) {
      const CalibrationEffect effect =
          judge_calibration(pool, soft, Team{0, 1, 2}.view(), temperature, {});
      std::uint64_t in_bins = 0;
      for (const ReliabilityBin& bin : effect.after.bins) in_bins += bin.correct;
      CHECK(in_bins == right);
      const auto shares = reference::tempered_shares(plain, members, {1, 1, 1}, temperature);
      for (int x = 0; x < plain.sample_count; ++x) {
        CHECK(reference::argmax(shares[x]) == reference::soft_vote(plain, members, x));
      }
    }
  }
}

TEST_CASE("the same bits for any number of threads and any target") {
  const Pool pool = reference::to_pool(reference::random_pool(
      {.model_count = 4, .sample_count = 3000, .class_count = 11, .probabilities = true}));
  const Team team{0, 2, 3};
  const Serving one = calibrate(pool, soft, team.view(), {.threads = 1});
  const auto check_same = [&](int threads) {
    const Serving other = calibrate(pool, soft, team.view(), {.threads = threads});
    CHECK(other.temperature == one.temperature);
    CHECK(same_bits(other.selection.before, one.selection.before));
    CHECK(same_bits(other.selection.after, one.selection.after));
  };
  for (const int threads : {2, 3, 8}) check_same(threads);
  for (const std::string& target : available_targets()) {
    CAPTURE(target);
    force_target(target);
    check_same(2);
  }
  force_target(available_targets().back());
}

TEST_CASE("only votes that give every class a share can be calibrated") {
  const Pool scores = one_opinion(0.8, {0, 1});
  const Team team{0, 1};
  CHECK(can_calibrate(scores, soft, team.view()));
  CHECK(can_calibrate(scores, {.vote = Vote::weighted, .weights = {0, 2}}, team.view()));
  CHECK_FALSE(can_calibrate(scores, {.vote = Vote::weighted, .weights = {0, 2}}, Team{0}.view()));
  CHECK_FALSE(can_calibrate(scores, {.vote = Vote::plurality}, team.view()));
  CHECK_FALSE(can_calibrate(scores, {.vote = Vote::majority}, team.view()));
  const Pool labels = reference::to_pool(reference::random_pool({}));
  CHECK_FALSE(can_calibrate(labels, {.vote = Vote::plurality}, team.view()));
}

TEST_CASE("large pools are judged by evenly spaced samples, at least 1,024 where memory allows") {
  const auto samples_of = [](std::uint64_t samples, int classes) {
    Pool pool;
    pool.sample_count = samples;
    pool.class_count = classes;
    return calibrated_samples(pool);
  };
  CHECK(samples_of(10'000, 10) == 10'000);
  CHECK(samples_of(209'715, 10) == 209'715);
  CHECK(samples_of(50'000, 1000) == 2097);
  CHECK(samples_of(50'000, 10'000) == 1024);
  CHECK(samples_of(500, 10'000) == 500);
  CHECK(samples_of(50'000, max_class_count) == 1);
}

TEST_CASE("the samples of a large pool that are judged lie all over it") {
  // 8,192 classes: 1,024 of 2,048 samples are read, every other one. These are right.
  constexpr std::int64_t samples = 2048, classes = 8192;
  const auto data = std::make_shared<std::vector<float>>(2 * classes, 0.0F);
  (*data)[0] = 1;
  (*data)[classes + 1] = 1;
  std::vector<std::int64_t> rows;
  for (std::int64_t x = 0; x < samples; ++x) rows.push_back(x % 2);
  Array array{.dtype = DType::float32,
              .rank = 2,
              .shape = {samples, classes},
              .strides = {classes * 4, 4},
              .data = reinterpret_cast<const std::byte*>(data->data()),
              .owner = data,
              .row_map = std::make_shared<const std::vector<std::int64_t>>(rows)};
  PoolParts parts{.kind = Kind::probabilities};
  parts.models.push_back(testing::model("one", array));
  parts.labels = testing::vector(std::vector<double>(samples, 0));
  const CalibrationEffect effect =
      judge_calibration(make_pool(std::move(parts)), soft, Team{0}.view(), 1, {});
  CHECK(effect.samples == 1024);
  CHECK(effect.before.bins[14].count == 1024);
  CHECK(effect.before.bins[14].accuracy() == 1);
}

}  // namespace
}  // namespace hqe
