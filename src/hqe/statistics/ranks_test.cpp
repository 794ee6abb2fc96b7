// SPDX-License-Identifier: MIT
#include "hqe/statistics/ranks.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "hqe/base/random.h"

namespace hqe {
namespace {

TEST_CASE("ranks share ties, and the largest value has rank 1") {
  CHECK(ranks_of({5, 9, 5, 1}) == std::vector<double>{2.5, 1, 2.5, 4});
  CHECK(ranks_of({}).empty());
}

/// As the definition says: places sorted by value, equals as they stand, their ranks shared.
template <class Value>
void check_ranking(const std::vector<Value>& values) {
  std::vector<std::uint32_t> order(values.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return values[i]; });
  const Ranking ranking = ranking_of(values);
  CHECK((ranking.order == order));
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    bool is_shared = true;
    for (std::size_t i = begin; i < end; ++i) {
      is_shared &= ranking.twice_ranks[order[i]] == begin + end + 1;
    }
    REQUIRE(is_shared);
  }
}

TEST_CASE("many values are ranked as few are") {
  Random random(4);
  for (const std::size_t count : {0U, 1U, 7U, 2047U, 2048U, 20'000U}) {
    CAPTURE(count);
    std::vector<double> values(count), close(count), apart(count);
    std::vector<std::uint64_t> numbers(count), large(count);
    std::vector<std::uint32_t> short_numbers(count);
    for (std::size_t i = 0; i < count; ++i) {
      values[i] = random.below(5) == 0 ? -0.0 : random.normal();
      if (random.below(7) == 0) values[i] = 0;
      close[i] = 0.5 + static_cast<double>(random.below(300)) * 1e-12;
      numbers[i] = 900 + random.below(200);
      large[i] = random.bits();
      // Far apart, or too close for the leading bits to tell.
      apart[i] = static_cast<double>(random.below(3)) - 1 + close[i];
      short_numbers[i] = static_cast<std::uint32_t>(random.bits()) >> random.below(32);
    }
    check_ranking(values);
    check_ranking(close);
    check_ranking(numbers);
    check_ranking(large);
    check_ranking(apart);
    check_ranking(short_numbers);
  }
}

TEST_CASE("Holm's adjustment steps down") {
  CHECK(holm_adjusted({0.01, 0.04, 0.03}) == std::vector<double>{0.03, 0.06, 0.06});
  // 0.01 x 3 is rejected, 0.03 x 2 is not, and there it stops.
  CHECK(holm_factors({0.01, 0.04, 0.03}, 0.05) == std::vector<double>{3, 2, 2});
}

TEST_CASE("a p-value times Holm's factor is below the level where the adjusted one is") {
  Random random(3, 5);
  for (int round = 0; round < 200; ++round) {
    std::vector<double> p_values;
    for (int i = 0; i < 8; ++i) {
      const double share = static_cast<double>(random.below(1000)) / 1000;
      p_values.push_back(share * share * share * share);
    }
    const std::vector<double> adjusted = holm_adjusted(p_values);
    const std::vector<double> factors = holm_factors(p_values, 0.05);
    for (std::size_t i = 0; i < p_values.size(); ++i) {
      CHECK((p_values[i] * factors[i] < 0.05) == (adjusted[i] < 0.05));
    }
  }
}

}  // namespace
}  // namespace hqe
