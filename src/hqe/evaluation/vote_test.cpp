// SPDX-License-Identifier: MIT
#include "hqe/evaluation/vote.h"

#include <doctest/doctest.h>

#include <string>

#include "hqe/base/error.h"
#include "tests/support/arrays.h"

namespace hqe {
namespace {

using testing::matrix;
using testing::model;

/// A pool of labels: one sample, one label a model.
Pool votes_of(const std::vector<double>& labels, int class_count = 5) {
  PoolParts parts{.kind = Kind::labels};
  for (std::size_t m = 0; m < labels.size(); ++m) {
    parts.models.push_back(model("model_" + std::to_string(m), testing::vector({labels[m]})));
  }
  parts.labels = testing::vector({0});
  for (int k = 0; k < class_count; ++k) parts.class_names.push_back(std::to_string(k));
  return make_pool(std::move(parts));
}

Pool scores_of(const std::vector<std::vector<double>>& rows) {
  PoolParts parts{.kind = Kind::probabilities};
  for (std::size_t m = 0; m < rows.size(); ++m) {
    parts.models.push_back(model("model_" + std::to_string(m),
                                 matrix(1, static_cast<std::int64_t>(rows[m].size()), rows[m])));
  }
  parts.labels = testing::vector({0});
  return make_pool(std::move(parts));
}

std::string refusal(Kind kind, const VoteOptions& options) {
  try {
    (void)settle_vote(kind, 10, options, {5, 6});
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("score pools vote softly and the others by plurality unless told otherwise") {
  CHECK(settle_vote(Kind::probabilities, 10, {}, {5}).vote == Vote::soft);
  CHECK(settle_vote(Kind::logits, 10, {}, {5}).vote == Vote::soft);
  CHECK(settle_vote(Kind::labels, 10, {}, {5}).vote == Vote::plurality);
  CHECK(settle_vote(Kind::correctness, 10, {}, {5}).vote == Vote::plurality);
  CHECK(settle_vote(Kind::logits, 10, {.vote = Vote::majority}, {5}).vote == Vote::majority);
}

TEST_CASE("a soft vote on labels is refused, naming the votes that work") {
  for (const Kind kind : {Kind::labels, Kind::correctness}) {
    for (const Vote vote : {Vote::soft, Vote::weighted}) {
      const std::string text = refusal(kind, {.vote = vote});
      CHECK(text.find(to_string(vote)) != std::string::npos);
      CHECK(text.find("plurality, majority") != std::string::npos);
    }
  }
}

TEST_CASE("weights are the accuracies, or one usable number a model") {
  const auto by_accuracy = settle_vote(Kind::logits, 10, {.vote = Vote::weighted}, {5, 8});
  CHECK(by_accuracy.weights == std::vector{0.5, 0.8});
  const VoteOptions given{.vote = Vote::weighted, .weights = {2, 0}};
  CHECK(settle_vote(Kind::logits, 10, given, {5, 8}).weights == given.weights);

  CHECK(refusal(Kind::logits, {.vote = Vote::weighted, .weights = {1}}) != "");
  CHECK(refusal(Kind::logits, {.vote = Vote::weighted, .weights = {1, -1}}) != "");
  CHECK(refusal(Kind::logits, {.vote = Vote::weighted, .weights = {0, 0}}) != "");
  CHECK(refusal(Kind::logits, {.vote = Vote::weighted, .weights = {1, 1e-300}}) != "");
  CHECK(refusal(Kind::logits, {.vote = Vote::weighted, .weights = {1, std::stod("nan")}}) != "");
  CHECK(refusal(Kind::logits, {.weights = {1, 1}}) != "");
}

TEST_CASE("every word of a vote is read back") {
  for (const Vote vote : {Vote::soft, Vote::weighted, Vote::plurality, Vote::majority}) {
    CHECK(parse_vote(to_string(vote)) == vote);
  }
  for (const Ties ties : {Ties::accuracy, Ties::label}) CHECK(parse_ties(to_string(ties)) == ties);
  CHECK_FALSE(parse_vote("Soft").has_value());
  CHECK_FALSE(parse_ties("").has_value());
}

TEST_CASE("a soft vote sums probabilities and gives a tie to the lowest class") {
  const Pool pool = scores_of({{0.5, 0.25, 0.25}, {0.0, 0.25, 0.75}, {0.0, 0.75, 0.25}});
  const VoteRule rule{.vote = Vote::soft};
  CHECK(team_answer(pool, rule, Team{0, 1}, 0) == 2);
  CHECK(team_answer(pool, rule, Team{0, 2}, 0) == 1);
  CHECK(team_answer(pool, rule, Team{0, 1, 2}, 0) == 1);  // 0.5, 1.25, 1.25
}

TEST_CASE("weights scale what each member says") {
  const Pool pool = scores_of({{0.5, 0.25, 0.25}, {0.0, 0.25, 0.75}});
  CHECK(team_answer(pool, {.vote = Vote::weighted, .weights = {4, 1}}, Team{0, 1}, 0) == 0);
  CHECK(team_answer(pool, {.vote = Vote::weighted, .weights = {0, 0}}, Team{0, 1}, 0) == 0);
  CHECK(team_answer(pool, {.vote = Vote::weighted, .weights = {1, 1}}, Team{0, 1}, 0) == 2);
}

TEST_CASE("a plurality tie goes to the more accurate voters, then to the lower class") {
  const Pool pool = votes_of({3, 3, 1, 1, -1});
  VoteRule rule{.vote = Vote::plurality, .correct = {10, 10, 5, 6, 99}};
  CHECK(team_answer(pool, rule, Team{0, 1, 2, 3, 4}, 0) == 3);
  CHECK(team_answer(pool, rule, Team{0, 2, 3}, 0) == 1);
  rule.correct = {1, 10, 5, 6, 99};
  CHECK(team_answer(pool, rule, Team{0, 1, 2, 3}, 0) == 1);
  rule.correct = {10, 10, 5, 6, 99};
  rule.ties = Ties::label;
  CHECK(team_answer(pool, rule, Team{0, 1, 2, 3}, 0) == 1);
}

TEST_CASE("abstentions never vote, and a team without a vote has no answer") {
  const Pool pool = votes_of({-1, -1, 0});
  const VoteRule rule{.vote = Vote::plurality, .correct = {1, 1, 0}};
  CHECK(team_answer(pool, rule, Team{0, 1}, 0) == -1);
  CHECK(team_answer(pool, rule, Team{0, 1, 2}, 0) == 0);
}

TEST_CASE("a majority is more than half of the members, abstainers included") {
  const Pool pool = votes_of({2, 2, 1, -1});
  const VoteRule rule{.vote = Vote::majority};
  CHECK(team_answer(pool, rule, Team{0, 1, 2}, 0) == 2);
  CHECK(team_answer(pool, rule, Team{0, 1, 2, 3}, 0) == -1);
  CHECK(team_answer(pool, rule, Team{0, 3}, 0) == -1);
  CHECK(team_answer(pool, rule, Team{3}, 0) == -1);
}

}  // namespace
}  // namespace hqe
