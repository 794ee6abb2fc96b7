// SPDX-License-Identifier: MIT
#include "hqe/votes/vote.h"

#include <doctest/doctest.h>

#include <cmath>
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
    (void)settle_vote(kind, 10, options, {5, 6}, {"ann", "bob"});
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
    const std::string text = refusal(kind, {.vote = Vote::soft});
    CHECK(text.find("soft") != std::string::npos);
    CHECK(text.find("weighted, plurality, majority") != std::string::npos);
    CHECK(refusal(kind, {.vote = Vote::weighted}) == "");
  }
}

TEST_CASE("weights are the accuracies, or one usable number a model") {
  const auto by_accuracy = settle_vote(Kind::logits, 10, {.vote = Vote::weighted}, {5, 8});
  CHECK(by_accuracy.weights == std::vector{0.5, 0.8});
  const VoteOptions given{.vote = Vote::weighted, .weights = {2, 0}};
  CHECK(settle_vote(Kind::logits, 10, given, {5, 8}).weights == given.weights);

  CHECK(refusal(Kind::logits, {.vote = Vote::weighted, .weights = {1}}) != "");
  CHECK(refusal(Kind::logits, {.vote = Vote::weighted, .weights = {1, -1}})
            .starts_with("the vote weight of bob is not usable"));
  CHECK(refusal(Kind::logits, {.vote = Vote::weighted, .weights = {0, 0}}) != "");
  CHECK(refusal(Kind::logits, {.vote = Vote::weighted, .weights = {1, 1e-300}}) != "");
  CHECK(refusal(Kind::logits, {.vote = Vote::weighted, .weights = {1, std::stod("nan")}}) != "");
  CHECK(refusal(Kind::logits, {.weights = {1, 1}}) != "");
}

TEST_CASE("log-odds are 0 up to one half, and finite where a model never fails") {
  const VoteOptions log_odds{.vote = Vote::weighted, .weigh_by = WeighBy::log_odds};
  const auto weights = settle_vote(Kind::labels, 10, log_odds, {0, 4, 5, 6, 8, 9, 10}).weights;
  REQUIRE(weights.size() == 7);
  CHECK(std::vector(weights.begin(), weights.begin() + 3) == std::vector{0.0, 0.0, 0.0});
  CHECK(weights[3] == doctest::Approx(std::log(1.5)));
  CHECK(weights[4] == doctest::Approx(std::log(4)));
  CHECK(weights[5] == doctest::Approx(std::log(9)));
  CHECK(weights[6] == doctest::Approx(std::log(19)));  // 9.5 right, 0.5 wrong.
  CHECK(settle_vote(Kind::labels, 10, log_odds, {5, 2}).weights == std::vector{1.0, 1.0});
  CHECK(settle_vote(Kind::labels, 1, log_odds, {1, 0}).weights == std::vector{1.0, 1.0});
}

TEST_CASE("weights of one a member are those of its models, and the others have none") {
  const VoteOptions given{.vote = Vote::weighted, .weights = {1, 3}};
  CHECK(with_member_weights(given, {5, 2}, 7).weights == std::vector<double>{0, 0, 3, 0, 0, 1, 0});
  CHECK(with_member_weights(given, {1, 0}, 2).weights == std::vector<double>{3, 1});
  CHECK(with_member_weights(given, {1}, 2).weights == given.weights);
  CHECK(with_member_weights({}, {5, 2}, 7).weights.empty());
  CHECK_THROWS_AS((void)with_member_weights(given, {5, 2, 1}, 7), UsageError);
  CHECK_THROWS_AS((void)with_member_weights(given, {5, 7}, 7), UsageError);
}

TEST_CASE("every word of a vote is read back") {
  for (const Vote vote : all_votes) {
    CHECK(parse_vote(to_string(vote)) == vote);
  }
  for (const Ties ties : {Ties::accuracy, Ties::label}) CHECK(parse_ties(to_string(ties)) == ties);
  for (const WeighBy weigh_by : {WeighBy::accuracy, WeighBy::log_odds}) {
    CHECK(parse_weigh_by(to_string(weigh_by)) == weigh_by);
  }
  CHECK_FALSE(parse_weigh_by("log_odds").has_value());
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

TEST_CASE("weighted labels: the heaviest class wins, ties by weight times correct count") {
  const Pool pool = votes_of({3, 1, 1, 0, -1});
  VoteRule rule{.vote = Vote::weighted, .weights = {2, 1, 1, 0, 9}, .correct = {5, 7, 2, 99, 99}};
  CHECK(team_answer(pool, rule, Team{0, 1}, 0) == 3);
  CHECK(team_answer(pool, rule, Team{0, 1, 2, 4}, 0) == 3);  // 2 votes each; 10 against 9.
  rule.correct[1] = 8;
  CHECK(team_answer(pool, rule, Team{0, 1, 2}, 0) == 1);  // 10 each: the lower class.
  rule.correct[1] = 7;
  rule.ties = Ties::label;
  CHECK(team_answer(pool, rule, Team{0, 1, 2}, 0) == 1);
  CHECK(team_answer(pool, rule, Team{3}, 0) == -1);  // Without weight nobody votes.
  CHECK(team_answer(pool, rule, Team{3, 4}, 0) == -1);
  CHECK(team_answer(pool, rule, Team{1, 3}, 0) == 1);
  rule.weights = {0.30000000000000004, 0.1, 0.2, 0, 0};
  CHECK(team_answer(pool, rule, Team{0, 1, 2}, 0) == 1);  // 0.1 + 0.2 is as much.
  rule.weights[0] = 0.3;
  CHECK(team_answer(pool, rule, Team{0, 1, 2}, 0) == 1);  // And here more.
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
