// SPDX-License-Identifier: MIT
// A saved comparison is a stranger's file: every number in it is checked against what it counts.
#include <doctest/doctest.h>

#include <string>

#include "hqe/base/error.h"
#include "hqe/base/option_name.h"
#include "hqe/documents/compare_json.h"
#include "hqe/saved/saved.h"
#include "tests/support/hand_made_comparison.h"
#include "tests/support/hostile_documents.h"
#include "tests/support/strange_pools.h"

namespace hqe {
namespace {

using testing::DocumentJson;
using Pointer = DocumentJson::json_pointer;

std::string comparison_refusal(const std::string& text) {
  try {
    (void)comparison_from_json(text, "compare.json");
  } catch (const InputError& error) {
    CHECK(error.file() == "compare.json");
    CHECK(error.advice() == message("Write it again with {}", saved_by("compare")));
    return error.place() + ": " + error.reason().text();
  }
  return "";
}

std::string again(const std::string& text) { return to_json(comparison_from_json(text, "f")); }

TEST_CASE("a saved comparison reads back to the same bytes") {
  const std::string splits = to_json(testing::hand_made_comparison());
  CHECK(again(splits) == splits);
  const std::string tested = to_json(testing::hand_made_tested_comparison());
  CHECK(again(tested) == tested);
  for (const Kind kind : {Kind::probabilities, Kind::labels, Kind::correctness}) {
    CAPTURE(to_string(kind));
    const Pool pool = testing::strange_pool({.kind = kind, .model_count = 6, .sample_count = 90});
    const std::string real = to_json(compare(pool, {.repeats = 3, .seed = UINT64_MAX}));
    CHECK(again(real) == real);
    const std::string judged = to_json(compare(pool, {.times = false}, {}, pool));
    CHECK(again(judged) == judged);
    const std::string limited = to_json(compare(pool, {.repeats = 2, .max_evaluate = 3}));
    CHECK(again(limited) == limited);
  }
}

TEST_CASE("a refused comparison is told apart by the way to the entry, the value and the limit") {
  const DocumentJson document = DocumentJson::parse(to_json(testing::hand_made_comparison()));
  struct Change {
    const char* place;
    const char* value;
    std::string refusal;
  };
  const Change changes[] = {
      {"/command", "\"prune\"", ": not a saved comparison: its \"command\" is \"prune\""},
      {"/pool/samples", "-1", "pool.samples: -1 is not a count"},
      {"/options/repeats", "1000000",
       "options.repeats: 1000000 is not a whole number from 1 to 10000"},
      {"/split_count", "3", "split_count: 3 does not fit the options, which ask for 2"},
      {"/judged_on", "\"test\"", "judged_on: \"test\" does not fit \"test\""},
      {"/test_samples", "0", "test_samples: 0 samples tell nothing"},
      {"/selection_samples", "101", "selection_samples: 101 is more than the pool's 100 samples"},
      {"/reference/test_correct", "51", "reference.test_correct: 51 is more than the 50 samples"},
      {"/reference/interval/low", "2",
       "reference.interval.low: 2 is above the interval's upper end"},
      {"/methods/0/method", "\"guess\"", "methods[0].method: \"guess\" is unknown here"},
      {"/methods/1/method", "\"branch_and_bound\"",
       "methods[1].method: \"branch_and_bound\" occurs twice"},
      {"/methods/0/team", "[2,4]", "methods[0].team[1]: 4 is none of the pool's 4 models"},
      {"/methods/1/weights", "[3]", "methods[1].weights: holds 1 where 2 are due, one a member"},
      {"/methods/0/mean_rank", "null",
       "methods[0]: \"mean_rank\" must be null where some split has no choice, and only then"},
      {"/methods/0/mean_rank", "9",
       "methods[1].mean_rank: 2.0 is out of order: methods stand best first"},
      {"/methods/0/mean_rank", "1e300",
       "methods[0].mean_rank: 1e+300 is not in 1 to " + std::to_string(method_rows().size())},
      {"/methods/1/p_value", "2", "methods[1].p_value: 2 is not in 0 to 1"},
      {"/methods/0/certificate/upper_bound", "101",
       "methods[0].certificate.upper_bound: 101 is more than the pool's 100 samples"},
      {"/methods/0/splits", "[]", "methods[0].splits: holds 0 where 2 are due, one a split"},
      {"/methods/0/splits/1/test_correct", "null",
       "methods[0].splits[1]: \"test_correct\" and \"selection_correct\" are not both there or "
       "both null"},
      {"/methods/3/not_computed", "\"\"",
       "methods[3]: \"not_computed\" must say why \"selection_correct\" is null, and only then"},
      {"/methods/1/verdict", "\"no\"", "methods[1].verdict: \"no\" is unknown here"},
      {"/methods/1/detectable", "-1", "methods[1].detectable: -1 is not in 0 to 1"},
  };
  for (const Change& change : changes) {
    CAPTURE(change.place);
    CHECK(comparison_refusal(testing::with_value(document, Pointer(change.place), change.value)) ==
          change.refusal);
  }
}

TEST_CASE("whole numbers of a comparison are read as they stand or refused at their place") {
  const DocumentJson document = DocumentJson::parse(to_json(testing::hand_made_comparison()));
  for (const Pointer& place : testing::places_in(document)) {
    // Sizes and costs of teams are computed again.
    const bool is_derived = place.to_string().starts_with("/methods/") && place.back() == "size";
    if (!document.at(place).is_number_integer() || is_derived) continue;
    for (const char* hostile : {"1.5", "-7", "1e300", "18446744073709551616", "true", "[]"}) {
      CAPTURE(place.to_string());
      CAPTURE(hostile);
      CHECK(comparison_refusal(testing::with_value(document, place, hostile))
                .starts_with(testing::way_of(document, place) + ": "));
    }
  }
}

TEST_CASE("a hundred thousand levels anywhere in a comparison are refused") {
  std::string text = to_json(testing::hand_made_comparison());
  text.insert(1, "\"deep\":" + std::string(100'000, '[') + std::string(100'000, ']') + ",");
  CHECK(comparison_refusal(text) == ": not a saved comparison: is nested too deeply");
}

}  // namespace
}  // namespace hqe
