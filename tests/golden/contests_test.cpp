// SPDX-License-Identifier: MIT
#include "hqe/evaluation/contests.h"

#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "hqe/ensemble/ens_set.h"
#include "hqe/formats/open_pool.h"
#include "tests/support/shared.h"

namespace hqe {
namespace {

using nlohmann::json;

void check_counts(const Contests& contests, const json& expected) {
  const auto all = contests.correct_counts_of_all_teams({});
  std::size_t compared = 0;
  for (int size = 2; size <= contests.model_count(); ++size) {
    const TeamList teams = EnsSet(contests.model_count(), size).list();
    const auto counts = contests.correct_counts(teams, {});
    for (std::size_t i = 0; i < teams.size(); ++i) {
      std::size_t mask = 0;
      for (const ModelId model : teams[i]) mask |= std::size_t{1} << model;
      CAPTURE(to_string(teams[i]));
      CHECK(counts[i] == expected.at(to_string(teams[i])));
      CHECK(all[mask] == counts[i]);
      ++compared;
    }
  }
  CHECK(compared == expected.size());
}

TEST_CASE("lists of teams and all teams at once are counted as in the goldens" *
          testing::NeedsShared()) {
  const auto shared = testing::shared_folder();
  for (const char* name : {"cifar10-10", "cora-10-val", "imagenet-10", "mnist-7-val"}) {
    CAPTURE(name);
    std::ifstream file(shared / "goldens" / (std::string(name) + ".json"));
    const json expected = json::parse(file);
    Pool pool = open_pool({.folder = shared / "pools" / name});
    ContestBuilder standard({});
    ContestBuilder majority({.vote = Vote::majority});
    BlockConsumer* const consumers[] = {&standard, &majority};
    scan(pool, consumers, {});
    check_counts(standard.contests(), expected.at("team_correct"));
    check_counts(majority.contests(), expected.at("team_correct_majority"));
  }
}

}  // namespace
}  // namespace hqe
