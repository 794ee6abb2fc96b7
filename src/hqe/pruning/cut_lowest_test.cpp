// SPDX-License-Identifier: MIT
#include "hqe/pruning/cut_lowest.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "hqe/base/random.h"
#include "hqe/pruning/hierarchical.h"

namespace hqe {
namespace {

/// By sorting everything: lowest first, of equals the later first.
std::vector<bool> by_sorting(const std::vector<double>& scores, std::uint64_t pruned) {
  std::vector<std::size_t> order(scores.size());
  std::iota(order.rbegin(), order.rend(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return rounded_score(scores[i]); });
  std::vector<bool> kept(scores.size(), true);
  for (std::uint64_t i = 0; i < pruned; ++i) kept[order[i]] = false;
  return kept;
}

TEST_CASE("cutting a tier keeps what sorting all of it would keep") {
  Random random(3);
  for (const std::size_t count : {1, 7, 300, 5'000, 90'000}) {
    // Few values, values that only rounding makes equal, and many.
    for (const double step : {0.25, 3e-13, 1e-7}) {
      CAPTURE(count);
      CAPTURE(step);
      std::vector<double> scores(count);
      for (double& score : scores) {
        score = -0.3 + step * static_cast<double>(random.below(step < 1e-9 ? 40 : 1'000'000));
      }
      for (const std::uint64_t pruned : {count / 10, count / 2, count - 1, count}) {
        for (const int threads : {1, 2}) {
          CHECK(all_but_lowest(scores, pruned, {.threads = threads}) == by_sorting(scores, pruned));
        }
      }
    }
  }
}

TEST_CASE("a tier of equal scores loses its later teams") {
  const std::vector<double> scores(10'000, 0.5);
  const std::vector<bool> kept = all_but_lowest(scores, 4'000, {});
  CHECK(std::ranges::count(kept, true) == 6'000);
  CHECK(std::ranges::is_sorted(kept, std::ranges::greater{}));
}

}  // namespace
}  // namespace hqe
