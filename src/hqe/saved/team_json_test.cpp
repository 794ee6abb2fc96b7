// SPDX-License-Identifier: MIT
#include "hqe/documents/team_json.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "hqe/base/error.h"
#include "hqe/documents/json.h"
#include "hqe/saved/saved.h"
#include "tests/support/hand_made_study.h"
#include "tests/support/hostile_documents.h"

namespace hqe {
namespace {

using testing::DocumentJson;
using Pointer = DocumentJson::json_pointer;

/// The document with a checksum of its own, whatever it says.
std::string sealed_again(DocumentJson document) {
  document.erase("checksum");
  return sealed(document.dump() + "\n");
}

/// "place: reason" of the refusal; empty where there is none.
std::string refusal_of_team(const std::string& text) {
  try {
    (void)team_from_json(text, "team.json");
  } catch (const InputError& error) {
    CHECK(error.file() == "team.json");
    return error.place() + ": " + error.reason().text();
  }
  return "";
}

TEST_CASE("a team file says what a study recommends, and is read back") {
  const Study study = testing::whole_study();
  const std::string text = to_json(team_file_of(study));
  const auto document = DocumentJson::parse(text);
  std::vector<std::string> keys;
  for (const auto& entry : document.items()) keys.push_back(entry.key());
  CHECK(keys == std::vector<std::string>{"schema", "command", "version", "name", "kind", "samples",
                                         "model_count", "members", "vote", "ties", "weights",
                                         "temperature", "class_count", "classes", "early_exit",
                                         "expected", "costs", "checksum"});
  CHECK(document["command"] == "team");
  CHECK(document["members"][1] == DocumentJson::parse(R"({"name":"dora","correct":78})"));
  CHECK(document["weights"].is_null());
  CHECK(document["temperature"] == 2.0);
  CHECK(document["classes"] == DocumentJson::parse(R"(["cat","dog","bird"])"));
  CHECK(document["early_exit"]["order"][0] == "dora");
  CHECK(document["early_exit"]["bound"] == 1.001);
  CHECK(document["expected"]["judged_on"] == "test");
  CHECK(document["expected"]["accuracy"] == 0.79);
  CHECK(document["costs"]["params"]["sum"] == 12e6);
  CHECK(to_json(team_from_json(text, "f")) == text);
  // The study is as good as the file.
  CHECK(to_json(team_from_json(to_json(study), "f")) == text);
}

TEST_CASE("a checksum is FNV-1a of the bytes without it") {
  CHECK(sealed("{\"a\":1}\n") == "{\"a\":1,\n\"checksum\":\"49211944f5c975c1\"}\n");
  CHECK(is_sealed("{\"a\":1,\n\"checksum\":\"49211944f5c975c1\"}\n"));
  CHECK_FALSE(is_sealed("{\"a\":2,\n\"checksum\":\"49211944f5c975c1\"}\n"));
  CHECK_FALSE(is_sealed(""));
  CHECK_FALSE(is_sealed("}\n"));
}

TEST_CASE("a team file with a byte changed anywhere is refused") {
  const std::string text = to_json(team_file_of(testing::whole_study()));
  for (std::size_t place = 0; place < text.size(); ++place) {
    std::string changed = text;
    changed[place] = static_cast<char>(changed[place] ^ 1);
    CAPTURE(place);
    CHECK_FALSE(refusal_of_team(changed).empty());
  }
  CHECK_FALSE(refusal_of_team(text + "\n").empty());
  CHECK(refusal_of_team("[[[[[[[[[[[[[[[[[[").starts_with(": not a saved study or team"));
}

struct TeamFileChange {
  const char* place;
  const char* value;
  const char* refusal;
};

TEST_CASE("a refused team file is told apart by the way to the entry and what is wrong") {
  const auto document = DocumentJson::parse(to_json(team_file_of(testing::whole_study())));
  REQUIRE(refusal_of_team(sealed_again(document)).empty());
  const TeamFileChange changes[] = {
      {"/schema", "2", "schema: 2 is a schema of another hqe, which reads schema 1"},
      {"/command", "\"compare\"", ": not a saved study or team: its \"command\" is \"compare\""},
      {"/members", "[]", "members: holds 0 members, a team has 1 to 1024"},
      {"/members/0/name", "\"dora\"", "members: names \"dora\" twice"},
      {"/members/0/name", "\"\"", "members[0].name: is empty"},
      {"/members/1/correct", "101", "members[1].correct: 101 is more than the pool's 100 samples"},
      {"/model_count", "1", "model_count: 1 is not a whole number from 2 to 1024"},
      {"/vote", "\"loud\"", "vote: \"loud\" is unknown here"},
      {"/kind", "\"labels\"", "vote: \"soft\" needs probabilities or logits"},
      {"/weights", "[1,1]", "weights: a weighted vote has one a member, and no other vote has any"},
      {"/temperature", "21", "temperature: 21 is not in 0.05 to 20"},
      {"/classes", "[\"cat\"]", "classes: holds 1 where 3 are due, one a class"},
      {"/early_exit/order/0", "\"eve\"", "early_exit.order[0]: \"eve\" is no member of the team"},
      {"/early_exit/order/1", "\"dora\"", "early_exit.order[1]: \"dora\" runs twice"},
      {"/early_exit/bound", "null",
       "early_exit.bound: votes of scores have a bound, and no other vote has one"},
      {"/early_exit/bound", "1.5", "early_exit.bound: 1.5 is not in 1 to 1.01"},
      {"/expected/accuracy", "1.5", "expected.accuracy: 1.5 is not in 0 to 1"},
      {"/expected/judged_on", "\"hope\"", "expected.judged_on: \"hope\" is unknown here"},
  };
  for (const TeamFileChange& change : changes) {
    CAPTURE(change.place);
    DocumentJson changed = document;
    changed[Pointer(change.place)] = DocumentJson::parse(change.value);
    CHECK(refusal_of_team(sealed_again(changed)) == change.refusal);
  }
  DocumentJson open = document;
  open.erase("checksum");
  CHECK(refusal_of_team(open.dump()) == ": not a saved team: has no \"checksum\"");
}

TEST_CASE("no hostile value in a team file does more than to be refused") {
  const auto document = DocumentJson::parse(to_json(team_file_of(testing::whole_study())));
  for (const Pointer& place : testing::places_in(document)) {
    if (place.back() == "checksum") continue;
    CAPTURE(place.to_string());
    const std::string without = testing::without(document, place);
    CHECK_NOTHROW((void)refusal_of_team(sealed_again(DocumentJson::parse(without))));
    for (const std::string_view value : testing::hostile_values) {
      const std::string changed = testing::with_value(document, place, value);
      CHECK_NOTHROW((void)refusal_of_team(sealed_again(DocumentJson::parse(changed))));
    }
  }
}

TEST_CASE("a weighted team and one of labels are read back") {
  Study study = testing::whole_study();
  study.vote = Vote::weighted;
  study.weights = {1, 1, 0, 2.5};
  const TeamFile weighted = team_from_json(to_json(team_file_of(study)), "f");
  CHECK(weighted.weights == std::vector<double>{0, 2.5});
  study.vote = Vote::plurality;
  study.weights.clear();
  study.recommended->serving.reset();
  study.recommended->early_exit->bound.reset();
  const TeamFile labels = team_from_json(to_json(team_file_of(study)), "f");
  CHECK_FALSE(labels.adds_scores());
  CHECK_FALSE(labels.early_exit->bound);
  study.recommended.reset();
  CHECK_THROWS_AS((void)team_file_of(study), UsageError);
}

}  // namespace
}  // namespace hqe
