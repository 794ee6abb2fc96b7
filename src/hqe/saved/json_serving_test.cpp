// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <string>

#include "hqe/base/error.h"
#include "hqe/documents/json.h"
#include "hqe/saved/saved.h"
#include "tests/support/hand_made_study.h"
#include "tests/support/hostile_documents.h"

namespace hqe {
namespace {

using testing::DocumentJson;
using Pointer = DocumentJson::json_pointer;

/// "place: reason" of the refusal; empty where there is none.
std::string refusal(const std::string& text) {
  try {
    (void)study_from_json(text, "study.json");
  } catch (const InputError& error) {
    return error.place() + ": " + error.reason().text();
  }
  return "";
}

TEST_CASE("a study's document says how to serve the recommended team") {
  const auto document = DocumentJson::parse(to_json(testing::whole_study()));
  const DocumentJson& serving = document["recommended"]["serving"];
  std::vector<std::string> keys;
  for (const auto& entry : serving.items()) keys.push_back(entry.key());
  CHECK(keys == std::vector<std::string>{"temperature", "samples", "log_loss", "brier",
                                         "calibration_error", "reliability", "test", "early_exit"});
  CHECK(serving["temperature"] == 2.0);
  CHECK(serving["log_loss"] == DocumentJson::parse(R"({"before":0.75,"after":0.5})"));
  CHECK(serving["reliability"].size() == 15);
  CHECK(serving["reliability"][13]["before"] ==
        DocumentJson::parse(R"({"count":99,"correct":75,"confidence":0.9,"accuracy":)" +
                            std::string("0.7575757575757576}")));
  CHECK(serving["reliability"][13]["after"]["count"] == 0);
  CHECK(serving["test"]["samples"] == 200);
}

TEST_CASE("a study's document says in which order to run the recommended team") {
  const auto document = DocumentJson::parse(to_json(testing::whole_study()));
  const DocumentJson& exit = document["recommended"]["serving"]["early_exit"];
  std::vector<std::string> keys;
  for (const auto& entry : exit.items()) keys.push_back(entry.key());
  CHECK(keys == std::vector<std::string>{"order", "names", "cost", "full_cost", "bound", "samples",
                                         "expected_models", "expected_cost", "decided_after",
                                         "least_cost", "is_least", "held_out"});
  CHECK(exit["order"] == DocumentJson::parse("[3,2]"));
  CHECK(exit["names"] ==
        DocumentJson::parse(R"(["dora","a model with a very long name indeed, v2"])"));
  CHECK(exit["cost"] == "params");
  CHECK(exit["decided_after"] == DocumentJson::parse("[0.25,1.0]"));
  CHECK(exit["held_out"]["by"] == "test");
  CHECK(exit["held_out"]["samples"] == 200);
  const Study read = study_from_json(document.dump(), "f");
  CHECK(to_json(read) == to_json(testing::whole_study()));
}

TEST_CASE("a vote without shares has an early exit and no temperature") {
  Study study = testing::whole_study();
  study.recommended->serving.reset();
  study.recommended->early_exit->cost.reset();
  const auto document = DocumentJson::parse(to_json(study));
  const DocumentJson& serving = document["recommended"]["serving"];
  CHECK(serving.size() == 2);
  CHECK(serving["temperature"].is_null());
  CHECK(serving["early_exit"]["cost"].is_null());
  const Study read = study_from_json(document.dump(), "f");
  CHECK_FALSE(read.recommended->serving);
  REQUIRE(read.recommended->early_exit);
  CHECK_FALSE(read.recommended->early_exit->cost);
  CHECK(to_json(read) == to_json(study));
}

TEST_CASE("what nobody looked at has no serving, nor have older documents") {
  Study study = testing::whole_study();
  study.recommended->serving.reset();
  study.recommended->early_exit.reset();
  const auto document = DocumentJson::parse(to_json(study));
  CHECK(document["recommended"]["serving"].is_null());
  CHECK_FALSE(study_from_json(document.dump(), "f").recommended->serving);
  const std::string older = testing::without(document, Pointer("/recommended/serving"));
  CHECK_FALSE(study_from_json(older, "f").recommended->serving);
}

TEST_CASE("every figure of serving is checked against what it can be") {
  struct Edit {
    const char* place;
    const char* value;
    const char* refusal;
  };
  const auto document = DocumentJson::parse(to_json(testing::whole_study()));
  REQUIRE(refusal(document.dump()).empty());
  const Edit changes[] = {
      {"/temperature", "0.04", "temperature: 0.04 is not in 0.05 to 20"},
      {"/temperature", "20.5", "temperature: 20.5 is not in 0.05 to 20"},
      {"/samples", "101", "samples: 101 is more than the pool's 100 samples"},
      {"/samples", "0", "samples: 0 samples tell nothing"},
      {"/samples", "99", "reliability: holds 100 samples before where 99 were judged"},
      {"/log_loss/after", "-0.5", "log_loss.after: -0.5 is not in 0 to 1000"},
      {"/brier/before", "2.5", "brier.before: 2.5 is not in 0 to 2"},
      {"/calibration_error/after", "1.5", "calibration_error.after: 1.5 is not in 0 to 1"},
      {"/reliability", "[]", "reliability: holds 0 where 15 are due, one a bin"},
      {"/reliability/14/after/correct", "2",
       "reliability[14].after.correct: 2 is more than the bin's 1 samples"},
      {"/reliability/13/before/count", "101",
       "reliability[13].before.count: 101 is more than the 100 samples judged"},
      {"/reliability/13/before/confidence", "-0.5",
       "reliability[13].before.confidence: -0.5 is not in 0 to 1"},
      {"/test/samples", "201", "test.samples: 201 is more than the test pool's 200 samples"},
      {"/temperature", "null", "temperature: null stands where a number is due"},
      {"/early_exit/order", "[3,3]",
       "early_exit.order: does not hold every member of the team once"},
      {"/early_exit/order", "[3,1]",
       "early_exit.order: does not hold every member of the team once"},
      {"/early_exit/order", "[3]",
       "early_exit.order: holds 1 where 2 are due, one a member of the team"},
      {"/early_exit/order/0", "1024",
       "early_exit.order[0]: 1024 is not a whole number from 0 to 1023"},
      {"/early_exit/cost", "\"euros\"", "early_exit.cost: \"euros\" is unknown here"},
      {"/early_exit/full_cost", "-1.0", "early_exit.full_cost: -1.0 is negative"},
      {"/early_exit/full_cost", "0", "early_exit.full_cost: 0 saves nothing"},
      {"/early_exit/full_cost", "1e6",
       "early_exit.expected_cost: 11000000.0 is not in 0 to 1000000.001"},
      {"/early_exit/samples", "101", "early_exit.samples: 101 is more than the pool's 100 samples"},
      {"/early_exit/samples", "0", "early_exit.samples: 0 samples tell nothing"},
      {"/early_exit/expected_models", "2.5", "early_exit.expected_models: 2.5 is not in 1 to 2"},
      {"/early_exit/expected_models", "1.5",
       "early_exit.expected_models: 1.5 does not follow from decided_after"},
      {"/early_exit/decided_after", "[0.25,0.75]", "early_exit.decided_after: does not end with 1"},
      {"/early_exit/decided_after", "[1.5,1.0]",
       "early_exit.decided_after[0]: 1.5 is not in 0 to 1"},
      {"/early_exit/decided_after/1", "0.125",
       "early_exit.decided_after[1]: 0.125 is not in 0.25 to 1"},
      {"/early_exit/least_cost", "12e6",
       "early_exit.least_cost: 12000000.0 is not in 0 to 11000000"},
      {"/early_exit/held_out/by", "\"folds\"", "early_exit.held_out.by: \"folds\" is unknown here"},
      {"/early_exit/held_out/samples", "201",
       "early_exit.held_out.samples: 201 is more than the test pool's 200 samples"},
  };
  for (const Edit& change : changes) {
    CAPTURE(change.place);
    const Pointer place("/recommended/serving" + std::string(change.place));
    CHECK(refusal(testing::with_value(document, place, change.value)) ==
          "recommended.serving." + std::string(change.refusal));
  }
}

TEST_CASE("figures of a test pool that is not there are refused") {
  Study without_test = testing::hand_made_study();
  without_test.recommended->serving->test = testing::hand_made_effect(200);
  CHECK(refusal(to_json(without_test)) ==
        "recommended.serving.test.samples: 200 is more than a missing test pool's 0 samples");
}

}  // namespace
}  // namespace hqe
