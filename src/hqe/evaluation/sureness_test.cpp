// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "hqe/bits/target.h"
#include "hqe/ensemble/ens_set.h"
#include "hqe/evaluation/contests.h"
#include "tests/support/contests.h"
#include "tests/support/strange_pools.h"

namespace hqe {
namespace {

using testing::contests_of;
using testing::strange_pool;

TEST_CASE("right patterns and sureness are the same for every target") {
  for (const Kind kind : {Kind::probabilities, Kind::labels}) {
    for (const Vote vote : {Vote::plurality, Vote::majority}) {
      const Pool pool = strange_pool({.kind = kind,
                                      .model_count = 9,
                                      .sample_count = 700,
                                      .class_count = 6,
                                      .grid = 12,
                                      .abstain = 0.1});
      const Contests contests = contests_of(pool, {.vote = vote});
      const TeamList teams = EnsSet(9, 5).list();
      std::vector<std::vector<std::uint64_t>> right;
      std::vector<std::vector<std::uint32_t>> sure;
      for (const std::string& target : available_targets()) {
        force_target(target);
        CAPTURE(target);
        for (std::size_t i = 0; i < teams.size(); i += 11) {
          if (target == available_targets().front()) {
            right.push_back(contests.right_patterns(teams[i]));
            sure.push_back(contests.sureness(teams[i]));
          }
          CHECK(contests.right_patterns(teams[i]) == right[i / 11]);
          CHECK(contests.sureness(teams[i]) == sure[i / 11]);
        }
      }
      force_target(available_targets().back());
    }
  }
}

TEST_CASE("whole votes are as sure as weights that are all the same") {
  for (const int classes : {2, 3, 7}) {
    const Pool pool = strange_pool({.kind = Kind::labels,
                                    .model_count = 8,
                                    .sample_count = 600,
                                    .class_count = classes,
                                    .abstain = 0.15});
    const Contests whole = contests_of(pool, {.vote = Vote::plurality});
    const Contests weighted =
        contests_of(pool, {.vote = Vote::weighted, .weights = std::vector<double>(8, 1.0)});
    for (int size = 1; size <= 8; ++size) {
      const TeamList teams = EnsSet(8, size).list();
      for (std::size_t i = 0; i < teams.size(); ++i) {
        CHECK(whole.sureness(teams[i]) == weighted.sureness(teams[i]));
      }
    }
  }
}

}  // namespace
}  // namespace hqe
