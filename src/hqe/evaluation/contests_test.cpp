// SPDX-License-Identifier: MIT
#include "hqe/evaluation/contests.h"

#include <doctest/doctest.h>

#include <bit>
#include <string>
#include <tuple>

#include "hqe/base/error.h"
#include "hqe/bits/target.h"
#include "hqe/ensemble/ens_set.h"
#include "tests/support/contests.h"
#include "tests/support/strange_pools.h"
#include "tests/support/thinned.h"

namespace hqe {
namespace {

using testing::contests_of;
using testing::describe;
using testing::sample_of;
using testing::strange_pool;
using testing::StrangeOptions;
using testing::votes_for;

std::uint64_t literal_count(const Pool& pool, const VoteRule& rule, TeamView team) {
  std::uint64_t right = 0;
  for (std::uint64_t sample = 0; sample < pool.sample_count; ++sample) {
    right += team_answer(pool, rule, team, sample) == pool.true_label(sample);
  }
  return right;
}

/// So often that the list is long enough for narrower margins.
std::vector<std::uint64_t> count_repeatedly(const Contests& contests, const TeamList& teams) {
  TeamList repeated(teams.team_size());
  while (repeated.size() < 64 * static_cast<std::size_t>(contests.model_count())) {
    for (std::size_t i = 0; i < teams.size(); ++i) repeated.push_back(teams[i]);
  }
  auto counts = contests.correct_counts(repeated, {.threads = 1});
  counts.resize(teams.size());
  return counts;
}

/// Every team of every size, counted, judged pattern by pattern, and counted literally.
void check_every_team(const Pool& pool, const VoteOptions& options,
                      const std::vector<std::uint64_t>& selection_correct = {}) {
  const Contests contests = contests_of(pool, options, selection_correct);
  CHECK(contests.summary().samples == pool.sample_count);
  CHECK(contests.summary().contested + contests.summary().always_right == pool.sample_count);
  const auto all = contests.correct_counts_of_all_teams({.threads = 1});
  CHECK(all.front() == 0);
  for (int size = 1; size <= pool.model_count(); ++size) {
    const TeamList teams = EnsSet(pool.model_count(), size).list();
    const auto counts = contests.correct_counts(teams, {.threads = 1});
    REQUIRE(count_repeatedly(contests, teams) == counts);
    for (std::size_t i = 0; i < teams.size(); ++i) {
      CAPTURE(to_string(teams[i]));
      REQUIRE(counts[i] == literal_count(pool, contests.rule(), teams[i]));
      std::uint64_t right = contests.summary().always_right;
      const auto bits = contests.right_patterns(teams[i]);
      for (std::size_t pattern = 0; pattern < contests.weights().size(); ++pattern) {
        if (bits[pattern / 64] >> (pattern % 64) & 1) right += contests.weights()[pattern];
      }
      REQUIRE(right == counts[i]);
      std::size_t mask = 0;
      for (const ModelId model : teams[i]) mask |= std::size_t{1} << model;
      REQUIRE(all[mask] == counts[i]);
    }
  }
}

/// The same sample by sample, so that errors cannot cancel.
void check_every_sample(const Pool& pool, const VoteOptions& options) {
  const auto correct = contests_of(pool, options).rule().correct;
  testing::Thinned thinned(7);
  for (std::uint64_t sample = 0; sample < pool.sample_count; ++sample) {
    if (thinned.leaves_out()) continue;
    CAPTURE(sample);
    check_every_team(sample_of(pool, sample), options, correct);
  }
}

void check_every_vote(const StrangeOptions& options) {
  const Pool pool = strange_pool(options);
  for (const VoteOptions& vote : votes_for(options.kind, options.model_count)) {
    const std::string name = describe(vote);
    CAPTURE(name);
    CAPTURE(to_string(options.kind));
    check_every_sample(pool, vote);
    check_every_team(pool, vote);
  }
}

TEST_CASE("every vote on every kind of pool equals its definition on every sample") {
  for (const Kind kind : {Kind::probabilities, Kind::logits, Kind::labels, Kind::correctness}) {
    for (const std::uint64_t seed : {1, 2, 3}) {
      check_every_vote({.kind = kind, .sample_count = 40, .seed = seed});
      check_every_vote({.kind = kind, .sample_count = 25, .duplicates = true, .seed = seed});
    }
  }
}

TEST_CASE("probabilities on a coarse grid, where most sums tie, are counted exactly") {
  for (const int grid : {2, 4, 10}) {
    for (const bool nudged : {false, true}) {
      check_every_vote({.sample_count = 60, .class_count = 3, .grid = grid, .nudged = nudged});
      check_every_vote({.sample_count = 60,
                        .class_count = 3,
                        .grid = grid,
                        .nudged = nudged,
                        .duplicates = true,
                        .seed = 5});
    }
  }
  check_every_vote({.kind = Kind::logits, .sample_count = 60, .class_count = 3, .grid = 3});
}

TEST_CASE("half-precision and single-precision pools are counted exactly") {
  for (const DType dtype : {DType::float16, DType::bfloat16, DType::float32}) {
    check_every_vote(
        {.dtype = dtype, .sample_count = 30, .grid = dtype == DType::bfloat16 ? 8 : 0});
    check_every_vote({.dtype = dtype, .sample_count = 30, .grid = 8});
  }
}

TEST_CASE("abstentions count against a team under every label vote") {
  for (const double abstain : {0.1, 0.5, 0.9}) {
    check_every_vote({.kind = Kind::labels, .sample_count = 60, .abstain = abstain});
    check_every_vote(
        {.kind = Kind::labels, .sample_count = 60, .class_count = 2, .abstain = abstain});
  }
}

TEST_CASE("correct counts too large for exact margins still break ties exactly") {
  const Pool pool = strange_pool({.kind = Kind::labels, .sample_count = 200, .abstain = 0.2});
  const std::uint64_t many = std::uint64_t{1} << 50;
  check_every_team(pool, {}, {many, many + 1, many + 2, 3, 4});
  check_every_team(pool, {}, {many, many, many, many, many});
  check_every_team(pool, {}, {many + 3, many, 2 * many + 3, 2 * many, 0});
  check_every_team(pool, {}, {30'000, 29'990, 41'000, 9'000, 29'995});
}

TEST_CASE("a dominated rival below the true class stays when its dominator is above it") {
  // Classes 0, 1, 2 tie; the true class 1 wins the tie against 2 but not against 0.
  PoolParts parts{.kind = Kind::probabilities};
  const std::vector<double> level{0.25, 0.25, 0.25, 0.25};
  const std::vector<double> higher{0.0, 0.25, 0.5, 0.25};
  parts.models.push_back(testing::model("level", testing::matrix(1, 4, level)));
  parts.models.push_back(testing::model("higher", testing::matrix(1, 4, higher)));
  parts.labels = testing::vector({1});
  const Contests contests = contests_of(make_pool(std::move(parts)), {});
  CHECK(contests.correct_count(Team{0}) == 0);
  CHECK(contests.correct_count(Team{1}) == 0);
  CHECK(contests.summary().rivals == 2);
}

TEST_CASE("of rivals that everybody scores alike one is kept, and it is the lower class") {
  PoolParts parts{.kind = Kind::probabilities};
  const std::vector<double> row{0.25, 0.25, 0.25, 0.25};
  parts.models.push_back(testing::model("level", testing::matrix(1, 4, row)));
  parts.labels = testing::vector({2});
  const Contests contests = contests_of(make_pool(std::move(parts)), {});
  CHECK(contests.summary().rivals == 1);
  CHECK(contests.correct_count(Team{0}) == 0);  // Class 3 would leave it right.
}

/// One sample whose true class 1 and rival 0 have these scores, a model each; what is left goes to
/// classes that have no chance.
Contests duel(const std::vector<double>& truth, const std::vector<double>& rival) {
  PoolParts parts{.kind = Kind::probabilities};
  for (std::size_t m = 0; m < truth.size(); ++m) {
    std::vector<double> row(100, (1 - rival[m] - truth[m]) / 98);
    row[0] = rival[m];
    row[1] = truth[m];
    parts.models.push_back(
        testing::model("model_" + std::to_string(m), testing::matrix(1, 100, row, DType::float64)));
  }
  parts.labels = testing::vector({1});
  return contests_of(make_pool(std::move(parts)), {});
}

TEST_CASE("where margins cancel exactly the rounding of the literal sums decides") {
  const std::vector<double> ascending{0.1, 0.2, 0.3};
  const std::vector<double> descending{0.3, 0.2, 0.1};
  REQUIRE(0.1 + 0.2 + 0.3 > 0.3 + 0.2 + 0.1);
  CHECK(duel(ascending, descending).correct_count(Team{0, 1, 2}) == 1);
  CHECK(duel(descending, ascending).correct_count(Team{0, 1, 2}) == 0);
}

TEST_CASE("a class below the true one in every member still wins where rounding makes a tie") {
  Random random(7);
  int found = 0;
  while (found < 5) {
    // The sum reaches the next power of two, where numbers lie further apart.
    const std::vector<double> truth{0.25 + 0.05 * random.unit(), 0.24 + 0.01 * random.unit()};
    const std::vector<double> rival{std::nextafter(truth[0], 0.0), std::nextafter(truth[1], 0.0)};
    if (truth[0] + truth[1] != rival[0] + rival[1]) continue;
    ++found;
    const Contests contests = duel(truth, rival);
    CHECK(contests.correct_count(Team{0}) == 1);
    CHECK(contests.correct_count(Team{1}) == 1);
    CHECK(contests.correct_count(Team{0, 1}) == 0);
  }
}

TEST_CASE("a team without a vote is wrong even where nobody votes against it") {
  PoolParts parts{.kind = Kind::labels};
  parts.models.push_back(testing::model("silent", testing::vector({-1, -1})));
  parts.models.push_back(testing::model("right", testing::vector({0, 0})));
  parts.models.push_back(testing::model("wrong", testing::vector({0, 1})));
  parts.labels = testing::vector({0, 0});
  const Contests contests = contests_of(make_pool(std::move(parts)), {});
  CHECK(contests.correct_count(Team{0}) == 0);
  CHECK(contests.correct_count(Team{0, 1}) == 2);
  CHECK(contests.correct_count(Team{0, 2}) == 1);
}

TEST_CASE("members without weight answer class 0, however sure the others are") {
  PoolParts parts{.kind = Kind::probabilities};
  const std::vector<double> sure{0, 1, 1, 0};
  for (const char* name : {"mute", "loud"}) {
    parts.models.push_back(testing::model(name, testing::matrix(2, 2, sure)));
  }
  parts.labels = testing::vector({1, 0});
  const VoteOptions options{.vote = Vote::weighted, .weights = {0, 1}};
  const Contests contests = contests_of(make_pool(std::move(parts)), options);
  CHECK(contests.correct_count(Team{0}) == 1);
  CHECK(contests.correct_count(Team{1}) == 2);
  CHECK(contests.correct_count(Team{0, 1}) == 2);
}

TEST_CASE("samples with the same votes are kept once") {
  const Pool pool = strange_pool(
      {.kind = Kind::labels, .model_count = 3, .sample_count = 3000, .class_count = 3});
  const Contests contests = contests_of(pool, {});
  CHECK(contests.summary().contested > 1000);
  CHECK(contests.summary().patterns < 60);
  CHECK(contests.weights().size() == contests.summary().patterns);
}

TEST_CASE("an impossible vote is refused before the pool is read") {
  const Pool pool = strange_pool({.kind = Kind::labels});
  ContestBuilder builder({.vote = Vote::soft});
  CHECK_THROWS_AS(builder.start(pool, 1), UsageError);
}

/// The counts of all teams, one list a size.
std::vector<std::uint32_t> counts_by_lists(const Contests& contests) {
  std::vector<std::uint32_t> counts(std::size_t{1} << contests.model_count(), 0);
  for (int size = 1; size <= contests.model_count(); ++size) {
    const TeamList teams = EnsSet(contests.model_count(), size).list();
    const auto right = contests.correct_counts(teams, {});
    for (std::size_t i = 0; i < teams.size(); ++i) {
      std::size_t mask = 0;
      for (const ModelId model : teams[i]) mask |= std::size_t{1} << model;
      counts[mask] = static_cast<std::uint32_t>(right[i]);
    }
  }
  return counts;
}

TEST_CASE("all teams at once are counted as one by one, however many models there are") {
  testing::Thinned thinned(3);
  for (const int models : {1, 2, 3, 6, 9, 10, 12, 13, 14, 15, 16}) {
    for (const Kind kind : {Kind::probabilities, Kind::labels}) {
      for (const int grid : {0, 5}) {
        if (thinned.leaves_out()) continue;
        const Pool pool = strange_pool({.kind = kind,
                                        .model_count = models,
                                        .sample_count = 70,
                                        .class_count = 5,
                                        .grid = grid,
                                        .abstain = 0.1});
        for (const VoteOptions& vote : votes_for(kind, models)) {
          CAPTURE(models);
          CAPTURE(describe(vote));
          const Contests contests = contests_of(pool, vote);
          CHECK(contests.correct_counts_of_all_teams({}) == counts_by_lists(contests));
        }
      }
    }
  }
}

TEST_CASE("all teams are counted the same for every target and any number of threads") {
  for (const Kind kind : {Kind::probabilities, Kind::labels}) {
    for (const int models : {2, 7, 15}) {
      const Pool pool = strange_pool(
          {.kind = kind, .model_count = models, .sample_count = 400, .grid = 6, .abstain = 0.1});
      const Contests contests = contests_of(pool, {});
      const auto expected = counts_by_lists(contests);
      for (const std::string& target : available_targets()) {
        force_target(target);
        for (const int threads : {1, 2, 7}) {
          CAPTURE(models);
          CAPTURE(target);
          CAPTURE(threads);
          CHECK(contests.correct_counts_of_all_teams({.threads = threads}) == expected);
        }
      }
      force_target(available_targets().back());
    }
  }
}

TEST_CASE("contests and counts are the same for every target and any number of threads") {
  for (const Kind kind : {Kind::probabilities, Kind::labels}) {
    const Pool pool = strange_pool({.kind = kind,
                                    .dtype = DType::float32,
                                    .model_count = 9,
                                    // Of fewer labels one thread reads all.
                                    .sample_count = kind == Kind::labels ? 120'000 : 9000,
                                    .class_count = 6,
                                    .grid = 12,
                                    .abstain = 0.1});
    const TeamList teams = EnsSet(9, 4).list();
    const auto expected = contests_of(pool, {}).correct_counts(teams, {.threads = 1});
    for (const std::string& target : available_targets()) {
      force_target(target);
      for (const int threads : {1, 2, 7}) {
        CAPTURE(target);
        CAPTURE(threads);
        const Contests contests = contests_of(pool, {}, {}, threads);
        CHECK(contests.correct_counts(teams, {.threads = threads}) == expected);
      }
    }
    force_target(available_targets().back());
  }
}

TEST_CASE("a list need not be sorted to be counted right") {
  const Pool pool = strange_pool({.kind = Kind::labels, .model_count = 6, .sample_count = 300});
  const Contests contests = contests_of(pool, {});
  TeamList teams(3);
  for (const Team& team :
       {Team{3, 4, 5}, Team{0, 1, 2}, Team{0, 1, 5}, Team{3, 4, 5}, Team{0, 4, 5}}) {
    teams.push_back(team.view());
  }
  const auto counts = contests.correct_counts(teams, {});
  for (std::size_t i = 0; i < teams.size(); ++i) {
    CHECK(counts[i] == literal_count(pool, contests.rule(), teams[i]));
  }
}

}  // namespace
}  // namespace hqe
