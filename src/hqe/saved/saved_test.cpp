// SPDX-License-Identifier: MIT
#include "hqe/saved/saved.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "hqe/base/error.h"
#include "hqe/base/option_name.h"
#include "hqe/documents/json.h"
#include "tests/support/hand_made_study.h"

namespace hqe {
namespace {

using nlohmann::json;
using testing::hand_made_study;
using testing::whole_study;

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

TEST_CASE("a name that is read from a document is no option") {
  Study study = whole_study();
  study.warnings = {message("{} is in the way of {}", option("keep", 50), option("by", "mean"))};
  const Study again = study_from_json(to_json(study), "study.json");
  CHECK(again.warnings[0].text({.option = [](const OptionName&) { return "?"; }}) ==
        "keep 50 is in the way of the option by mean");
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

}  // namespace
}  // namespace hqe
