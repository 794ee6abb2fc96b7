// SPDX-License-Identifier: MIT
#include "hqe/verbs/apply.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "hqe/base/error.h"
#include "hqe/scan/scan.h"
#include "hqe/serving/voter.h"
#include "hqe/verbs/verbs.h"
#include "tests/reference/answers.h"
#include "tests/reference/votes.h"
#include "tests/support/small_pools.h"

namespace hqe {
namespace {

using reference::ReferencePool;

/// The pool as a stranger would give it.
Pool without_labels(Pool pool) {
  PoolParts parts{.name = pool.name, .kind = pool.kind, .models = pool.models};
  return make_pool(std::move(parts));
}

void check_answers(const ReferencePool& literal, const Combined& combined,
                   const reference::Members& team, const VoteOptions& vote,
                   std::optional<double> temperature) {
  const auto classes = static_cast<std::size_t>(literal.class_count);
  for (int x = 0; x < literal.sample_count; ++x) {
    CAPTURE(x);
    const reference::Answer answer = reference::answer_of(literal, team, x, combined.vote,
                                                          vote.weights, vote.correct, temperature);
    const auto i = static_cast<std::size_t>(x);
    CHECK(combined.labels[i] == answer.label);
    CHECK(combined.agreeing[i] == answer.agree);
    CHECK(std::isnan(combined.margins[i]) == !answer.margin.has_value());
    if (answer.margin) CHECK(combined.margins[i] == doctest::Approx(*answer.margin).epsilon(1e-12));
    CHECK(combined.probabilities.empty() == answer.scores.empty());
    if (answer.scores.empty()) continue;
    CHECK(combined.probabilities[i] == doctest::Approx(*answer.probability).epsilon(1e-12));
    for (std::size_t k = 0; k < classes; ++k) {
      CHECK(combined.scores[i * classes + k] == doctest::Approx(answer.scores[k]).epsilon(1e-12));
    }
  }
}

TEST_CASE("apply says what the literal vote says, with labels and without") {
  for (const bool scores : {true, false}) {
    const ReferencePool literal = reference::random_pool({.sample_count = 300,
                                                          .class_count = 4,
                                                          .abstain = scores ? 0 : 0.2,
                                                          .probabilities = scores,
                                                          .seed = 5});
    const Pool pool = reference::to_pool(literal);
    for (const Vote vote : all_votes) {
      if (vote == Vote::soft && !scores) continue;
      CAPTURE(to_string(vote));
      VoteOptions options{.vote = vote, .weights = {}, .ties = Ties::accuracy};
      if (vote == Vote::weighted) options.weights = {0.5, 2, 0, 1, 1};
      options.correct = reference::correct_counts(literal);
      const bool shares = scores && (vote == Vote::soft || vote == Vote::weighted);
      for (const auto temperature : {std::optional<double>(), std::optional<double>(1.7)}) {
        if (temperature && !shares) continue;
        const ApplyOptions asked{.vote = options, .temperature = temperature};
        const Combined combined = apply(pool, Team{0, 1, 2, 4}, asked);
        check_answers(literal, combined, {0, 1, 2, 4}, options, temperature);
        const Combined alike = apply(without_labels(pool), Team{0, 1, 2, 4}, asked, {.threads = 3});
        CHECK(alike.labels == combined.labels);
        CHECK(alike.scores == combined.scores);
        CHECK_FALSE(alike.pool.has_labels);
      }
    }
  }
}

TEST_CASE("a team of a file answers as it did, whatever the new pool says of its members") {
  // a and b differ on every sample; a is right more often where the team was chosen, b elsewhere.
  const Pool chosen = testing::label_pool({0, 0, 0}, {{0, 0, 0}, {1, 1, 0}});
  const Pool elsewhere = testing::label_pool({1, 1, 1}, {{0, 0, 0}, {1, 1, 1}});
  const TeamFile file = team_of(chosen, Team{0, 1}, {});
  Pool pool = elsewhere;
  const std::vector<ModelId> members = match_team(file, pool);
  const Combined combined =
      apply(pool, Team(members), {.vote = vote_of(file, members, pool.model_count())});
  CHECK(combined.labels == std::vector<std::int32_t>{0, 0, 0});
  CHECK(apply(pool, Team(members), {}).labels == std::vector<std::int32_t>{1, 1, 1});
  Voter voter(team_vote(file));
  voter.add(0, 0);
  voter.add(1, 1);
  CHECK(voter.answer() == 0);
  CHECK(pool.notes.empty());
}

TEST_CASE("a team file gives the bits of its voter, however the new pool orders its models") {
  const ReferencePool literal = reference::random_pool(
      {.sample_count = 200, .class_count = 3, .probabilities = true, .seed = 9});
  const Pool chosen = reference::to_pool(literal);
  const TeamFile file = team_of(chosen, Team{0, 2, 3, 4}, {});
  const std::vector<ModelId> others{4, 1, 3, 0, 2};
  Pool pool = pool_of(chosen, others);
  const std::vector<ModelId> members = match_team(file, pool);
  CHECK(members == std::vector<ModelId>{3, 4, 2, 0});
  ApplyOptions options = apply_options(file, vote_of(file, members, 5), members);
  options.temperature.reset();
  const Combined combined = apply(pool, Team(members), options);
  Voter voter(team_vote(file));
  std::vector<double> row(3), scores(3);
  for (std::uint64_t x = 0; x < pool.sample_count; ++x) {
    voter.clear();
    for (const int member : {2, 0, 3, 1}) {
      class_scores(pool, members[static_cast<std::size_t>(member)], x, row);
      voter.add(member, row);
    }
    voter.scores(scores);
    CHECK(voter.answer() == combined.labels[x]);
    CHECK(std::ranges::equal(scores, std::span(combined.scores).subspan(x * 3, 3)));
  }
}

TEST_CASE("without labels a vote that goes by accuracies is refused with what to give") {
  const Pool pool = without_labels(testing::four_models());
  CHECK_THROWS_AS((void)apply(pool, Team{0, 1}, {}), InputError);
  CHECK_THROWS_AS((void)apply(pool, Team{0, 1}, {.vote = {.vote = Vote::weighted}}), InputError);
  CHECK(apply(pool, Team{0, 1}, {.vote = {.ties = Ties::label}}).labels ==
        std::vector<std::int32_t>{0, 0, 0, 0, 0});
  CHECK(apply(pool, Team{0, 1}, {.vote = {.vote = Vote::majority}}).answers == 3);
  CHECK_THROWS_AS((void)prune(pool, {}), InputError);
  CHECK_THROWS_AS((void)evaluate(pool, {}), InputError);
  CHECK(inspect(pool).co_failures.empty());
}

TEST_CASE("an order needs no labels, and is the same without them") {
  const Pool pool = testing::four_models();
  const VoteOptions vote{.ties = Ties::label};
  const Ordering known = order(pool, Team{0, 1, 2}, {.vote = vote});
  const Ordering fresh = order(without_labels(pool), Team{0, 1, 2}, {.vote = vote});
  CHECK(known.pool.has_labels);
  CHECK_FALSE(fresh.pool.has_labels);
  CHECK(fresh.exit.selection.order == known.exit.selection.order);
  CHECK(fresh.exit.selection.decided_after == known.exit.selection.decided_after);
  CHECK_THROWS_AS((void)order(without_labels(pool), Team{0, 1}, {}), InputError);
  CHECK_THROWS_AS((void)order(without_labels(pool), Team{0, 1}, {.vote = {.vote = Vote::weighted}}),
                  InputError);
}

/// The refusal of a team file in a pool, or nothing.
std::string refusal(const TeamFile& file, Pool pool) {
  try {
    (void)match_team(file, pool);
  } catch (const InputError& error) {
    return error.reason().text();
  }
  return "";
}

TEST_CASE("a team is found in a pool by names, and refused by the name that does not fit") {
  const Pool pool = testing::four_models();
  TeamFile file = team_of(pool, Team{1, 3}, {});
  CHECK(refusal(file, pool).empty());
  CHECK(refusal(file, pool_of(pool, Team{0, 1}.view())) ==
        "the team's member \"d\" is not in this pool");
  Pool fewer = pool_of(pool, Team{1, 2, 3}.view());
  CHECK(match_team(file, fewer) == std::vector<ModelId>{0, 2});

  Pool named = pool;
  named.class_names = {"cat", "dog"};
  CHECK(refusal(file, named).empty());
  file.class_names = {"dog", "cat"};
  CHECK(refusal(file, named) == "class 0 is called \"cat\", and the team calls it \"dog\"");
  file.class_count = 3;
  file.class_names = {};
  CHECK(refusal(file, named) == "has 2 classes, and the team was chosen on 3");
  CHECK(refusal(file, pool).empty());  // Labels only show the largest class that occurs.
  file.kind = Kind::probabilities;
  file.vote = Vote::soft;
  CHECK(refusal(file, pool) ==
        "holds labels, and the soft vote of the team was chosen on "
        "probabilities");
}

TEST_CASE("models without names are matched by position, and only where the counts agree") {
  Pool pool = testing::four_models();
  const TeamFile file = team_of(pool, Team{1, 3}, {});
  for (std::size_t m = 0; m < pool.models.size(); ++m) {
    pool.models[m].name = "model_" + std::to_string(m);
  }
  pool.has_names = false;
  CHECK(refusal(file, pool) == "its 4 models have no names, and the team has 2 members");
  Pool alone = pool_of(pool, Team{0, 2}.view());
  CHECK(match_team(file, alone) == std::vector<ModelId>{0, 1});
  CHECK(alone.notes.size() == 1);
  const TeamFile unnamed = team_of(pool, Team{1, 3}, {});
  CHECK(match_team(unnamed, pool) == std::vector<ModelId>{1, 3});
}

}  // namespace
}  // namespace hqe
