// SPDX-License-Identifier: MIT
// A saved cascade is a stranger's file: every number in it is checked against what it counts.
#include <doctest/doctest.h>

#include <string>

#include "hqe/base/error.h"
#include "hqe/base/option_name.h"
#include "hqe/documents/json.h"
#include "hqe/saved/saved.h"
#include "tests/support/hand_made_cascade.h"
#include "tests/support/hostile_documents.h"
#include "tests/support/strange_pools.h"

namespace hqe {
namespace {

using testing::DocumentJson;
using Pointer = DocumentJson::json_pointer;

std::string cascade_refusal(const std::string& text) {
  try {
    (void)cascade_from_json(text, "cascade.json");
  } catch (const InputError& error) {
    CHECK(error.file() == "cascade.json");
    CHECK(error.advice() == message("Write it again with {}", saved_by("front", "cascade")));
    return error.place() + ": " + error.reason().text();
  }
  return "";
}

std::string cascade_again(const std::string& text) { return to_json(cascade_from_json(text, "f")); }

TEST_CASE("a saved cascade reads back to the same bytes") {
  for (const Cascading& made : {testing::hand_made_cascade(), testing::hand_made_tested_cascade(),
                                testing::hand_made_exact_cascade()}) {
    const std::string text = to_json(made);
    CHECK(cascade_again(text) == text);
  }
  for (const Kind kind : {Kind::probabilities, Kind::labels, Kind::correctness}) {
    CAPTURE(to_string(kind));
    for (const int samples : {90, 300}) {
      const Pool pool =
          testing::strange_pool({.kind = kind, .model_count = 6, .sample_count = samples});
      const std::string halves = to_json(cascade(pool, Team{0, 2, 3, 5}, {.seed = UINT64_MAX}));
      CHECK(cascade_again(halves) == halves);
      const std::string judged =
          to_json(cascade(pool, Team{1, 4}, {.vote = {.vote = Vote::weighted}}, {}, pool));
      CHECK(cascade_again(judged) == judged);
      const std::string alone = to_json(cascade(pool, Team{1}, {}));
      CHECK(cascade_again(alone) == alone);
    }
  }
}

TEST_CASE("a refused cascade is told apart by the way to the entry, the value and the limit") {
  const DocumentJson document = DocumentJson::parse(to_json(testing::hand_made_cascade()));
  struct Change {
    const char* place;
    const char* value;
    std::string refusal;
  };
  const Change changes[] = {
      {"/command", "\"front\"", ": not a saved cascade: its \"command\" is \"front\""},
      {"/schema", "2", "schema: 2 is a schema of another hqe, which reads schema 1"},
      {"/pool/samples", "-1", "pool.samples: -1 is not a count"},
      {"/vote", "\"loud\"", "vote: \"loud\" is unknown here"},
      {"/team", "[0,2,9]", "team[2]: 9 is none of the pool's 4 models"},
      {"/correct", "101", "correct: 101 is more than the pool's 100 samples"},
      {"/order", "[3,0,0]", "order: does not hold every member of the team once"},
      {"/order", "[3,0]", "order: holds 2 where 3 are due, one a member of the team"},
      {"/full_cost", "0", "full_cost: 0 saves nothing"},
      {"/cost", "\"gold\"", "cost: \"gold\" is unknown here"},
      {"/judged_by", "\"test\"",
       ": not a saved cascade: \"test\" must name a pool where \"judged_by\" is \"test\", and only "
       "then"},
      {"/judged_by", "null",
       "rows[0]: \"held_out\" must be there where \"judged_by\" says on what, and only then"},
      {"/rows", "[]", "rows: holds no rule, not even the exact exit"},
      {"/rows/0/rule", "\"agreement\"",
       "rows[0].rule: \"agreement\" stands where the exact exit is due"},
      {"/rows/1/rule", "\"exact\"", "rows[1].rule: \"exact\" occurs twice"},
      {"/rows/1/agreeing", "4", "rows[1].agreeing: 4 is not a whole number from 1 to 3"},
      {"/rows/2/confidence", "1.5", "rows[2].confidence: 1.5 is not in 0 to 1"},
      {"/rows/0/selection/changed", "1",
       "rows[0].selection.changed: 1 changed answers are not exact"},
      {"/rows/1/selection/correct", "51",
       "rows[1].selection.correct: 51 is more than the row's 50 samples"},
      {"/rows/1/selection/samples", "49",
       "rows[1].selection.samples: 49 are others than the 50 of the exact exit"},
      {"/rows/1/held_out/samples", "0", "rows[1].held_out.samples: 0 samples tell nothing"},
      {"/rows/1/held_out/samples", "101",
       "rows[1].held_out.samples: 101 is more than the pool's 100 samples"},
      {"/rows/1/selection/expected_models", "3.5",
       "rows[1].selection.expected_models: 3.5 is not in 1 to 3"},
      {"/rows/2/selection/expected_cost", "11e6",
       "rows[2].selection.expected_cost: 11000000.0 is out of order: dearest first"},
  };
  for (const Change& change : changes) {
    CAPTURE(change.place);
    CAPTURE(change.value);
    CHECK(cascade_refusal(testing::with_value(document, Pointer(change.place), change.value)) ==
          change.refusal);
  }
  for (const auto& place : testing::places_in(document)) {
    CAPTURE(place.to_string());
    (void)cascade_refusal(testing::without(document, place));
  }
}

}  // namespace
}  // namespace hqe
