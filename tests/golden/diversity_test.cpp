// SPDX-License-Identifier: MIT
// Correct counts and diversity of the shared pools against results that two other implementations
// agree on.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "hqe/diversity/baseline.h"
#include "hqe/diversity/focal.h"
#include "hqe/ensemble/ens_set.h"
#include "hqe/formats/open_pool.h"
#include "tests/support/shared.h"

namespace hqe {
namespace {

using nlohmann::json;

struct Golden {
  json expected;
  Pool pool;
  CountBuilder builder;
};

/// Opens and counts the pool of one golden file.
std::unique_ptr<Golden> open_golden(const std::filesystem::path& file) {
  auto golden = std::make_unique<Golden>();
  golden->expected = json::parse(std::ifstream(file));
  const auto pools = testing::shared_folder() / "pools";
  golden->pool = open_pool({.folder = pools / file.stem()});
  const std::array<BlockConsumer*, 1> consumers{&golden->builder};
  scan(golden->pool, consumers, {});
  return golden;
}

template <class Check>
void for_each_golden(const Check& check) {
  const auto folder = testing::shared_folder() / "goldens";
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".json") continue;
    CAPTURE(entry.path().stem().string());
    check(*open_golden(entry.path()));
    ++files;
  }
  CHECK(files > 0);
}

/// Compares scores of all teams of sizes 2..largest with a map from teams to what `expected` holds.
template <class Score, class Compare>
void for_each_team(int model_count, int largest, const Score& score, const json& expected,
                   const Compare& compare) {
  std::size_t compared = 0;
  for (int size = 2; size <= largest; ++size) {
    const TeamList teams = EnsSet(model_count, size).list();
    const auto scores = score(teams);
    for (std::size_t t = 0; t < teams.size(); ++t) {
      compare(teams[t], t, scores, expected.at(to_string(teams[t])));
      ++compared;
    }
  }
  CHECK(compared == expected.size());
}

void compare_score(TeamView team, std::size_t t, const std::vector<double>& scores,
                   const json& expected) {
  CAPTURE(to_string(team));
  CHECK(std::abs(scores[t] - expected.get<double>()) <= 1e-9);
}

TEST_CASE("correct counts are the golden ones" * testing::NeedsShared()) {
  for_each_golden([](const Golden& golden) {
    const Counts counts = golden.builder.counts();
    CHECK(golden.expected.at("samples") == golden.pool.sample_count);
    REQUIRE(golden.expected.at("models").size() == golden.pool.models.size());
    for (int m = 0; m < golden.pool.model_count(); ++m) {
      CHECK(golden.expected.at("models").at(m) == golden.pool.models[m].name);
      CHECK(golden.expected.at("correct").at(m) == counts.correct(static_cast<ModelId>(m)));
    }
  });
}

TEST_CASE("baseline diversity is the golden one" * testing::NeedsShared()) {
  for_each_golden([](const Golden& golden) {
    const int models = golden.pool.model_count();
    for (const auto& [name, expected] : golden.expected.at("baseline_diversity").items()) {
      CAPTURE(name);
      const Metric metric = parse_metric(name).value();
      const auto score = [&](const TeamList& teams) {
        return baseline_scores(golden.builder.counts(), nullptr, metric, teams, {});
      };
      for_each_team(models, models - 1, score, expected, compare_score);
    }
  });
}

TEST_CASE("focal negative correlations are the golden ones" * testing::NeedsShared()) {
  for_each_golden([](const Golden& golden) {
    const auto source = focal_source(golden.builder.counts());
    for (const auto& [name, all] : golden.expected.at("focal_negative_correlation").items()) {
      CAPTURE(name);
      const Metric metric = parse_metric(name).value();
      const auto score = [&](const TeamList& teams) {
        std::vector<double> q(teams.flat().size());
        source->focal_negative_correlations(metric, teams, 0, teams.size(), q);
        return q;
      };
      const auto compare = [](TeamView team, std::size_t t, const std::vector<double>& q,
                              const json& expected) {
        CHECK(expected.size() == team.size());
        for (std::size_t f = 0; f < team.size(); ++f) {
          const double golden_q = expected.at(std::to_string(team[f]));
          CHECK(std::abs(q[t * team.size() + f] - golden_q) <= 1e-9);
        }
      };
      for_each_team(golden.pool.model_count(), 4, score, all, compare);
    }
  });
}

TEST_CASE("focal diversity scaled over all teams is the golden one" * testing::NeedsShared()) {
  for_each_golden([](const Golden& golden) {
    const auto source = focal_source(golden.builder.counts());
    const int models = golden.pool.model_count();
    const json& metrics = golden.expected.at("focal_diversity_scaled_over_all_teams");
    for (const auto& [name, expected] : metrics.items()) {
      CAPTURE(name);
      const Metric metric = parse_metric(name).value();
      const auto score = [&](const TeamList& teams) {
        return focal_scores(*source, metric, Weights::rank, teams, {});
      };
      for_each_team(models, models - 1, score, expected, compare_score);
    }
  });
}

}  // namespace
}  // namespace hqe
