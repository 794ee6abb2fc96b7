// SPDX-License-Identifier: MIT
// Takes seconds, not milliseconds: part of `make soak`.
#include <doctest/doctest.h>

#include <algorithm>
#include <iostream>
#include <vector>

#include "hqe/ensemble/ens_set.h"
#include "hqe/evaluation/best_team.h"
#include "hqe/formats/open_pool.h"
#include "tests/support/shared.h"

namespace hqe {
namespace {

// As much work as an idle core does in less than a minute: counted, not timed, so that a busy
// machine proves as much.
constexpr std::uint64_t a_minute = 20'000'000'000;

/// Of cifar10-30.
Contests contests_of_thirty_networks() {
  Pool pool = open_pool({.folder = testing::shared_folder() / "pools" / "cifar10-30"});
  ContestBuilder builder(VoteOptions{});
  BlockConsumer* const consumers[] = {&builder};
  scan(pool, consumers, {});
  return builder.contests();
}

TEST_CASE("branch and bound proves the best teams of 5 and 8 of thirty networks within a minute" *
          testing::NeedsShared()) {
  const Contests contests = contests_of_thirty_networks();
  for (const int size : {5, 8}) {
    CAPTURE(size);
    const BestTeam best = best_team(contests, size, {.work_limit = a_minute}, {});
    CHECK(best.is_proven);
    CHECK(best.upper_bound == best.correct);
    CHECK(contests.correct_count(best.team.view()) == best.correct);
    std::cout << size << " of 30: " << to_string(best.team.view()) << ", " << best.correct
              << " correct, " << best.counted << " teams counted, " << best.work << " sums\n";
  }
}

TEST_CASE("the proven team of 5 is the one that counting all 142,506 teams finds" *
          testing::NeedsShared()) {
  const Contests contests = contests_of_thirty_networks();
  const TeamList teams = EnsSet(30, 5).list();
  const std::vector<std::uint64_t> correct = contests.correct_counts(teams, {});
  const auto most = std::ranges::max_element(correct);
  const BestTeam best = best_team(contests, 5, {}, {});
  CHECK(best.correct == *most);
  CHECK(best.team == Team(teams[static_cast<std::size_t>(most - correct.begin())]));
}

}  // namespace
}  // namespace hqe
