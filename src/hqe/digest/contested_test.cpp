// SPDX-License-Identifier: MIT
#include "hqe/digest/contested.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>

#include "hqe/base/random.h"

namespace hqe {
namespace {

/// Rows of the true class and its rivals.
std::vector<double> rows_of(const SampleScores& sample, std::int32_t truth,
                            const std::vector<std::int32_t>& rivals) {
  std::vector<double> rows;
  const auto add = [&](std::int32_t label) {
    for (std::size_t m = 0; m < sample.models; ++m) {
      rows.push_back(sample.of(m)[static_cast<std::size_t>(label)]);
    }
  };
  add(truth);
  for (const std::int32_t rival : rivals) add(rival);
  return rows;
}

std::vector<std::int32_t> deciding_classes(const SampleScores& given, const SampleScores& shares,
                                           std::int32_t truth,
                                           const std::vector<std::int32_t>& rivals) {
  const std::vector<double> numbers = rows_of(given, truth, rivals);
  const std::vector<double> own = rows_of(shares, truth, rivals);
  DecidingClasses deciding;
  deciding.find({given.models, numbers}, {given.models, own}, truth, rivals);
  const std::vector<std::int32_t> classes = deciding.labels();
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const std::size_t row = deciding.rows()[i];
    REQUIRE(classes[i] == (row == 0 ? truth : rivals[row - 1]));
  }
  if (given.scores == shares.scores) {
    deciding.find({given.models, numbers}, {given.models, numbers}, truth, rivals);
    REQUIRE(deciding.labels() == classes);
  }
  return classes;
}

/// Shares with ties, zeros and numbers next to each other.
SampleScores strange_shares(Random& random) {
  SampleScores sample{.models = 1 + random.below(4), .classes = 2 + random.below(5), .scores = {}};
  const std::uint64_t way = random.below(4);
  for (std::size_t m = 0; m < sample.models; ++m) {
    std::vector<double> row(sample.classes);
    for (double& share : row) {
      share = way == 0 ? random.unit() : static_cast<double>(random.below(3)) / 4;
      if (way == 2 && random.below(2) == 0) share *= 1 + 0x1p-52;
      if (way == 3 && random.below(3) == 0) share *= 0x1p-1060;
    }
    // Rows of probabilities have something somewhere.
    row[random.below(row.size())] += 0.25;
    sample.scores.insert(sample.scores.end(), row.begin(), row.end());
  }
  return sample;
}

/// Every class that some model puts at or above the true one, widened as the scan does.
std::vector<std::int32_t> rivals_of(const SampleScores& sample, std::int32_t truth) {
  std::vector<std::int32_t> rivals;
  for (std::size_t k = 0; k < sample.classes; ++k) {
    bool is_rival = false;
    for (std::size_t m = 0; m < sample.models; ++m) {
      const double own = sample.of(m)[static_cast<std::size_t>(truth)];
      const double other = sample.of(m)[k];
      is_rival = is_rival ||
                 (own == 0 ? other > 0
                           : other >= own * (1 - static_cast<double>(sample.models) * 0x1p-49));
    }
    if (is_rival && static_cast<std::int32_t>(k) != truth) {
      rivals.push_back(static_cast<std::int32_t>(k));
    }
  }
  return rivals;
}

/// The vote's definition: sums of `weights` times shares, members ascending, the lowest class wins.
std::int32_t answer(const SampleScores& sample, const std::vector<double>& weights,
                    const std::vector<std::int32_t>& classes) {
  std::vector<double> sums(sample.classes, 0);
  for (std::size_t m = 0; m < sample.models; ++m) {
    if (weights[m] == 0) continue;
    for (const std::int32_t k : classes) {
      sums[static_cast<std::size_t>(k)] += weights[m] * sample.of(m)[static_cast<std::size_t>(k)];
    }
  }
  return static_cast<std::int32_t>(std::ranges::max_element(sums) - sums.begin());
}

TEST_CASE("no team answers otherwise where only the deciding classes are kept") {
  Random random(7);
  std::size_t dropped = 0;
  for (int round = 0; round < 4000; ++round) {
    const SampleScores sample = strange_shares(random);
    const auto truth = static_cast<std::int32_t>(random.below(sample.classes));
    const std::vector<std::int32_t> rivals = rivals_of(sample, truth);
    if (rivals.empty()) continue;
    const std::vector<std::int32_t> kept = deciding_classes(sample, sample, truth, rivals);
    REQUIRE(std::ranges::is_sorted(kept));
    REQUIRE(std::ranges::binary_search(kept, truth));
    dropped += rivals.size() + 1 - kept.size();
    std::vector<std::int32_t> all(sample.classes);
    for (std::size_t k = 0; k < all.size(); ++k) all[k] = static_cast<std::int32_t>(k);
    for (std::uint64_t team = 1; team < std::uint64_t{1} << sample.models; ++team) {
      for (const double heavy : {1.0, 0.37, 3.0, 1e-100}) {
        std::vector<double> weights(sample.models, 0);
        for (std::size_t m = 0; m < sample.models; ++m) {
          if ((team >> m & 1) != 0) weights[m] = m % 2 == 0 ? heavy : 1;
        }
        CAPTURE(round);
        REQUIRE(answer(sample, weights, kept) == answer(sample, weights, all));
      }
    }
  }
  CHECK(dropped > 500);
}

TEST_CASE("of equal rivals the lower class is kept, and a little ahead is not far ahead") {
  const SampleScores sample{.models = 2,
                            .classes = 4,
                            .scores = {0.1, 0.3, 0.3, 0.3, 0.1, 0.3, 0.3 * (1 + 0x1p-50), 0.3}};
  CHECK(deciding_classes(sample, sample, 0, std::vector<std::int32_t>{1, 2, 3}) ==
        std::vector<std::int32_t>{0, 1, 2});
}

TEST_CASE("the three likeliest classes are those that sorting finds") {
  Random random(11);
  for (int round = 0; round < 600; ++round) {
    std::vector<double> shares(1 + random.below(round % 3 == 0 ? 5 : round % 7 == 0 ? 3000 : 300));
    const std::uint64_t steps = round % 2 == 0 ? 4 : 1u << 20;
    for (double& share : shares) share = static_cast<double>(random.below(steps)) / 0x1p20;
    std::vector<std::int32_t> expected(shares.size());
    std::iota(expected.begin(), expected.end(), 0);
    std::ranges::stable_sort(expected, std::ranges::greater{},
                             [&](std::int32_t k) { return shares[static_cast<std::size_t>(k)]; });
    expected.resize(std::min<std::size_t>(3, expected.size()));
    CAPTURE(round);
    CHECK(std::ranges::equal(likeliest_classes(shares), expected));
  }
}

TEST_CASE("a prediction is kept where its softmax is that of a lower class") {
  const SampleScores given{.models = 1, .classes = 3, .scores = {0, 1, 1 + 0x1p-52}};
  const SampleScores shares{.models = 1, .classes = 3, .scores = {0.2, 0.4, 0.4}};
  CHECK(deciding_classes(given, shares, 0, std::vector<std::int32_t>{1, 2}) ==
        std::vector<std::int32_t>{0, 1, 2});
}

}  // namespace
}  // namespace hqe
