// SPDX-License-Identifier: MIT
// Long lists of teams of two classes: counted on what their first members leave open.
#include "hqe/evaluation/open_lists.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "hqe/base/random.h"
#include "hqe/bits/target.h"
#include "hqe/ensemble/ens_set.h"
#include "hqe/evaluation/contests.h"
#include "tests/support/arrays.h"
#include "tests/support/contests.h"
#include "tests/support/thinned.h"

namespace hqe {
namespace {

using testing::contests_of;

/// Models that mostly agree on how hard a sample is, so that many are decided early. Probabilities
/// are multiples of 1/`grid`: sums tie. 0: any.
Pool agreeing_pool(int models, int samples, int grid, double noise) {
  Random random(static_cast<std::uint64_t>(models + grid));
  std::vector<double> truth, ease;
  for (int x = 0; x < samples; ++x) {
    truth.push_back(static_cast<double>(random.below(2)));
    ease.push_back(0.1 + 0.8 * random.unit());
  }
  PoolParts parts{.kind = Kind::probabilities};
  for (int m = 0; m < models; ++m) {
    std::vector<double> rows;
    for (int x = 0; x < samples; ++x) {
      double own = ease[x] + noise * (random.unit() - 0.5);
      own = std::clamp(own, 0.0, 1.0);
      if (grid > 0) own = std::round(own * grid) / grid;
      rows.push_back(truth[x] == 0 ? own : 1 - own);
      rows.push_back(truth[x] == 0 ? 1 - own : own);
    }
    parts.models.push_back(
        testing::model("model_" + std::to_string(m), testing::matrix(samples, 2, rows)));
  }
  parts.labels = testing::vector(truth);
  return make_pool(std::move(parts));
}

TeamList all_but_some(const TeamList& teams, std::uint64_t stride) {
  TeamList rest(teams.team_size());
  for (std::size_t i = 0; i < teams.size(); ++i) {
    if (stride == 0 || i % stride != 0) rest.push_back(teams[i]);
  }
  return rest;
}

TEST_CASE("a list of teams of two classes is counted as team by team") {
  testing::Thinned thinned(3);
  for (const int size : {4, 5}) {
    const int models = size == 4 ? 21 : 24;
    const TeamList every = EnsSet(models, size).list();
    for (const int grid : {0, 2, 10}) {
      for (const double noise : {0.1, 0.6}) {
        if (thinned.leaves_out()) continue;
        CAPTURE(size);
        CAPTURE(grid);
        CAPTURE(noise);
        const Contests contests = contests_of(agreeing_pool(models, 150, grid, noise));
        const TeamList teams = all_but_some(every, static_cast<std::uint64_t>(grid));
        REQUIRE(!open_runs(contests.data(), teams).empty());
        const auto counts = contests.correct_counts(teams, {.threads = 2});
        std::size_t different = 0;
        for (std::size_t i = 0; i < teams.size(); i += 5) {
          different += counts[i] != contests.correct_count(teams[i]) ? 1 : 0;
        }
        CHECK(different == 0);
      }
    }
  }
}

TEST_CASE("a list of teams of two classes is counted the same for every target and block") {
  // More rows stay open than a block has room for, and there are several ranges of them.
  const Contests contests = contests_of(agreeing_pool(20, 34'000, 12, 2.0));
  const TeamList every = EnsSet(20, 4).list();
  TeamList teams(4);
  for (std::size_t i = 0; every[i].front() < 2; ++i) teams.push_back(every[i]);
  REQUIRE(!open_runs(contests.data(), teams).empty());
  std::vector<std::uint64_t> expected;
  for (std::size_t i = 0; i < teams.size(); i += 11) {
    expected.push_back(contests.correct_count(teams[i]));
  }
  for (const std::string& target : available_targets()) {
    force_target(target);
    CAPTURE(target);
    std::vector<std::uint64_t> found;
    const auto counts = contests.correct_counts(teams, {.threads = 2});
    for (std::size_t i = 0; i < teams.size(); i += 11) found.push_back(counts[i]);
    CHECK(found == expected);
  }
  force_target(available_targets().back());
}

TEST_CASE("teams that name a model twice, and short runs, are left to others") {
  const Contests contests = contests_of(agreeing_pool(20, 40, 0, 0.6));
  TeamList teams = EnsSet(20, 4).list();
  CHECK(!open_runs(contests.data(), teams).empty());
  const std::vector<ModelId> twice{3, 4, 4, 4};
  teams.push_back(twice);
  CHECK(open_runs(contests.data(), teams).empty());
  CHECK(contests.correct_counts(teams, {}).back() == contests.correct_count(twice));
  CHECK(open_runs(contests.data(), all_but_some(EnsSet(20, 5).list(), 2)).empty());
  CHECK(open_runs(contests.data(), EnsSet(20, 3).list()).empty());
}

}  // namespace
}  // namespace hqe
