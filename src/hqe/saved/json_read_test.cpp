// SPDX-License-Identifier: MIT
// A saved study is a stranger's file: every number in it is checked against what it counts.
#include <doctest/doctest.h>

#include <set>
#include <string>

#include "hqe/base/error.h"
#include "hqe/base/option_name.h"
#include "hqe/documents/json.h"
#include "hqe/saved/saved.h"
#include "tests/support/hand_made_study.h"
#include "tests/support/hostile_documents.h"
#include "tests/support/thinned.h"

namespace hqe {
namespace {

using testing::DocumentJson;
using Pointer = DocumentJson::json_pointer;

DocumentJson study_document() {
  Study study = testing::whole_study();
  study.pool.sample_count = 5000;
  return DocumentJson::parse(to_json(study));
}

/// "place: reason" of the refusal; empty where there is none.
std::string study_refusal(const std::string& text) {
  try {
    (void)study_from_json(text, "study.json");
  } catch (const InputError& error) {
    CHECK(error.file() == "study.json");
    CHECK(error.advice() == message("Write it again with {}", saved_by("prune")));
    return error.place() + ": " + error.reason().text();
  }
  return "";
}

struct Change {
  const char* place;
  const char* value;
  const char* refusal;
};

TEST_CASE("a refused study is told apart by the way to the entry, the value and the limit") {
  const DocumentJson document = study_document();
  REQUIRE(study_refusal(document.dump()).empty());
  const Change changes[] = {
      {"/consensus/teams/1/correct", "25000000",
       "consensus.teams[1].correct: 25000000 is more than the pool's 5000 samples"},
      {"/pool/samples", "0", "pool.samples: 0 samples are no pool"},
      {"/pool/samples", "-1", "pool.samples: -1 is not a count"},
      {"/pool/samples", "18446744073709551615",
       "pool.samples: 18446744073709551615 is more than the 2147483648 samples that a pool can "
       "have"},
      {"/pool/samples", "10000000000",
       "pool.samples: 10000000000 is more than the 2147483648 samples that a pool can have"},
      {"/pool/samples", "5000.0", "pool.samples: 5000.0 is not a count"},
      {"/pool/samples", "1e300", "pool.samples: 1e+300 is not a count"},
      {"/pool/samples", "\"5000\"", "pool.samples: \"5000\" is not a count"},
      {"/pool/models/2/correct", "5001",
       "pool.models[2].correct: 5001 is more than the pool's 5000 samples"},
      {"/pool/models/1/id", "2", "pool.models[1].id: 2 stands in the place of model 1"},
      {"/pool/models/0/costs/params", "-1", "pool.models[0].costs.params: -1 is negative"},
      {"/pool/kind", "\"guess\"", "pool.kind: \"guess\" is unknown here"},
      {"/pool/classes", "[\"cat\"]", "pool.classes: holds 1 where 3 are due, one a class"},
      {"/schema", "2", "schema: 2 is a schema of another hqe, which reads schema 1"},
      {"/options/seed", "\"7x\"",
       "options.seed: \"7x\" is not a seed, a whole number from 0 to 2^64 - 1"},
      {"/options/sample/seed", "-7",
       "options.sample.seed: -7 is not a seed, a whole number from 0 to 2^64 - 1"},
      {"/options/beta", "1.5", "options.beta: 1.5 is not in 0 to 1"},
      {"/options/size", "\"large\"", "options.size: \"large\" is neither a number nor \"auto\""},
      {"/reference/team/3", "4", "reference.team[3]: 4 is none of the pool's 4 models"},
      {"/reference/team", "[]", "reference.team: is a team without members"},
      {"/recommended/team", "[1,1]", "recommended.team: names model 1 twice"},
      {"/selections/0/tiers/0/pruned", "7",
       "selections[0].tiers[0].pruned: 7 is more than the tier's 6 candidates"},
      {"/selections/0/true_positive", "3",
       "selections[0].true_positive: 3 is more than the 2 selected teams"},
      {"/selections/0/selected", "3", "selections[0].selected: 3 stands beside 2 teams"},
      {"/selections/1/metric", "\"F-BD\"", "selections[1].metric: \"F-BD\" occurs twice"},
      {"/selections/1/precision", "-0.5", "selections[1].precision: -0.5 is not in 0 to 1"},
      {"/selections/1/teams/0/score", "1e300",
       "selections[1].teams[0].score: 1e+300 is not in -1000000 to 1000000"},
      {"/test/selections/0/teams/1/correct", "201",
       "test.selections[0].teams[1].correct: 201 is more than the test pool's 200 samples"},
      {"/test/pool/models", "[]", "test.pool.models: holds 0 models, a pool has 1 to 1024"},
      {"/test/selections", "[]", "test.selections: holds 0 where 2 are due, one a selection"},
      {"/trust/teams/0/selection/correct", "101",
       "trust.teams[0].selection.correct: 101 is more than these 100 samples"},
      {"/trust/teams/0/selection/samples", "0",
       "trust.teams[0].selection.samples: 0 samples tell nothing"},
      {"/trust/comparisons/0/selection/only_baseline", "189",
       "trust.comparisons[0].selection.only_baseline: 189 is more than the other 188 samples"},
      {"/trust/comparisons/0/verdict", "\"great\"",
       "trust.comparisons[0].verdict: \"great\" is unknown here"},
      {"/trust/comparisons/0/corrected", "[0.5,0.25]",
       "trust.comparisons[0].corrected[0]: 0.5 is above the interval's upper end"},
      {"/trust/stability/members", "[0.5]",
       "trust.stability.members: holds 1 where 4 are due, one a model"},
      {"/trust/stability/teams/0/times", "51",
       "trust.stability.teams[0].times: 51 is not a whole number from 0 to 50"},
      {"/trust/pruning/0/tiers/0/violated", "5",
       "trust.pruning[0].tiers[0].violated: 5 is more than the 4 pruned teams"},
      {"/scored/0/fate", "\"kx\"", "scored[0].fate: holds other letters than k and p"},
      {"/scored/0/fate", "\"k\"", "scored[0].fate: holds 1 letters where 2 are due, one a team"},
      {"/scored/0/score", "[]", "scored[0].score: holds 0 where 2 are due, one a team"},
      {"/scored/0/correct/1", "5001",
       "scored[0].correct[1]: 5001 is more than the pool's 5000 samples"},
      {"/co_failures/1/2", "26", "co_failures[1][2]: 26 is more than either model's 25 failures"},
      {"/co_failures", "[]", "co_failures: holds 0 where 4 are due, one a model"},
      {"/focal_co_failures/0/1/2", "7",
       "focal_co_failures[0][1][2]: 7 is more than the two models' 6 co-failures"},
      {"/deciding_samples/samples/0/truth", "3",
       "deciding_samples.samples[0].truth: 3 is not a whole number from 0 to 2"},
      {"/deciding_samples/samples/0/answer", "-2",
       "deciding_samples.samples[0].answer: -2 is not a whole number from -1 to 2"},
      {"/deciding_samples/samples/0/members/0/model", "4",
       "deciding_samples.samples[0].members[0].model: 4 is not a whole number from 0 to 3"},
      {"/sweep/0/size", "5", "sweep[0].size: 5 is not a whole number from 1 to 4"},
      {"/correlations/0/spearman", "-7", "correlations[0].spearman: -7 is not in -1.001 to 1.001"},
  };
  for (const Change& change : changes) {
    CAPTURE(change.place);
    CHECK(study_refusal(testing::with_value(document, Pointer(change.place), change.value)) ==
          change.refusal);
  }
}

/// What a study says twice: it is computed again, never read.
const std::set<std::string> derived{"version", "accuracy", "optimism", "difference",
                                    "accuracy_intervals"};

bool is_derived(const Pointer& place) {
  for (Pointer rest = place; !rest.empty(); rest.pop_back()) {
    if (derived.contains(rest.back())) return true;
  }
  const std::string way = place.to_string();
  // Costs of teams are sums of the models'; a test pool's teams are those selected.
  const bool is_of_models = way.starts_with("/pool/") || way.starts_with("/test/pool/");
  return way == "/trust/confidence" || (way.find("/costs") != way.npos && !is_of_models) ||
         way.starts_with("/deciding_samples/team") || way.starts_with("/recommended/verdicts") ||
         way.starts_with("/recommended/decision") || way.starts_with("/recommended/vote") ||
         way.find("/names") != way.npos ||
         (way.starts_with("/test/") && !is_of_models &&
          (way.find("/team/") != way.npos || way.ends_with("/team") || way.ends_with("/metric")));
}

TEST_CASE("estimates come back as estimates") {
  Study study = testing::whole_study();
  CHECK_FALSE(study_from_json(to_json(study), "study.json").recommended_robustness->estimated);
  study.recommended_robustness->estimated = true;
  study.pool.models[0].costs.lipschitz_radius = 0.5;
  study.pool.models[0].costs.lipschitz_estimated = true;
  const Study read = study_from_json(to_json(study), "study.json");
  CHECK(read.recommended_robustness->estimated);
  CHECK(read.pool.models[0].costs.lipschitz_radius == 0.5);
  CHECK(read.pool.models[0].costs.lipschitz_estimated);
  CHECK_FALSE(read.pool.models[1].costs.lipschitz_estimated);
}

TEST_CASE("whole numbers are read as they stand or refused at their place, never converted") {
  const DocumentJson document = study_document();
  std::size_t looked_at = 0;
  testing::Thinned thinned(7);
  for (const Pointer& place : testing::places_in(document)) {
    const DocumentJson& value = document.at(place);
    if (!value.is_number_integer() || is_derived(place)) continue;
    ++looked_at;
    for (const char* hostile :
         {"1.5", "-7", "1e300", "18446744073709551616", "\"1\"", "true", "[]", "{}"}) {
      if (thinned.leaves_out()) continue;
      if (place.back() == "seed" && std::string_view(hostile) == "\"1\"") continue;  // Digits.
      CAPTURE(place.to_string());
      CAPTURE(hostile);
      CHECK(study_refusal(testing::with_value(document, place, hostile))
                .starts_with(testing::way_of(document, place) + ": "));
    }
  }
  CHECK(looked_at > 200);
}

TEST_CASE("everything in a study is either read or said twice") {
  const DocumentJson document = study_document();
  testing::Thinned thinned(5);
  for (const Pointer& place : testing::places_in(document)) {
    if (thinned.leaves_out()) continue;
    CAPTURE(place.to_string());
    const char* const other = document.at(place).is_object() ? "7" : "{\"unknown\":[]}";
    const bool is_refused = !study_refusal(testing::with_value(document, place, other)).empty();
    CHECK(is_refused == !is_derived(place));
  }
}

TEST_CASE("a hundred thousand levels under any key are refused") {
  const DocumentJson document = study_document();
  std::string deep(100'000, '[');
  deep.append(100'000, ']');
  for (const auto& entry : document.items()) {
    CAPTURE(entry.key());
    std::string text = document.dump();
    const std::string key = "\"" + entry.key() + "\":";
    text.replace(text.find(key), key.size(), key + deep + ",\"other\":");
    CHECK(study_refusal(text) == ": not a saved study: is nested too deeply");
  }
}

TEST_CASE("a name said twice is refused, since readers differ in which they take") {
  std::string text = study_document().dump();
  text.insert(1, "\"vote\":\"soft\",");
  CHECK(study_refusal(text) == ": not a saved study: the name \"vote\" occurs twice");
}

TEST_CASE("the work follows what a document holds, not what it claims") {
  DocumentJson document = study_document();
  document["pool"]["samples"] = std::uint64_t{1} << 31;
  const Study study = study_from_json(document.dump(), "f");
  CHECK(study.pool.sample_count == std::uint64_t{1} << 31);
  CHECK(DocumentJson::parse(to_json(study))["accuracy_intervals"].size() == 2);
}

TEST_CASE("seeds of all 64 bits come back, as numbers and as digits") {
  DocumentJson document = study_document();
  document["options"]["seed"] = "18446744073709551615";
  CHECK(study_from_json(document.dump(), "f").options.seed == UINT64_MAX);
  document["options"]["seed"] = UINT64_MAX;
  CHECK(study_from_json(document.dump(), "f").options.seed == UINT64_MAX);
}

TEST_CASE("a document of another command is named, and what would do") {
  try {
    (void)saved_from_json(R"({"schema":1,"command":"score"})", "scores.json");
    FAIL("read");
  } catch (const InputError& error) {
    CHECK(error.reason() ==
          "not a saved study, comparison or cascade: its \"command\" is \"score\"");
    CHECK(error.advice() == message("Write it again with {}, {} or {}", saved_by("prune"),
                                    saved_by("compare"), saved_by("front", "cascade")));
  }
}

}  // namespace
}  // namespace hqe
