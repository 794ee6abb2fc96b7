// SPDX-License-Identifier: MIT
#include "hqe/statistics/ranks.h"

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

#include "hqe/base/random.h"

namespace hqe {
namespace {

TEST_CASE("ranks share ties, and the largest value has rank 1") {
  CHECK(ranks_of({5, 9, 5, 1}) == std::vector<double>{2.5, 1, 2.5, 4});
  CHECK(ranks_of({}).empty());
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
