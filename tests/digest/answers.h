// SPDX-License-Identifier: MIT
/// Every verb's document of a pool, but for what digests cannot know.

#pragma once

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "hqe/hqe.h"

namespace hqe::testing {

/// A verb, asked in some way.
struct Answered {
  std::string question;
  std::string document;
};

inline bool votes_with_scores(const Pool& pool, const Study& study) {
  return adds_scores(study.vote, pool.kind);
}

/// The study without the serving of votes of scores, which a digest does not have.
inline std::string document_of(const Pool& pool, Study study) {
  if (study.recommended && votes_with_scores(pool, study)) {
    if (!pool.has_every_score()) {
      CHECK_FALSE(study.recommended->serving);
      CHECK_FALSE(study.recommended->early_exit);
    }
    study.recommended->serving.reset();
    study.recommended->early_exit.reset();
  }
  return to_json(study);
}

inline std::vector<std::pair<std::string, PruneOptions>> prune_questions(const Pool& pool) {
  std::vector<std::pair<std::string, PruneOptions>> asked{
      {"prune", {.detail = true}},
      {"prune by consensus", {.choose = Choose::consensus, .judge_on_half = false}},
      {"prune by the mean", {.by = By::mean}},
      {"prune with a hold-out", {.holdout = 0.4, .seed = 3}},
      {"prune with folds", {.folds = 3}},
      {"prune with resamples", {.stability = 2}},
      {"prune with drawn failures", {.sample = SampleOptions{.draws = 20, .repeats = 2}}},
      {"prune balanced", {.merit = Merit::balanced}}};
  for (const Vote vote : all_votes) {
    if (vote == Vote::soft && !has_scores(pool.kind)) continue;
    asked.emplace_back("prune by " + std::string(to_string(vote)),
                       PruneOptions{.vote = {.vote = vote}, .detail = true});
  }
  asked.emplace_back("prune by log-odds",
                     PruneOptions{.vote = {.vote = Vote::weighted, .weigh_by = WeighBy::log_odds},
                                  .detail = true});
  if (has_scores(pool.kind)) asked.push_back({"prune for log-loss", {.merit = Merit::logloss}});
  return asked;
}

/// Every verb that a digest answers. `run` may be any: answers do not depend on it.
inline std::vector<Answered> answers_of(const Pool& pool, const Run& run = {.threads = 2}) {
  std::vector<Answered> answers;
  for (const auto& [question, options] : prune_questions(pool)) {
    answers.push_back({question, document_of(pool, prune(pool, options, run))});
  }
  // A test pool that lacks a model: both are read without it.
  std::vector<ModelId> some;
  for (ModelId m = 0; m + 1 < static_cast<ModelId>(pool.model_count()); ++m) some.push_back(m);
  answers.push_back(
      {"prune with a test pool", document_of(pool, prune(pool, {}, run, pool_of(pool, some)))});
  const std::vector<Team> teams{Team{0, 1}, Team{0, 2, 3}};
  answers.push_back({"sweep", to_json(sweep(pool, {2, 3}, {0.1, 0.3}, {}, run))});
  answers.push_back({"explain", to_json(explain(pool, teams, {}, run))});
  ScoreOptions scores{.size_min = 2, .size_max = 3, .focal = true};
  answers.push_back({"score", to_json(score(pool, scores, run))});
  answers.push_back({"evaluate", to_json(evaluate(pool, {}, run))});
  answers.push_back({"inspect", to_json(inspect(pool, run))});
  answers.push_back({"front", to_json(front(pool, {}, run))});
  answers.push_back({"compare", to_json(compare(pool, {.repeats = 2, .times = false}, run))});
  answers.push_back({"compare on a test pool",
                     to_json(compare(pool, {.repeats = 1, .times = false}, run, pool))});
  if (!has_scores(pool.kind)) {
    answers.push_back({"order", to_json(order(pool, teams[1], {}, run))});
    answers.push_back({"cascade", to_json(cascade(pool, teams[1], {}, run))});
  }
  return answers;
}

inline void check_same_answers(const Pool& expected, const Pool& found) {
  const std::vector<Answered> wanted = answers_of(expected);
  const std::vector<Answered> given = answers_of(found, {.threads = 3});
  REQUIRE(wanted.size() == given.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    CAPTURE(wanted[i].question);
    CHECK(wanted[i].document == given[i].document);
  }
}

}  // namespace hqe::testing
