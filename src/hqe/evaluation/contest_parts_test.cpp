// SPDX-License-Identifier: MIT
// Parts of a pool: their contests are those of their samples in the whole.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "hqe/base/random.h"
#include "hqe/evaluation/contests.h"
#include "hqe/predictions/samples.h"
#include "tests/support/contests.h"
#include "tests/support/strange_pools.h"

namespace hqe {
namespace {

TEST_CASE("the contests of a part are the same, taken from the whole or from its scores") {
  Random random(5);
  for (const Kind kind : {Kind::probabilities, Kind::logits, Kind::labels}) {
    const Pool pool = testing::strange_pool({.kind = kind,
                                             .model_count = 5,
                                             .sample_count = 3000,
                                             .class_count = 4,
                                             .grid = 9,
                                             .abstain = 0.1});
    std::vector<std::uint64_t> samples(1700);
    for (std::uint64_t& sample : samples) sample = random.below(pool.sample_count);
    Pool part = samples_of(pool, samples);
    part.kind_detected = false;
    for (const VoteOptions& vote : testing::votes_for(kind, 5)) {
      for (const Vote of_whole : {vote.vote.value_or(Vote::plurality), Vote::plurality}) {
        CAPTURE(to_string(kind));
        CAPTURE(testing::describe(vote));
        const Contests whole = testing::contests_of(
            pool, of_whole == vote.vote ? vote : VoteOptions{.vote = of_whole});
        const Contests expected = testing::contests_of(part, vote);
        ContestBuilder builder(vote, {}, 0, ContestPart{whole, samples});
        BlockConsumer* const consumers[] = {&builder};
        Pool scanned = part;
        scan(scanned, consumers, {.threads = 2});
        const Contests found = builder.contests();
        CHECK(found.summary().samples == expected.summary().samples);
        CHECK(found.summary().contested == expected.summary().contested);
        CHECK(found.summary().rivals == expected.summary().rivals);
        CHECK(std::ranges::equal(found.weights(), expected.weights()));
        CHECK(found.right_patterns(Team{0, 2, 3}.view()) ==
              expected.right_patterns(Team{0, 2, 3}.view()));
        CHECK(found.correct_counts_of_all_teams({}) == expected.correct_counts_of_all_teams({}));
      }
    }
  }
}

}  // namespace
}  // namespace hqe
