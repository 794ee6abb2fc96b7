// SPDX-License-Identifier: MIT
#include "hqe/decision/decide.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "hqe/ensemble/ens_set.h"
#include "hqe/evaluation/contests.h"
#include "hqe/scan/scan.h"
#include "tests/reference/decision.h"
#include "tests/reference/votes.h"

namespace hqe {
namespace {

using reference::Members;
using reference::ReferencePool;

ReferencePool pool_of(std::uint64_t seed) {
  return reference::random_pool({.model_count = 4 + static_cast<int>(seed % 3),
                                 .sample_count = 40 + static_cast<int>(seed * 7 % 50),
                                 .class_count = 2 + static_cast<int>(seed % 3),
                                 .accuracy = 0.7,
                                 .abstain = seed % 4 == 1 ? 0.1 : 0,
                                 .probabilities = seed % 2 == 0,
                                 .seed = seed});
}

Contests contests_of(const ReferencePool& literal, int threads = 1) {
  Pool pool = reference::to_pool(literal);
  ContestBuilder builder(VoteOptions{});
  BlockConsumer* consumers[] = {&builder};
  scan(pool, consumers, {.threads = threads});
  return builder.contests();
}

TEST_CASE("halves have half of the cells, and differ") {
  const std::vector<CellSet> halves = random_halves(0, 20);
  REQUIRE(halves.size() == 20);
  for (const CellSet half : halves) CHECK(std::popcount(half) == cell_count / 2);
  CHECK(halves[0] != halves[1]);
  CHECK(random_halves(1, 20) != halves);
  CHECK(random_halves(0, 20) == halves);
}

TEST_CASE("every sample is dealt to one cell, and no cell has two more than another") {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    CAPTURE(seed);
    const ReferencePool literal = pool_of(seed);
    const Contests contests = contests_of(literal);
    const Cells cells(contests, seed, 0);
    PerCell<std::uint64_t> dealt = cells.always_right();
    for (std::size_t pattern = 0; pattern < contests.weights().size(); ++pattern) {
      std::uint32_t weight = 0;
      for (std::size_t cell = 0; cell < cell_count; ++cell) {
        dealt[cell] += cells.of(pattern)[cell];
        weight += cells.of(pattern)[cell];
      }
      CHECK(weight == contests.weights()[pattern]);
    }
    CHECK(dealt == cells.samples());
    CHECK(sum_over(cells.samples(), all_cells) == contests.summary().samples);
    const auto [least, most] = std::ranges::minmax(cells.samples());
    CHECK(most - least <= 1);
  }
}

TEST_CASE("the cells' worth and sureness add up to what all samples say, for any threads") {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    CAPTURE(seed);
    const ReferencePool literal = pool_of(seed);
    const Contests contests = contests_of(literal);
    const EvidenceSource source({{contests, 1.0}}, seed);
    TeamTable teams;
    for (int size = 1; size <= literal.model_count; ++size) {
      teams.append(EnsSet(literal.model_count, size).list());
    }
    Evidence evidence, threaded;
    std::vector<std::size_t> places(teams.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    for (auto& [found, threads] : {std::pair(&evidence, 1), std::pair(&threaded, 3)}) {
      source.add(*found, teams, {.threads = threads});
      source.add_sureness(*found, places, {.threads = threads});
    }
    CHECK(evidence.worth == threaded.worth);
    CHECK(evidence.sureness == threaded.sureness);
    for (std::size_t i = 0; i < teams.size(); ++i) {
      CHECK(sum_over(evidence.worth[i], all_cells) == contests.correct_count(teams[i]));
      const Members team(teams[i].begin(), teams[i].end());
      std::uint64_t sure = 0;
      for (int x = 0; x < literal.sample_count; ++x) {
        if (reference::is_contested(literal, x)) sure += reference::sureness(literal, team, x);
      }
      CHECK(sum_over(evidence.sureness[i], all_cells) == sure);
    }
  }
}

/// The problem of choosing among all teams, its evidence counted sample by sample: sample x lies in
/// cell x % 16.
DecisionProblem literal_problem(const ReferencePool& literal, int size) {
  DecisionProblem problem{.model_count = literal.model_count, .largest_size = size, .seed = 3};
  for (int one = 1; one <= size; ++one) {
    problem.shortlists.push_back(EnsSet(literal.model_count, one).list());
  }
  problem.weigh = [&literal](Evidence& evidence, const TeamTable& teams) {
    const auto correct = reference::correct_counts(literal);
    evidence.samples.fill(0);
    for (int x = 0; x < literal.sample_count; ++x) ++evidence.samples[x % cell_count];
    for (std::size_t i = 0; i < teams.size(); ++i) {
      const Members team(teams[i].begin(), teams[i].end());
      evidence.teams.push_back(teams[i]);
      PerCell<double>& worth = evidence.worth.emplace_back();
      for (int x = 0; x < literal.sample_count; ++x) {
        const int answer = literal.probabilities.empty()
                               ? reference::plurality_vote(literal, team, x, correct)
                               : reference::soft_vote(literal, team, x);
        worth[x % cell_count] += answer == literal.truth[x] ? 1 : 0;
      }
    }
  };
  problem.weigh_sureness = [&literal](Evidence& evidence, std::span<const std::size_t> places) {
    evidence.sureness.resize(evidence.teams.size());
    for (const std::size_t place : places) {
      const Members team(evidence.teams[place].begin(), evidence.teams[place].end());
      for (int x = 0; x < literal.sample_count; ++x) {
        if (!reference::is_contested(literal, x)) continue;
        evidence.sureness[place][x % cell_count] += reference::sureness(literal, team, x);
      }
    }
  };
  return problem;
}

TEST_CASE("the decision is the literal one, candidate by candidate") {
  for (std::uint64_t seed = 1; seed <= 16; ++seed) {
    const ReferencePool literal = pool_of(seed);
    std::vector<int> cells;
    for (int x = 0; x < literal.sample_count; ++x) cells.push_back(x % int{cell_count});
    for (int size = 2; size <= 3; ++size) {
      CAPTURE(seed);
      CAPTURE(size);
      const auto decision = decide(literal_problem(literal, size));
      REQUIRE(decision);
      const auto expected = reference::decide(literal, size, cells, random_halves(3, 20));
      REQUIRE(decision->candidates.size() == expected.candidates.size());
      for (std::size_t i = 0; i < expected.candidates.size(); ++i) {
        const Candidate& candidate = decision->candidates[i];
        CAPTURE(title_of(candidate));
        CHECK(Members(candidate.team.begin(), candidate.team.end()) == expected.candidates[i].team);
        CHECK(candidate.expected ==
              doctest::Approx(expected.candidates[i].expected).epsilon(1e-12));
        CHECK(candidate.judged == expected.candidates[i].judged);
      }
      CHECK(decision->recommended == expected.recommended);
    }
  }
}

/// Models by the number of samples of 160 that they get right, from a place on; everybody else
/// answers 1 in place of 0.
ReferencePool pool_with(const std::vector<std::pair<int, int>>& right) {
  ReferencePool pool{.model_count = static_cast<int>(right.size()),
                     .sample_count = 160,
                     .class_count = 2,
                     .truth = std::vector<int>(160, 0)};
  for (const auto& [first, count] : right) {
    std::vector<int>& labels = pool.predictions.emplace_back(160, 1);
    for (int i = 0; i < count; ++i) labels[(first + i * 7) % 160] = 0;
  }
  return pool;
}

TEST_CASE("one model is enough where it is far better than the others") {
  const ReferencePool pool = pool_with({{0, 155}, {0, 90}, {0, 92}, {0, 88}, {0, 91}, {0, 89}});
  const auto decision = decide(literal_problem(pool, 3));
  REQUIRE(decision);
  CHECK(decision->candidates[decision->recommended].team == Team{0});
}

TEST_CASE("what is required, excluded and too dear binds every candidate") {
  const ReferencePool pool = pool_of(6);
  DecisionProblem problem = literal_problem(pool, 3);
  problem.eligibility.required = Team{1};
  problem.eligibility.excluded = {2};
  for (TeamList& shortlist : problem.shortlists) {
    TeamList allowed(shortlist.team_size());
    for (std::size_t i = 0; i < shortlist.size(); ++i) {
      if (problem.eligibility.allows(shortlist[i])) allowed.push_back(shortlist[i]);
    }
    shortlist = allowed;
  }
  const auto decision = decide(problem);
  REQUIRE(decision);
  for (const Candidate& candidate : decision->candidates) {
    CAPTURE(title_of(candidate));
    CHECK(problem.eligibility.allows(candidate.team.view()));
    CHECK(candidate.rule != Rule::entire);
  }
  problem.eligibility.within_budget = [](TeamView) { return false; };
  for (TeamList& shortlist : problem.shortlists) shortlist = TeamList(shortlist.team_size());
  CHECK_FALSE(decide(problem));
}

TEST_CASE("a handful of samples decides by their counts alone") {
  const ReferencePool pool = reference::random_pool({.model_count = 4, .sample_count = 9});
  const auto decision = decide(literal_problem(pool, 2));
  REQUIRE(decision);
  for (const Candidate& candidate : decision->candidates) {
    CHECK(candidate.judged.empty());
    CHECK(candidate.expected == candidate.worth);
  }
}

}  // namespace
}  // namespace hqe
