// SPDX-License-Identifier: MIT
#include "hqe/documents/json.h"

#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "hqe/base/error.h"
#include "hqe/base/option_name.h"
#include "hqe/documents/csv_writer.h"
#include "tests/support/hand_made_study.h"

namespace hqe {
namespace {

using nlohmann::json;
using testing::hand_made_study;
using testing::whole_study;

TEST_CASE("a study's document has the keys of the contract, in its order") {
  const auto document = nlohmann::ordered_json::parse(to_json(whole_study()));
  std::vector<std::string> keys;
  for (const auto& entry : document.items()) keys.push_back(entry.key());
  CHECK(keys == std::vector<std::string>{"schema",
                                         "command",
                                         "version",
                                         "pool",
                                         "options",
                                         "vote",
                                         "reference",
                                         "selections",
                                         "consensus",
                                         "baselines",
                                         "evidence",
                                         "recommended",
                                         "warnings",
                                         "test",
                                         "trust",
                                         "accuracy_intervals",
                                         "desired_size",
                                         "metrics",
                                         "scored",
                                         "co_failures",
                                         "focal_co_failures",
                                         "correlations",
                                         "deciding_samples",
                                         "sweep"});
  std::vector<std::string> selection;
  for (const auto& entry : document["selections"][0].items()) selection.push_back(entry.key());
  CHECK(selection == std::vector<std::string>{"metric", "tiers", "teams", "selected", "good",
                                              "true_positive", "teams_of_size", "precision",
                                              "recall", "base_rate", "correct_min", "correct_max",
                                              "cost_reduction"});
}

TEST_CASE("a study's document holds the numbers of the study") {
  const json document = json::parse(to_json(whole_study()));
  CHECK(document["schema"] == 1);
  CHECK(document["pool"]["models"][1] ==
        json::parse(R"({"id":1,"name":"Bébé","correct":72,"costs":{"params":2e6}})"));
  CHECK(document["reference"] == json::parse(R"({"team":[0,1,2,3],"correct":80})"));
  const json& selection = document["selections"][1];
  CHECK(selection["metric"] == "F-GD");
  CHECK(selection["tiers"][0]["cut"] == 0);
  CHECK(selection["teams"][0]["team"] == json::parse("[2,3]"));
  CHECK(selection["teams"][0]["costs"]["params"]["sum"] == 12e6);
  CHECK(selection["teams"][0]["costs"]["params"]["reduction"].get<double>() ==
        doctest::Approx(0.2));
  CHECK(document["consensus"]["teams"][0]["votes"] == 2);
  CHECK(document["consensus"]["distinct_metrics"] == 2);
  CHECK(document["recommended"]["why"] == "It is the best.");
  CHECK(document["test"]["recommended"]["correct"] == 158);
  CHECK(document["test"]["selections"][0]["teams"][1] ==
        json::parse(R"({"team":[0,3],"correct":165})"));
  CHECK(document["scored"][0]["fate"] == "pk");
  CHECK(document["co_failures"][1][2] == 6);
  CHECK(document["focal_co_failures"][3][2][1] == 3);
  CHECK(document["correlations"][1]["teams_of"] == "F-BD");
  CHECK(document["correlations"][1]["metric"] == "BD");
  CHECK(document["deciding_samples"]["repaired"] == 9);
  CHECK(document["sweep"][0]["beta"] == 0.25);
}

TEST_CASE("what a report needs stays out of a document for people") {
  const json document = json::parse(to_json(whole_study(), JsonDetail::left_out));
  for (const char* key : {"scored", "co_failures", "correlations", "deciding_samples"}) {
    CHECK_FALSE(document.contains(key));
  }
  CHECK(document.contains("test"));
}

TEST_CASE("a saved study reads back to the same bytes") {
  Study plain = hand_made_study();
  CHECK(to_json(study_from_json(to_json(plain), "f")) == to_json(plain));
  const Study whole = whole_study();
  CHECK(to_json(study_from_json(to_json(whole), "f")) == to_json(whole));

  plain.options.size_auto = true;
  plain.options.beta_auto = true;
  plain.options.by = By::mean;
  plain.options.sample->seed = UINT64_MAX;
  plain.consensus.reset();
  plain.recommended.reset();
  plain.baselines.best_of_size.reset();
  plain.baselines.best_of_size_not_computed = "not computed: 7 teams of size 2";
  for (Selection& selection : plain.selections) {
    selection.tiers.clear();
    selection.threshold = 0.4375;
    selection.quality.good.reset();
    selection.quality.recall.reset();
    selection.quality.not_computed = "not computed: 7 teams of size 2";
  }
  CHECK(to_json(study_from_json(to_json(plain), "f")) == to_json(plain));
}

TEST_CASE("a document names options in plain words, and a name read from one is no option") {
  Study study = whole_study();
  study.warnings = {message("{} is in the way of {}", option("keep", 50), option("by", "mean"))};
  study.trust.says = message("See {}.", option("folds"));
  const json document = json::parse(to_json(study));
  CHECK(document["warnings"][0] == "keep 50 is in the way of the option by mean");
  CHECK(document["trust"]["says"] == "See the option folds.");
  const Study again = study_from_json(to_json(study), "study.json");
  CHECK(again.warnings[0].text({.option = [](const OptionName&) { return "?"; }}) ==
        document["warnings"][0].get<std::string>());
}

TEST_CASE("counts beyond what JSON holds exactly are null") {
  Study study = hand_made_study();
  study.selections[0].quality.teams_of_size = (std::uint64_t{1} << 53) + 1;
  study.selections[0].tiers[0].cut.reset();
  const json document = json::parse(to_json(study));
  CHECK(document["selections"][0]["teams_of_size"].is_null());
  CHECK(document["selections"][0]["tiers"][0]["cut"].is_null());
}

TEST_CASE("what is no saved study is refused with the file's name and a next step") {
  const std::string good = to_json(whole_study());
  json changed = json::parse(good);
  const auto refused = [](const std::string& text) {
    try {
      (void)study_from_json(text, "study.json");
    } catch (const InputError& error) {
      CHECK(error.file() == "study.json");
      CHECK_FALSE(error.advice().empty());
      return true;
    }
    return false;
  };
  CHECK(refused(""));
  CHECK(refused("[1, 2"));
  CHECK(refused("[]"));
  CHECK(refused("{\"command\":\"score\"}"));
  CHECK(refused(good.substr(0, good.size() / 2)));
  for (const char* key : {"pool", "options", "vote", "selections", "baselines", "warnings"}) {
    json missing = changed;
    missing.erase(key);
    CHECK_MESSAGE(refused(missing.dump()), key);
  }
  changed["selections"][0]["teams"][0]["team"] = {0, 4};
  CHECK(refused(changed.dump()));
  changed = json::parse(good);
  changed["recommended"]["team"] = {1, 1};
  CHECK(refused(changed.dump()));
  changed = json::parse(good);
  changed["scored"][0]["correct"] = {1};
  CHECK(refused(changed.dump()));
  changed = json::parse(good);
  changed["co_failures"].erase(0);
  CHECK(refused(changed.dump()));
  changed = json::parse(good);
  changed["vote"] = "loud";
  CHECK(refused(changed.dump()));
}

TEST_CASE("scores list each team once a metric, and leave out members that never fail") {
  Scores scores;
  scores.pool = testing::hand_made_pool();
  scores.teams.push_back(Team{0, 1}.view());
  scores.teams.push_back(Team{0, 2}.view());
  scores.columns = {{Metric::gd, {0.25, 0.5}, {}},
                    {Metric::f_gd, {0, 1}, {0.125, 0.25, 0.5, std::nan("")}}};
  const json document = json::parse(to_json(scores));
  CHECK(document["scores"]["GD"][1] == json::parse(R"({"team":[0,2],"score":0.5})"));
  CHECK(document["scores"]["F-GD"][1] ==
        json::parse(R"({"team":[0,2],"score":1.0,"focal":{"0":0.5}})"));
  std::string csv;
  write_csv(scores, [&](std::string_view bytes) { csv.append(bytes); });
  CHECK(csv ==
        "team,GD,F-GD,F-GD focal 1,F-GD focal 2\n"
        "0 1,0.25,0,0.125,0.25\n"
        "0 2,0.5,1,0.5,\n");
}

TEST_CASE("an inspection's accuracies are fractions of its counts") {
  Inspection inspection;
  inspection.pool = testing::hand_made_pool();
  inspection.models.resize(4);
  inspection.models[2] = {.abstentions = 3, .notes = {"abstains, \"often\""}};
  inspection.correct_min = 70;
  inspection.correct_max = 78;
  inspection.accuracy_mean = 0.7375;
  inspection.co_failures.assign(16, 1);
  const json document = json::parse(to_json(inspection));
  CHECK(document["models"][0]["accuracy"] == 0.7);
  CHECK(document["models"][0]["failures"] == 30);
  CHECK(document["accuracy"] == json::parse(R"({"min":0.7,"mean":0.7375,"max":0.78})"));
  std::string csv;
  write_csv(inspection, [&](std::string_view bytes) { csv.append(bytes); });
  CHECK(csv.find("2,\"a model with a very long name indeed, v2\",75,0.75,25,3,"
                 "\"abstains, \"\"often\"\"\"\n") != std::string::npos);
}

TEST_CASE("an explanation invents no score for a team that was never looked at") {
  Explanations explanations;
  explanations.pool = testing::hand_made_pool();
  explanations.reference = {Team::all(4), 80, {}};
  Explanation& explanation = explanations.teams.emplace_back();
  explanation.team = Team{0, 1};
  explanation.correct = 71;
  explanation.opinions = {{.metric = "F-GD", .fate = Explanation::Fate::not_eligible},
                          {.metric = "F-BD",
                           .fate = Explanation::Fate::pruned,
                           .culprit = Team{0, 1},
                           .tier = 2,
                           .score = 0.25,
                           .rank = 6,
                           .candidates = 6}};
  const json opinions = json::parse(to_json(explanations))["teams"][0]["opinions"];
  CHECK(opinions[0]["fate"] == "not_eligible");
  CHECK(opinions[0]["score"].is_null());
  CHECK(opinions[1]["score"] == 0.25);
  CHECK(opinions[1]["rank"] == 6);
}

}  // namespace
}  // namespace hqe
