// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>

#include "hqe/hqe.h"
#include "hqe/report/team_text.h"
#include "hqe/saved/saved.h"
#include "tests/digest/answers.h"
#include "tests/support/io.h"
#include "tests/support/strange_pools.h"
#include "tests/support/thinned.h"

namespace hqe::testing {
namespace {

Pool digested(const Pool& pool, const TemporaryFolder& folder,
              const std::string& name = "whole.digest") {
  write_digest(pool, folder.path() / name, {}, {.threads = 2});
  return open_pool({.files = {folder.path() / name}});
}

void add_costs(Pool& pool) {
  for (std::size_t m = 0; m < pool.models.size(); ++m) {
    pool.models[m].costs[Cost::params] = 1.5 + static_cast<double>(m * m);
    pool.models[m].costs[Cost::latency_ms] = 0.1 * static_cast<double>(m + 1);
  }
  pool.name = "strange";
  pool.about = "a \"pool\" of no use";
  pool.licence = "none";
}

void check_digest(const StrangeOptions& options, bool with_costs) {
  CAPTURE(to_string(options.kind));
  CAPTURE(to_string(options.dtype));
  CAPTURE(options.class_count);
  CAPTURE(options.grid);
  CAPTURE(options.seed);
  Pool pool = strange_pool(options);
  if (with_costs) add_costs(pool);
  const TemporaryFolder folder;
  check_same_answers(pool, digested(pool, folder));
}

TEST_CASE("of a digest every verb gives the bytes that it gives of the predictions") {
  std::uint64_t seed = 1;
  for (const Kind kind : all_kinds) {
    for (const int grid : {0, 4}) {
      check_digest({.kind = kind,
                    .dtype = grid == 0 ? DType::float64 : DType::float32,
                    .model_count = 5,
                    .sample_count = 70,
                    .class_count = grid == 0 ? 9 : 4,
                    .grid = grid,
                    .nudged = grid == 4 && kind == Kind::logits,
                    .duplicates = grid == 4,
                    .abstain = 0.1,
                    .seed = seed++},
                   grid == 0);
    }
  }
}

/// Contests, counts and literal answers alone: quick enough for many pools.
void check_votes(const Pool& pool, const Pool& digest) {
  for (const Vote vote : all_votes) {
    if (vote == Vote::soft && !has_scores(pool.kind)) continue;
    CAPTURE(to_string(vote));
    const EvaluateOptions options{.vote = {.vote = vote}};
    CHECK(to_json(evaluate(pool, options)) == to_json(evaluate(digest, options)));
    VoteRule rule{.vote = vote};
    for (int m = 0; m < pool.model_count(); ++m) {
      rule.correct.push_back(static_cast<std::uint64_t>(m));
      if (vote == Vote::weighted) rule.weights.push_back(m == 1 ? 0 : 0.1 * m + 1);
    }
    // A team file's order is one of addition, too.
    ApplyOptions asked{.vote = options.vote, .members = {2, 0, 3}};
    const Combined wanted = apply(pool, Team{0, 2, 3}, asked);
    asked.with_scores = false;
    const Combined given = apply(digest, Team{0, 2, 3}, asked);
    CHECK(given.labels == wanted.labels);
    CHECK(given.agreeing == wanted.agreeing);
    CHECK(given.figures.correct == wanted.figures.correct);
    for (std::uint64_t sample = 0; sample < pool.sample_count; ++sample) {
      for (const Team& team : {Team{0}, Team{1}, Team{0, 2}, Team{1, 2, 3}}) {
        CHECK(team_answer(pool, rule, team.view(), sample) ==
              team_answer(digest, rule, team.view(), sample));
      }
    }
  }
}

TEST_CASE("of a digest every team gives every answer that it gives of the predictions") {
  std::uint64_t seed = 100;
  for (const Kind kind : {Kind::probabilities, Kind::logits}) {
    for (const DType dtype : {DType::float16, DType::bfloat16, DType::float32, DType::float64}) {
      for (const int grid : {0, 2, 8}) {
        for (const int classes : {2, 3, 7, 300}) {
          const StrangeOptions options{.kind = kind,
                                       .dtype = dtype,
                                       .model_count = 4,
                                       .sample_count = 40,
                                       .class_count = classes,
                                       .grid = grid,
                                       .nudged = dtype == DType::float64,
                                       .seed = seed++};
          CAPTURE(to_string(kind));
          CAPTURE(to_string(dtype));
          CAPTURE(grid);
          CAPTURE(classes);
          const Pool pool = strange_pool(options);
          const TemporaryFolder folder;
          check_votes(pool, digested(pool, folder));
        }
      }
    }
  }
}

/// A pool whose models have numbers of different types.
Pool mixed_pool(StrangeOptions options) {
  options.dtype = DType::float16;
  Pool pool = strange_pool(options);
  options.dtype = DType::float64;
  pool.models[1] = strange_pool(options).models[1];
  options.dtype = DType::float32;
  pool.models[2] = strange_pool(options).models[2];
  return pool;
}

TEST_CASE("models with numbers of different types keep theirs in a digest") {
  for (const Kind kind : {Kind::probabilities, Kind::logits}) {
    for (const int classes : {2, 9}) {
      CAPTURE(to_string(kind));
      CAPTURE(classes);
      const Pool pool = mixed_pool(
          {.kind = kind, .model_count = 5, .sample_count = 80, .class_count = classes, .seed = 3});
      const TemporaryFolder folder;
      check_same_answers(pool, digested(pool, folder));
    }
    const Pool large =
        mixed_pool({.kind = kind, .model_count = 12, .sample_count = 9000, .class_count = 3});
    const TemporaryFolder folder;
    const DigestSummary summary = write_digest(large, folder.path() / "a.digest");
    CHECK(static_cast<double>(summary.bytes) <=
          1.01 * static_cast<double>(summary.prediction_bytes) + 65536);
  }
}

TEST_CASE("a digest is never larger than the predictions plus one per cent and 64 KB") {
  testing::Thinned thinned(5);
  for (const Kind kind : all_kinds) {
    for (const DType dtype : {DType::float16, DType::float64}) {
      for (const int classes : {2, 5}) {
        for (const int grid : {0, 2}) {
          if (thinned.leaves_out()) continue;
          const Pool pool = strange_pool({.kind = kind,
                                          .dtype = dtype,
                                          .model_count = 2,
                                          .sample_count = 30000,
                                          .class_count = classes,
                                          .grid = grid,
                                          .seed = 9});
          const TemporaryFolder folder;
          const DigestSummary summary = write_digest(pool, folder.path() / "a.digest");
          CHECK(summary.bytes == std::filesystem::file_size(folder.path() / "a.digest"));
          CHECK(static_cast<double>(summary.bytes) <=
                1.01 * static_cast<double>(summary.prediction_bytes) + 65536);
        }
      }
    }
  }
}

TEST_CASE("a digest has the same bytes for any number of threads") {
  const Pool pool = strange_pool({.model_count = 3, .sample_count = 9000, .class_count = 12});
  const TemporaryFolder folder;
  write_digest(pool, folder.path() / "one.digest", {}, {.threads = 1});
  write_digest(pool, folder.path() / "four.digest", {}, {.threads = 4});
  CHECK(content(folder.path() / "one.digest") == content(folder.path() / "four.digest"));
}

TEST_CASE("what needs every score says so of a digest") {
  const Pool pool = strange_pool({.model_count = 4, .sample_count = 50, .class_count = 5});
  const TemporaryFolder folder;
  const Pool digest = digested(pool, folder);
  CHECK_THROWS_WITH_AS(static_cast<void>(apply(digest, Team{0, 1}, {})),
                       doctest::Contains("need the scores of every class"), UsageError);
  CHECK_THROWS_WITH_AS(static_cast<void>(order(digest, Team{0, 1}, {})),
                       doctest::Contains("needs the scores of every class"), UsageError);
  CHECK_THROWS_WITH_AS(write_digest(digest, folder.path() / "again.digest"),
                       doctest::Contains("is a digest already"), UsageError);
  const OrderOptions plurality{.vote = {.vote = Vote::plurality}};
  CHECK(to_json(order(digest, Team{0, 1, 2}, plurality)) ==
        to_json(order(pool, Team{0, 1, 2}, plurality)));
  const Combined whole = apply(pool, Team{0, 1}, {});
  const Combined labels = apply(digest, Team{0, 1}, {.with_scores = false});
  CHECK(labels.labels == whole.labels);
  CHECK(labels.agreeing == whole.agreeing);
  CHECK(labels.scores.empty());
  CHECK(labels.probabilities.empty());
  CHECK(labels.margins.empty());
  const ApplyOptions votes{.vote = {.vote = Vote::plurality}};
  CHECK(apply(digest, Team{0, 1, 2}, votes).labels == apply(pool, Team{0, 1, 2}, votes).labels);
}

TEST_CASE("a team of a digest says what it lacks") {
  const Pool pool = strange_pool({.model_count = 4, .sample_count = 50, .class_count = 5});
  const TemporaryFolder folder;
  const TeamFile whole = team_of(pool, Team{0, 1}, {});
  const TeamFile part = team_of(digested(pool, folder), Team{0, 1}, {});
  CHECK(whole.temperature.has_value());
  CHECK_FALSE(part.temperature.has_value());
  CHECK(warnings_of(whole).empty());
  CHECK_FALSE(contains(to_json(whole), "\"warnings\""));
  REQUIRE(warnings_of(part).size() == 1);
  CHECK(contains(to_json(part), "\"warnings\":[\"the team has no temperature and no order"));
  CHECK(contains(to_text(part), "no temperature and no order"));
  CHECK(to_json(team_from_json(to_json(part), "team")) == to_json(part));
  const OrderOptions plurality{.vote = {.vote = Vote::plurality}};
  const Pool digest = open_pool({.files = {folder.path() / "whole.digest"}});
  CHECK(to_json(team_of(digest, Team{0, 1}, plurality)) ==
        to_json(team_of(pool, Team{0, 1}, plurality)));
}

/// Members without any weight: what they are all right on, too, the team answers otherwise.
TEST_CASE("a team without any weight lists no samples, of a digest as of the predictions") {
  const Pool pool = strange_pool({.model_count = 4, .sample_count = 60, .class_count = 4});
  const TemporaryFolder folder;
  const Pool digest = digested(pool, folder);
  std::vector<std::string> documents;
  for (const Pool& asked : {pool, digest}) {
    const Study study = prune(asked, {.size = 2,
                                      .vote = {.vote = Vote::weighted, .weights = {0, 0, 0, 1}},
                                      .exclude = {"3"},
                                      .detail = true});
    REQUIRE(study.recommended.has_value());
    REQUIRE(std::ranges::find(study.recommended->figures.team, 3) ==
            study.recommended->figures.team.end());
    REQUIRE(study.detail.has_value());
    CHECK(study.detail->broken_count > 0);
    CHECK(study.detail->deciding_samples.empty());
    documents.push_back(document_of(asked, study));
  }
  CHECK(documents[0] == documents[1]);
}

TEST_CASE("radii that a digest cannot tell are a warning") {
  Pool pool = strange_pool({.model_count = 4, .sample_count = 60, .class_count = 3});
  for (Model& model : pool.models) model.costs.lipschitz = 2;
  const TemporaryFolder folder;
  const Study study = prune(digested(pool, folder), {});
  CHECK(prune(pool, {}).recommended_robustness.has_value());
  CHECK_FALSE(study.recommended_robustness.has_value());
  REQUIRE_FALSE(study.warnings.empty());
  CHECK(std::ranges::any_of(study.warnings, [](const Message& warning) {
    return contains(warning.text(), "radii need the scores of every class");
  }));
}

}  // namespace
}  // namespace hqe::testing
