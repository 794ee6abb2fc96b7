// SPDX-License-Identifier: MIT
#include "hqe/evaluation/best_team.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>

#include "hqe/ensemble/ens_set.h"
#include "tests/support/contests.h"
#include "tests/support/strange_pools.h"

namespace hqe {
namespace {

using testing::contests_of;
using testing::StrangeOptions;

/// The first team with the most correct among all that are allowed; empty where none is.
std::pair<Team, std::uint64_t> by_trying(const Contests& contests, int size,
                                         const std::function<bool(TeamView)>& allows) {
  std::pair<Team, std::uint64_t> best;
  EnsSet(contests.model_count(), size).for_each([&](TeamView team) {
    if (allows && !allows(team)) return;
    const std::uint64_t correct = contests.correct_count(team);
    if (best.first.empty() || correct > best.second) best = {Team(team), correct};
  });
  return best;
}

void check_equals_trying(const Contests& contests, const BestTeamOptions& options) {
  for (int size = 1; size <= contests.model_count(); ++size) {
    CAPTURE(size);
    const auto [team, correct] = by_trying(contests, size, options.allows);
    const BestTeam found = best_team(contests, size, options, {});
    CHECK(found.is_proven);
    CHECK(found.team == team);
    CHECK(found.correct == correct);
    CHECK(found.upper_bound == correct);
  }
}

TEST_CASE("branch and bound finds the team that trying all of them finds") {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    CAPTURE(seed);
    StrangeOptions options{.model_count = 4 + static_cast<int>(seed % 7),
                           .sample_count = 40 + static_cast<int>(seed * 7 % 50),
                           .class_count = 2 + static_cast<int>(seed % 4),
                           .grid = seed % 2 == 0 ? 4 : 0,
                           .nudged = seed % 3 == 0,
                           .duplicates = seed % 4 == 0,
                           .abstain = seed % 3 == 0 ? 0.2 : 0,
                           .seed = seed};
    for (const Kind kind : {Kind::probabilities, Kind::logits, Kind::labels, Kind::correctness}) {
      CAPTURE(to_string(kind));
      options.kind = kind;
      check_equals_trying(contests_of(testing::strange_pool(options)), {});
    }
    options.kind = Kind::labels;
    check_equals_trying(contests_of(testing::strange_pool(options), {.vote = Vote::majority}), {});
    VoteOptions whole{.vote = Vote::weighted};
    for (int m = 0; m < options.model_count; ++m) whole.weights.push_back((m + 1) % 4);
    check_equals_trying(contests_of(testing::strange_pool(options), whole), {});
    check_equals_trying(contests_of(testing::strange_pool(options), {.vote = Vote::weighted}), {});
  }
}

TEST_CASE("it does so for 16 models") {
  for (const Kind kind : {Kind::probabilities, Kind::labels}) {
    const Contests contests = contests_of(testing::strange_pool(
        {.kind = kind, .model_count = 16, .sample_count = 150, .class_count = 3, .seed = 5}));
    const auto all = contests.correct_counts_of_all_teams({.threads = 1});
    for (int size = 1; size <= 16; ++size) {
      std::uint32_t most = 0;
      for (std::uint32_t mask = 0; mask < all.size(); ++mask) {
        if (std::popcount(mask) == size) most = std::max(most, all[mask]);
      }
      const BestTeam found = best_team(contests, size, {}, {});
      CHECK(found.is_proven);
      CHECK(found.correct == most);
      CHECK(contests.correct_count(found.team.view()) == most);
    }
  }
}

TEST_CASE("only allowed teams are found, and none where none is allowed") {
  const Contests contests =
      contests_of(testing::strange_pool({.kind = Kind::labels, .model_count = 8, .seed = 3}));
  const auto light = [](TeamView team) {
    int weight = 0;
    for (const ModelId model : team) weight += model;
    return weight <= 9;
  };
  check_equals_trying(contests, {.allows = light});
  CHECK(best_team(contests, 8, {.allows = light}, {}).team.empty());
}

TEST_CASE("a search that ends early has a bound that no team exceeds") {
  const Contests contests = contests_of(testing::strange_pool(
      {.kind = Kind::labels, .model_count = 14, .sample_count = 300, .class_count = 3, .seed = 9}));
  const auto [team, most] = by_trying(contests, 6, nullptr);
  bool was_stopped = false;
  for (std::uint64_t limit = 1; limit < 10'000'000; limit *= 4) {
    const BestTeam found = best_team(contests, 6, {.work_limit = limit}, {});
    CHECK(found.upper_bound >= most);
    CHECK(found.correct <= most);
    CHECK(contests.correct_count(found.team.view()) == found.correct);
    CHECK(found.is_proven == (found.upper_bound == found.correct));
    was_stopped |= !found.is_proven;
  }
  CHECK(was_stopped);
}

TEST_CASE("work on two classes is what packing every node would be") {
  const Contests contests = contests_of(
      testing::strange_pool({.model_count = 13, .sample_count = 300, .class_count = 2, .seed = 4}));
  const BestTeam all = best_team(contests, 5, {}, {});
  CHECK(all.is_proven);
  CHECK(all.counted == 1027);
  CHECK(all.work == 295'280);
  const BestTeam some = best_team(contests, 5, {.work_limit = all.work / 2}, {});
  CHECK(some.counted == 460);
  CHECK(some.work == 153'168);
  CHECK(some.upper_bound == 300);
}

TEST_CASE("a time limit ends the search with a bound too") {
  const Contests contests = contests_of(testing::strange_pool({.kind = Kind::labels,
                                                               .model_count = 24,
                                                               .sample_count = 2000,
                                                               .class_count = 4,
                                                               .seed = 2}));
  const BestTeam found = best_team(contests, 10, {.time_limit = 1e-9}, {});
  CHECK_FALSE(found.team.empty());
  CHECK(found.upper_bound >= found.correct);
}

}  // namespace
}  // namespace hqe
