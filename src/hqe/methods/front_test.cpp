// SPDX-License-Identifier: MIT
#include "hqe/methods/front.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "hqe/verbs/verbs.h"
#include "tests/reference/methods.h"

namespace hqe {
namespace {

using reference::ReferencePool;

TEST_CASE("the front is what looking at all pairs of teams leaves") {
  Pool pool = reference::to_pool(
      reference::random_pool({.model_count = 6, .sample_count = 120, .class_count = 3, .seed = 9}));
  const std::vector<double> costs{5, 1, 2, 2, 7, 3};
  for (std::size_t id = 0; id < pool.models.size(); ++id) {
    pool.models[id].costs[Cost::gflops] = costs[id];
  }
  const Front found = front(pool, {}, {.threads = 1});
  CHECK(found.is_exact);
  CHECK(found.team_count == 63);
  REQUIRE(found.fronts.size() == 2);
  CHECK(name_of(found.fronts[0]) == "size");
  CHECK(name_of(found.fronts[1]) == "gflops");
  const Evaluation all = evaluate(pool, {}, {.threads = 1});
  for (const CostFront& each : found.fronts) {
    const auto cost = [&](TeamView team) {
      double sum = 0;
      for (const ModelId model : team) sum += each.cost ? costs[model] : 1;
      return sum;
    };
    std::size_t undominated = 0;
    for (std::size_t i = 0; i < all.teams.size(); ++i) {
      bool is_first_of_its_kind = true;
      for (std::size_t j = 0; j < all.teams.size(); ++j) {
        const bool as_good =
            all.correct[j] >= all.correct[i] && cost(all.teams[j]) <= cost(all.teams[i]);
        const bool better =
            all.correct[j] > all.correct[i] || cost(all.teams[j]) < cost(all.teams[i]);
        if (as_good && (better || Team(all.teams[j]) < Team(all.teams[i]))) {
          is_first_of_its_kind = false;
        }
      }
      if (!is_first_of_its_kind) continue;
      ++undominated;
      CHECK(std::ranges::any_of(each.points, [&](const FrontPoint& point) {
        return point.team == Team(all.teams[i]) && point.correct == all.correct[i];
      }));
    }
    CHECK(undominated == each.points.size());
  }
}

TEST_CASE("above 24 models the front is over the tournament's teams, and says so") {
  const ReferencePool literal =
      reference::random_pool({.model_count = 25, .sample_count = 40, .seed = 1});
  const Front found = front(reference::to_pool(literal), {.size = 2}, {.threads = 1});
  CHECK_FALSE(found.is_exact);
  CHECK(found.warnings.size() == 1);
  CHECK(found.team_count > 26);
  for (std::size_t i = 1; i < found.fronts.front().points.size(); ++i) {
    CHECK(found.fronts.front().points[i].correct > found.fronts.front().points[i - 1].correct);
  }
}

}  // namespace
}  // namespace hqe
