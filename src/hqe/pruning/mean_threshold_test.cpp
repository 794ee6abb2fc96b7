// SPDX-License-Identifier: MIT
#include "hqe/pruning/mean_threshold.h"

#include <doctest/doctest.h>

namespace hqe {
namespace {

TEST_CASE("mean threshold keeps what lies above the mean of all scores") {
  const auto result = prune_by_mean_threshold(std::vector{0.1, 0.2, 0.6});
  CHECK(result.threshold == doctest::Approx(0.3));
  CHECK(result.kept == std::vector{false, false, true});
}

TEST_CASE("scores that all equal their mean are not above it, whatever rounding makes of it") {
  const auto result = prune_by_mean_threshold(std::vector<double>(1000, 0.1));
  CHECK(result.kept == std::vector<bool>(1000, false));
}

TEST_CASE("nothing is kept of nothing") { CHECK(prune_by_mean_threshold({}).kept.empty()); }

}  // namespace
}  // namespace hqe
