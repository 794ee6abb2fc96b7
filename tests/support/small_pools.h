// SPDX-License-Identifier: MIT
/// Pools for the tests of this folder, small enough to count on fingers.

#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "hqe/predictions/pool.h"
#include "tests/support/arrays.h"

namespace hqe::testing {

/// A label pool; models are named a, b, c ...
inline Pool label_pool(const std::vector<double>& truth,
                       const std::vector<std::vector<double>>& predictions,
                       Kind kind = Kind::labels) {
  PoolParts parts{.name = "small", .kind = kind};
  if (kind != Kind::correctness) parts.labels = vector(truth);
  for (std::size_t m = 0; m < predictions.size(); ++m) {
    parts.models.push_back(
        model(std::string(1, static_cast<char>('a' + m)), vector(predictions[m])));
  }
  return make_pool(std::move(parts));
}

/// Four models, five samples of class 0: a fails on 0, b on 1, c on 2, d on 0 and 1.
///
/// Plurality, ties by accuracy, then class 0: of the pairs 0,1 0,2 1,2 have 5 correct, 0,3 1,3 2,3
/// have 4; of the triples 0,1,2 has 5, 0,1,3 has 3, 0,2,3 and 1,2,3 have 4; all together 5.
/// BD of the pairs in team order: 2/5 2/5 1/5 2/5 1/5 3/5.
inline Pool four_models() {
  Pool pool = label_pool({0, 0, 0, 0, 0},
                         {{1, 0, 0, 0, 0}, {0, 1, 0, 0, 0}, {0, 0, 1, 0, 0}, {1, 1, 0, 0, 0}});
  for (std::size_t m = 0; m < pool.models.size(); ++m) {
    pool.models[m].costs[Cost::params] = static_cast<double>(m + 1);
    pool.models[m].costs[Cost::latency_ms] = static_cast<double>(10 * (m + 1));
  }
  return pool;
}

}  // namespace hqe::testing
