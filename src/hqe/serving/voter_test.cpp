// SPDX-License-Identifier: MIT
#include "hqe/serving/voter.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "hqe/base/error.h"
#include "hqe/base/random.h"
#include "hqe/scan/scan.h"
#include "tests/reference/pool.h"

namespace hqe {
namespace {

TEST_CASE("with every member added, answer and scores are the vote's, bit for bit") {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Pool pool = reference::to_pool(reference::random_pool({.model_count = 6,
                                                                 .sample_count = 60,
                                                                 .class_count = 5,
                                                                 .probabilities = true,
                                                                 .seed = seed}));
    const Team team{0, 2, 3, 5};
    Random random(seed);
    for (const Vote kind : all_votes) {
      const VoteRule rule = settle_vote(pool.kind, 60, {.vote = kind}, {50, 40, 41, 42, 43, 44});
      Voter voter(team_vote(pool, rule, team.view()));
      std::vector<double> row(5), means(5);
      for (std::uint64_t x = 0; x < 60; ++x) {
        voter.clear();
        std::vector<int> order{0, 1, 2, 3};
        for (std::size_t i = 4; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
        std::int32_t early = -2;
        for (const int m : order) {
          class_scores(pool, team[static_cast<std::size_t>(m)], x, row);
          voter.add(m, row);
          if (voter.is_decided() && early == -2) early = voter.answer();
        }
        CHECK(voter.is_complete());
        CHECK(voter.answer() == team_answer(pool, rule, team.view(), x));
        CHECK(early == voter.answer());
        if (!voter.vote().has_scores) continue;
        voter.scores(means);
        double sum = 0, weights = 0;
        for (const ModelId model : team) {
          const double weight = kind == Vote::weighted ? rule.weights[model] : 1;
          class_scores(pool, model, x, row);
          sum += weight * row[3];
          weights += weight;
        }
        CHECK(means[3] == sum / weights);
      }
    }
  }
}

TEST_CASE(
    "with every member added, votes of labels are the pool's, weights and abstentions included") {
  const Pool pool = reference::to_pool(reference::random_pool(
      {.model_count = 6, .sample_count = 200, .class_count = 4, .abstain = 0.2, .seed = 4}));
  const Team team{0, 2, 3, 5};
  for (const Vote kind : {Vote::weighted, Vote::plurality, Vote::majority}) {
    for (const std::vector<double>& weights : {std::vector<double>{},
                                               {1, 1, 1, 1, 1, 1},
                                               {0, 1, 0, 2, 1, 1},
                                               {0.1, 0, 0.2, 0, 0, 0.3}}) {
      if (kind != Vote::weighted && !weights.empty()) continue;
      const VoteRule rule = settle_vote(pool.kind, 200, {.vote = kind, .weights = weights},
                                        {150, 40, 141, 142, 43, 144});
      Voter voter(team_vote(pool, rule, team.view()));
      for (std::uint64_t x = 0; x < 200; ++x) {
        voter.clear();
        std::int32_t early = -2;
        for (int m = 3; m >= 0; --m) {
          voter.add(m, predicted_label(pool, team[static_cast<std::size_t>(m)], x));
          if (voter.is_decided() && early == -2) early = voter.answer();
        }
        CHECK(voter.answer() == team_answer(pool, rule, team.view(), x));
        CHECK(early == voter.answer());
      }
    }
  }
}

TEST_CASE("a voter refuses what is no vote") {
  const auto refusal = [](const auto& act) {
    try {
      act();
    } catch (const UsageError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  Voter voter({.class_count = 3, .correct = {1, 1}});
  CHECK(refusal([&] { (void)voter.answer(); }) ==
        "the vote is not decided yet. Add another member");
  CHECK(refusal([&] { voter.add(2, 0); }) == "the vote has members 0 to 1, and none is 2");
  CHECK(refusal([&] { voter.add(0, 3); }) == "label 3 is none of the vote's 3 classes");
  CHECK(refusal([&] { voter.add(0, -2); }) != "");
  voter.add(0, -1);
  CHECK(refusal([&] { voter.add(0, 1); }) == "member 0 has voted already");
  std::vector<double> out(3);
  CHECK(refusal([&] { voter.scores(out); }) == "a vote of labels has no scores");

  Voter soft({.vote = Vote::soft, .class_count = 2, .has_scores = true, .correct = {1, 1}});
  CHECK(refusal([&] { soft.add(0, 1); }) == "this vote needs a score a class from every member");
  CHECK(refusal([&] { soft.add(0, std::vector{0.5}); }) == "there are 1 scores for 2 classes");
  for (const double bad : {-0.1, 1.5, std::nan(""), HUGE_VAL}) {
    CHECK(refusal([&] { soft.add(0, std::vector{bad, 0.0}); }) ==
          "a score of member 0 is no probability. Take the softmax of logits first");
  }
  CHECK(soft.added() == 0);
  soft.add(1, std::vector{0.5, 0.5});
  CHECK(refusal([&] { soft.scores(out); }) == "the vote has scores once every member was added");

  CHECK(refusal([] { (void)Voter(TeamVote{.class_count = 2}); }) ==
        "a vote needs at least one member");
  CHECK(refusal([] {
          (void)Voter(TeamVote{.vote = Vote::soft, .class_count = 2, .correct = {1}});
        }) == "the soft vote is one of scores");
  CHECK(refusal([] { (void)Voter(TeamVote{.class_count = 0, .correct = {1}}); }) != "");
  CHECK(refusal([] { (void)Voter(TeamVote{.class_count = 2, .weights = {1}, .correct = {1}}); }) !=
        "");
}

}  // namespace
}  // namespace hqe
