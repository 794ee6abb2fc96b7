// SPDX-License-Identifier: MIT
// Weighted plurality against its literal version, and what must hold of it on any pool.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "hqe/base/random.h"
#include "hqe/bits/target.h"
#include "hqe/ensemble/ens_set.h"
#include "hqe/evaluation/best_team.h"
#include "hqe/evaluation/contests.h"
#include "tests/reference/votes.h"
#include "tests/support/thinned.h"

namespace hqe {
namespace {

using reference::Members;
using reference::ReferencePool;

Contests contests_of(const ReferencePool& pool, const VoteOptions& options,
                     const std::vector<std::uint64_t>& correct = {}, int threads = 1) {
  ContestBuilder builder(options, correct);
  BlockConsumer* const consumers[] = {&builder};
  Pool made = reference::to_pool(pool);
  scan(made, consumers, {.threads = threads});
  return builder.contests();
}

VoteOptions weighted(std::vector<double> weights, Ties ties = Ties::accuracy) {
  return {.vote = Vote::weighted, .weights = std::move(weights), .ties = ties};
}

std::uint64_t literal(const ReferencePool& pool, TeamView team, const VoteRule& rule) {
  const Members members(team.begin(), team.end());
  const auto correct = rule.ties == Ties::accuracy ? rule.correct : std::vector<std::uint64_t>();
  return reference::team_correct(pool, [&](int sample) {
    return reference::weighted_plurality_vote(pool, members, sample, rule.weights, correct);
  });
}

/// True where counts by list, long and short, of all teams and one by one are the literal ones.
bool counts_literally(const ReferencePool& pool, const Contests& contests) {
  const Pool made = reference::to_pool(pool);
  const auto all = contests.correct_counts_of_all_teams({.threads = 1});
  for (int size = 1; size <= pool.model_count; ++size) {
    const TeamList teams = EnsSet(pool.model_count, size).list();
    TeamList often(size);
    while (often.size() < 64 * static_cast<std::size_t>(pool.model_count)) {
      for (std::size_t i = 0; i < teams.size(); ++i) often.push_back(teams[i]);
    }
    const auto counts = contests.correct_counts(teams, {.threads = 1});
    const auto repeated = contests.correct_counts(often, {.threads = 1});
    for (std::size_t i = 0; i < teams.size(); ++i) {
      const std::uint64_t expected = literal(pool, teams[i], contests.rule());
      std::uint64_t answered = 0;
      for (std::uint64_t x = 0; x < made.sample_count; ++x) {
        answered += team_answer(made, contests.rule(), teams[i], x) == made.true_label(x);
      }
      std::size_t mask = 0;
      for (const ModelId model : teams[i]) mask |= std::size_t{1} << model;
      if (counts[i] != expected || repeated[i] != expected || answered != expected ||
          all[mask] != expected) {
        return false;
      }
    }
  }
  return true;
}

TEST_CASE("weighted plurality: every sample of 3 models and 3 classes answers literally") {
  const std::vector<double> some{0, 1, 2, 0.1, 0.2};
  ReferencePool pool{.model_count = 3, .sample_count = 1, .class_count = 3};
  pool.predictions.assign(3, std::vector<int>(1));
  pool.truth = {1};  // A class below and a class above.
  int pools = 0;
  testing::Thinned thinned(7);
  for (int votes = 0; votes < 64; ++votes) {
    for (int m = 0; m < 3; ++m) pool.predictions[m][0] = (votes >> 2 * m & 3) - 1;
    for (std::size_t code = 1; code < some.size() * some.size() * some.size(); ++code, ++pools) {
      if (thinned.leaves_out()) continue;
      const std::vector weights{some[code % 5], some[code / 5 % 5], some[code / 25]};
      // Twice 1 is as strong as 2 once.
      const std::vector<std::uint64_t> correct{1, 2, 4};
      for (const Ties ties : {Ties::accuracy, Ties::label}) {
        const Contests contests = contests_of(pool, weighted(weights, ties), correct);
        CAPTURE(votes);
        CAPTURE(code);
        REQUIRE(counts_literally(pool, contests));
      }
    }
  }
  CHECK(pools == 64 * 124);
}

struct AnyPool {
  explicit AnyPool(std::uint64_t seed) : random(seed) {
    pool = reference::random_pool({.model_count = 3 + static_cast<int>(random.below(5)),
                                   .sample_count = 1 + static_cast<int>(random.below(200)),
                                   .class_count = 2 + static_cast<int>(random.below(5)),
                                   .accuracy = random.unit(),
                                   .abstain = random.below(2) == 0 ? 0 : 0.2,
                                   .seed = random.bits()});
  }
  /// `weight` of each model; 0 for some of them, not for the first.
  template <class Weight>
  std::vector<double> weights(const Weight& weight) {
    std::vector<double> result;
    for (int m = 0; m < pool.model_count; ++m) {
      result.push_back(m > 0 && random.below(5) == 0 ? 0.0 : weight());
    }
    return result;
  }

  Random random;
  ReferencePool pool;
};

TEST_CASE("weighted plurality: random pools are counted literally whatever the weights are") {
  testing::Thinned thinned(3);
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    if (thinned.leaves_out()) continue;
    AnyPool any(seed);
    Random& random = any.random;
    const std::vector<std::vector<double>> lists{
        any.weights([&] { return 1.0 + static_cast<double>(random.below(4)); }),
        any.weights([&] { return 0.1 * (1.0 + static_cast<double>(random.below(5))); }),
        any.weights([&] { return random.unit() + 1e-9; }),
        any.weights([&] { return std::pow(10, 200 * random.unit() - 100); }),
        any.weights([&] { return 1e15 + static_cast<double>(random.below(3)); }),
        any.weights([&] { return 0.7; })};
    for (const auto& weights : lists) {
      for (const Ties ties : {Ties::accuracy, Ties::label}) {
        CAPTURE(seed);
        CAPTURE(weights.front());
        CHECK(counts_literally(any.pool, contests_of(any.pool, weighted(weights, ties))));
      }
    }
    for (const WeighBy weigh_by : {WeighBy::accuracy, WeighBy::log_odds}) {
      const VoteOptions options{.vote = Vote::weighted, .weigh_by = weigh_by};
      CHECK(counts_literally(any.pool, contests_of(any.pool, options)));
    }
  }
}

/// Counts of every team, and how surely the entire ensemble is right.
struct Answers {
  std::vector<std::uint32_t> counts;
  std::vector<std::uint32_t> sureness;
  bool operator==(const Answers&) const = default;
};

Answers answers_of(const ReferencePool& pool, const VoteOptions& options) {
  const Contests contests = contests_of(pool, options);
  return {contests.correct_counts_of_all_teams({.threads = 1}),
          contests.sureness(Team::all(pool.model_count).view())};
}

TEST_CASE("weighted plurality: equal weights are plurality, and a power of two changes nothing") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    AnyPool any(seed);
    CAPTURE(seed);
    const std::size_t models = static_cast<std::size_t>(any.pool.model_count);
    for (const Ties ties : {Ties::accuracy, Ties::label}) {
      const Answers plain = answers_of(any.pool, {.vote = Vote::plurality, .ties = ties});
      for (const double weight : {1.0, 0.1, 1.0 / 3, 7.0, 1e-90}) {
        CHECK(answers_of(any.pool, weighted(std::vector(models, weight), ties)) == plain);
      }
      const auto weights = any.weights([&] { return any.random.unit() + 1e-3; });
      const Answers before = answers_of(any.pool, weighted(weights, ties));
      for (const int power : {-40, -1, 3, 60}) {
        std::vector<double> scaled;
        for (const double weight : weights) scaled.push_back(std::ldexp(weight, power));
        CHECK(answers_of(any.pool, weighted(scaled, ties)) == before);
      }
    }
  }
}

TEST_CASE("weighted plurality: whole weights are as many votes") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    AnyPool any(seed);
    CAPTURE(seed);
    const auto weights =
        any.weights([&] { return 1.0 + static_cast<double>(any.random.below(4)); });
    const Contests contests = contests_of(any.pool, weighted(weights));
    const Pool pool = reference::to_pool(any.pool);
    VoteRule plurality = contests.rule();
    plurality.vote = Vote::plurality;
    plurality.weights.clear();
    for (int size = 1; size <= any.pool.model_count; ++size) {
      EnsSet(any.pool.model_count, size).for_each([&](TeamView team) {
        std::vector<ModelId> voters;
        for (const ModelId model : team) {
          voters.insert(voters.end(), static_cast<std::size_t>(weights[model]), model);
        }
        std::uint64_t right = 0;
        for (std::uint64_t x = 0; !voters.empty() && x < pool.sample_count; ++x) {
          right += team_answer(pool, plurality, voters, x) == pool.true_label(x);
        }
        REQUIRE(contests.correct_count(team) == right);
      });
    }
  }
}

TEST_CASE("weighted plurality: the same for every target and any number of threads") {
  const ReferencePool pool = reference::random_pool({.model_count = 14,
                                                     .sample_count = 600,
                                                     .class_count = 4,
                                                     .accuracy = 0.5,
                                                     .abstain = 0.1,
                                                     .seed = 5});
  std::vector<double> whole, tenths;
  for (int m = 0; m < 14; ++m) {
    whole.push_back((m + 1) % 4);
    tenths.push_back(0.1 * (1 + m % 5));
  }
  const TeamList teams = EnsSet(14, 4).list();
  for (const VoteOptions& options :
       {weighted(whole), weighted(tenths), VoteOptions{.vote = Vote::weighted}}) {
    const Contests contests = contests_of(pool, options);
    const auto counts = contests.correct_counts(teams, {.threads = 1});
    const auto all = contests.correct_counts_of_all_teams({.threads = 1});
    for (std::size_t i = 0; i < teams.size(); i += 37) {
      CHECK(counts[i] == literal(pool, teams[i], contests.rule()));
    }
    for (const std::string& target : available_targets()) {
      force_target(target);
      for (const int threads : {1, 2, 7}) {
        CAPTURE(target);
        CAPTURE(threads);
        const Contests again = contests_of(pool, options, {}, threads);
        CHECK(again.correct_counts(teams, {.threads = threads}) == counts);
        CHECK(again.correct_counts_of_all_teams({.threads = threads}) == all);
        CHECK(again.sureness(teams[9]) == contests.sureness(teams[9]));
      }
    }
    force_target(available_targets().back());
    for (std::size_t i = 0; i < teams.size(); ++i) {
      std::size_t mask = 0;
      for (const ModelId model : teams[i]) mask |= std::size_t{1} << model;
      REQUIRE(all[mask] == counts[i]);
    }
    const auto best = best_team(contests, 4, {}, {});
    CHECK(best.is_proven);
    CHECK(best.correct == *std::ranges::max_element(counts));
  }
}

}  // namespace
}  // namespace hqe
