// SPDX-License-Identifier: MIT
// Arrays that their owner changes while a verb reads them, as a Python thread can: the answer may
// mean nothing, but nothing else is read or written.
#include <doctest/doctest.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <thread>

#include "hqe/base/error.h"
#include "hqe/base/random.h"
#include "hqe/scan/scan.h"
#include "hqe/verbs/verbs.h"
#include "tests/support/shared_memory.h"

namespace hqe {
namespace {

using testing::SharedNumbers;

constexpr int class_count = 5;
constexpr int model_count = 6;

struct ChangingPool {
  explicit ChangingPool(std::uint64_t samples) : labels(std::vector<std::int32_t>(samples)) {
    Random random(3);
    for (std::int32_t& label : labels.numbers()) {
      label = static_cast<std::int32_t>(random.below(class_count));
    }
    for (int m = 0; m < model_count; ++m) {
      std::vector<float> rows(samples * class_count);
      for (std::size_t x = 0; x < samples; ++x) {
        double sum = 0;
        const std::span row = std::span(rows).subspan(x * class_count, class_count);
        for (float& value : row) sum += value = static_cast<float>(0.1 + random.unit());
        row[static_cast<std::size_t>(labels.numbers()[x])] += 0.4F;
        for (float& value : row) value = static_cast<float>(value / (sum + 0.4));
      }
      scores.emplace_back(rows);
    }
  }

  [[nodiscard]] Pool make() const {
    PoolParts parts{.kind = Kind::probabilities, .labels = labels.array()};
    for (std::size_t m = 0; m < scores.size(); ++m) {
      parts.models.push_back({.name = "m" + std::to_string(m),
                              .costs = {.lipschitz = 1.0},
                              .predictions = scores[m].array(class_count)});
    }
    return make_pool(std::move(parts));
  }

  SharedNumbers<std::int32_t> labels;
  std::vector<SharedNumbers<float>> scores;
};

/// Runs `work` while another thread calls `change(turn)` again and again.
template <class Work, class Change>
void while_changing(Work work, Change change) {
  std::atomic<bool> done = false;
  std::jthread other([&] {
    for (std::uint64_t turn = 0; !done; ++turn) change(turn);
  });
  work();
  done = true;
}

TEST_CASE("true labels that change after the pool was made change nothing") {
  const ChangingPool changing(300);
  const Pool pool = changing.make();
  const auto before = prune(pool, {.size = 2});
  for (std::int32_t& label : changing.labels.numbers()) label = 1'000'000'000;
  const auto after = prune(pool, {.size = 2});
  CHECK(after.reference.correct == before.reference.correct);
  CHECK(pool.true_label(7) < class_count);
  CHECK_THROWS_AS(changing.make(), InputError);
}

TEST_CASE("labels that change under a running verb do not make it read elsewhere") {
  const ChangingPool changing(20000);
  const Pool pool = changing.make();
  const auto labels = changing.labels.numbers();
  const std::uint64_t expected = prune(pool, {.size = 2}).reference.correct;
  while_changing(
      [&] {
        for (int i = 0; i < 5; ++i) CHECK(prune(pool, {.size = 2}).reference.correct == expected);
      },
      [&](std::uint64_t turn) {
        labels[turn % labels.size()] = turn % 2 == 0 ? 2'000'000'000 : -2'000'000'000;
      });
}

TEST_CASE("scores that change under a running verb do not make it read elsewhere") {
  const float strange[] = {std::numeric_limits<float>::quiet_NaN(), 1e38F, -1e38F,
                           std::numeric_limits<float>::infinity(), 0.3F};
  for (const Merit merit : {Merit::accuracy, Merit::balanced, Merit::logloss}) {
    const ChangingPool changing(4000);
    const Pool pool = changing.make();
    PruneOptions options{.size = 3, .merit = merit};
    options.detail = true;
    while_changing(
        [&] {
          for (int i = 0; i < 8; ++i) {
            // Whether the scan saw a strange value first is chance; either is well.
            try {
              static_cast<void>(prune(pool, options));
              static_cast<void>(apply(pool, Team({0, 2, 3}), {}));
            } catch (const InputError&) {
            }
          }
        },
        [&](std::uint64_t turn) {
          const auto numbers = changing.scores[turn % model_count].numbers();
          float& value = numbers[turn * 7919 % numbers.size()];
          value = strange[turn % std::size(strange)];
          std::this_thread::sleep_for(std::chrono::microseconds(20));
          value = 1.0F / class_count;
        });
  }
}

TEST_CASE("a prediction that is no class any more is an abstention, no probability any more is 0") {
  const SharedNumbers<std::int32_t> predicted({0, 1, 1, 0});
  const SharedNumbers<std::int32_t> truth({0, 1, 0, 1});
  PoolParts parts{.labels = truth.array()};
  parts.models = {{.name = "a", .predictions = predicted.array()},
                  {.name = "b", .predictions = predicted.array()}};
  const Pool pool = make_pool(std::move(parts));
  predicted.numbers()[1] = 2'000'000'000;
  predicted.numbers()[2] = -7;
  CHECK(predicted_label(pool, 0, 0) == 0);
  CHECK(predicted_label(pool, 0, 1) == -1);
  CHECK(predicted_label(pool, 0, 2) == -1);
  for (const Kind kind : {Kind::probabilities, Kind::logits}) {
    const SharedNumbers<float> scores({0.5F, 0.5F, 0.5F, 0.5F, 0.5F, 0.5F, 0.5F, 0.5F});
    PoolParts of_scores{.kind = kind, .labels = truth.array()};
    of_scores.models = {{.name = "a", .predictions = scores.array(2)},
                        {.name = "b", .predictions = scores.array(2)}};
    const Pool score_pool = make_pool(std::move(of_scores));
    scores.numbers()[0] = std::numeric_limits<float>::quiet_NaN();
    scores.numbers()[3] = std::numeric_limits<float>::infinity();
    std::vector<double> row(2);
    for (const std::uint64_t sample : {0, 1}) {
      class_scores(score_pool, 0, sample, row);
      for (const double score : row) CHECK((score >= 0 && score <= 1));
    }
  }
}

}  // namespace
}  // namespace hqe
