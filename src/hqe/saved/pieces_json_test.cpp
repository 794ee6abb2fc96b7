// SPDX-License-Identifier: MIT
// Pieces of an answer that others worked out: together they are the answer, or they are refused.
#include "hqe/saved/pieces_json.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "hqe/base/error.h"
#include "hqe/documents/compare_json.h"
#include "hqe/documents/json.h"
#include "tests/support/hostile_documents.h"
#include "tests/support/strange_pools.h"

namespace hqe {
namespace {

using testing::DocumentJson;
using Pointer = DocumentJson::json_pointer;

/// The rounds as they arrive: each played and sent by itself, the last one first.
std::vector<Round> arrived(const Pool& pool, const CompareOptions& options,
                           const std::optional<Pool>& test = std::nullopt) {
  std::vector<Round> rounds;
  for (int number = round_count(options, test.has_value()) - 1; number >= 0; --number) {
    const std::string sent = to_json(play_rounds(pool, options, {number}, {.threads = 1}, test));
    for (Round& round : rounds_from_json(sent, "a worker", pool)) rounds.push_back(round);
    CHECK(to_json(std::vector{rounds.back()}) == sent);
  }
  return rounds;
}

TEST_CASE("rounds that were played one by one in any order are the comparison") {
  for (const Kind kind : all_kinds) {
    CAPTURE(to_string(kind));
    const Pool pool = testing::strange_pool({.kind = kind, .model_count = 6, .sample_count = 90});
    const CompareOptions options{.repeats = 3, .seed = 5, .times = false};
    CHECK(to_json(compare_rounds(pool, options, arrived(pool, options))) ==
          to_json(compare(pool, options, {.threads = 2})));
    CHECK(to_json(compare_rounds(pool, options, arrived(pool, options, pool), {}, pool)) ==
          to_json(compare(pool, options, {}, pool)));
  }
  const Pool pool = testing::strange_pool({.model_count = 5});
  const CompareOptions limited{.repeats = 1, .max_evaluate = 3, .times = false};
  CHECK(to_json(compare_rounds(pool, limited, arrived(pool, limited))) ==
        to_json(compare(pool, limited)));
}

std::string refusal_of(const Pool& pool, const CompareOptions& options,
                       const std::vector<Round>& rounds) {
  try {
    (void)compare_rounds(pool, options, rounds);
  } catch (const InputError& error) {
    return error.reason().text();
  }
  return "";
}

TEST_CASE("a round that is missing, there twice or another comparison's is refused") {
  const Pool pool = testing::strange_pool({.model_count = 5});
  const CompareOptions options{
      .repeats = 3, .methods = {Method::random, Method::greedy_forward}, .times = false};
  const std::vector<Round> rounds = play_rounds(pool, options, {0, 1, 2, 3});
  CHECK(refusal_of(pool, options, rounds).empty());
  CHECK(refusal_of(pool, options, {rounds[0], rounds[1], rounds[3]}) == "round 2 is missing");
  CHECK(refusal_of(pool, options, {rounds[0], rounds[1], rounds[2]}) ==
        "there are 3 where 4 belong to it");
  CHECK(refusal_of(pool, options, {rounds[0], rounds[1], rounds[2], rounds[2], rounds[3]}) ==
        "round 2 is there twice");
  CHECK(refusal_of(pool, options, {}) == "there are 0 where 4 belong to it");
  const CompareOptions others{.repeats = 3, .methods = {Method::random}, .times = false};
  CHECK(refusal_of(pool, others, rounds) == "round 0 has other methods than were asked for");
  CHECK_THROWS_WITH_AS((void)play_rounds(pool, options, {4}),
                       "there is no round 4: this comparison has 0 to 3", UsageError);
}

TEST_CASE("what arrives of a comparison is checked against the pool") {
  const Pool pool = testing::strange_pool({.model_count = 5, .sample_count = 60});
  const CompareOptions options{.methods = {Method::greedy_forward}, .times = false};
  const DocumentJson document =
      DocumentJson::parse(to_json(play_rounds(pool, options, {1}, {.threads = 1})));
  struct Change {
    const char* place;
    const char* value;
    const char* refusal;
  };
  const Change changes[] = {
      {"/version", "\"0.0\"", "worked this out, and here is hqe"},
      {"/command", "\"compare\"", "its \"command\" is \"compare\""},
      {"/rounds/0/number", "-1", "-1 is not a whole number from 0 to 10000"},
      {"/rounds/0/selection_samples", "61", "61 is more than the pool's 60 samples"},
      {"/rounds/0/reference_test_correct", "60", "60 is more than the"},
      {"/rounds/0/choices/0/team", "[0,9]", "9"},
      {"/rounds/0/choices/0/method", "\"magic\"", "\"magic\" is unknown here"},
      {"/rounds/0/choices/0/weights", "[1]", "holds 1 where"},
      {"/rounds/0/choices/0/test_correct", "31.5", "31.5 is more than the 30 samples"},
      {"/rounds/0/choices/0/selection_correct", "-2", "-2 is negative"},
      {"/rounds/0/choices/0/note", "3", "3 stands where a text is due"},
  };
  for (const Change& change : changes) {
    CAPTURE(change.place);
    DocumentJson changed = document;
    changed[Pointer(change.place)] = DocumentJson::parse(change.value);
    CHECK_THROWS_WITH_AS((void)rounds_from_json(changed.dump(), "a worker", pool),
                         doctest::Contains(change.refusal), InputError);
  }
}

std::vector<SweepRow> swept(const Pool& pool, const std::vector<int>& sizes,
                            const std::vector<double>& betas) {
  std::vector<SweepRow> rows;
  for (const double beta : betas) {
    const std::string sent = to_json(sweep(pool, sizes, {beta}, {}, {.threads = 1}));
    for (SweepRow& row : sweep_rows_from_json(sent, "a worker", pool)) rows.push_back(row);
  }
  return rows;
}

TEST_CASE("sweeps of one beta each are the sweep of all betas") {
  for (const Kind kind : all_kinds) {
    CAPTURE(to_string(kind));
    const Pool pool = testing::strange_pool({.kind = kind, .model_count = 7, .sample_count = 90});
    const std::vector<int> sizes{2, 4, 3};
    const std::vector<double> betas{0.1, 0.35, 0.05};
    std::vector<SweepRow> rows = swept(pool, sizes, betas);
    CHECK(to_json(sweep_of_rows(pool, sizes, betas, {}, rows)) ==
          to_json(sweep(pool, sizes, betas, {})));
    const auto refused = [&](const std::vector<SweepRow>& wrong, const char* reason) {
      CHECK_THROWS_WITH_AS((void)sweep_of_rows(pool, sizes, betas, {}, wrong),
                           doctest::Contains(reason), InputError);
    };
    rows.push_back(rows.front());
    refused(rows, "has not one row of");
    rows.pop_back();
    rows.pop_back();
    rows.pop_back();
    refused(rows, "has not one row of");
    refused(swept(pool, sizes, {0.1, 0.35}), "size 2, beta 0.05 has not one row of");
    refused(swept(pool, {2, 3, 4, 5}, betas), "more than belong to it");
  }
}

}  // namespace
}  // namespace hqe
