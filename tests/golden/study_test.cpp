// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "hqe/formats/open_pool.h"
#include "hqe/verbs/verbs.h"
#include "tests/support/shared.h"

namespace hqe {
namespace {

using nlohmann::json;

const std::vector<std::string> golden_pools{"cifar10-10", "cora-10-val", "imagenet-10",
                                            "mnist-7-val"};

json golden(const std::filesystem::path& shared, const std::string& name) {
  std::ifstream file(shared / "goldens" / (name + ".json"));
  return json::parse(file);
}

Pool pool_named(const std::filesystem::path& shared, const std::string& name) {
  return open_pool({.folder = shared / "pools" / name});
}

std::vector<Metric> metrics_of(const json& keys) {
  std::vector<Metric> metrics;
  for (const auto& [key, value] : keys.items()) {
    if (const auto metric = parse_metric(key)) metrics.push_back(*metric);
  }
  return metrics;
}

/// What a study scored of one size, by the metric.
struct ScoredTier {
  std::map<std::string, double> scores;
  std::vector<std::string> kept;  ///< In team order.
};

ScoredTier scored_tier(const StudyDetail& detail, const std::string& metric, int size) {
  ScoredTier tier;
  for (const StudyDetail::ScoredTeams& scored : detail.scored) {
    if (scored.metric != metric || scored.fates.empty()) continue;
    for (std::size_t i = 0; i < scored.teams.size(); ++i) {
      if (static_cast<int>(scored.teams[i].size()) != size) continue;
      const std::string team = to_string(scored.teams[i]);
      tier.scores[team] = scored.scores[i];
      if (scored.fates[i] == StudyDetail::Fate::kept) tier.kept.push_back(team);
    }
  }
  return tier;
}

std::vector<std::string> in_team_order(const SelectedTeams& selected) {
  std::vector<Team> teams;
  for (std::size_t i = 0; i < selected.size(); ++i) teams.emplace_back(selected.teams[i]);
  std::ranges::sort(teams);
  std::vector<std::string> names;
  for (const Team& team : teams) names.push_back(to_string(team.view()));
  return names;
}

void check_tiers(const Study& study, const Selection& selection, const json& expected) {
  const json& tiers = expected.at("tiers");
  REQUIRE(selection.tiers.size() == tiers.size());
  for (std::size_t t = 0; t < tiers.size(); ++t) {
    const json& tier = tiers[t];
    CAPTURE(tier.at("size").get<int>());
    CHECK(selection.tiers[t].size == tier.at("size"));
    CHECK(selection.tiers[t].candidates == tier.at("candidates"));
    CHECK(selection.tiers[t].pruned == tier.at("pruned"));
    const ScoredTier scored = scored_tier(*study.detail, selection.metric, selection.tiers[t].size);
    CHECK(scored.kept == tier.at("kept").get<std::vector<std::string>>());
    REQUIRE(scored.scores.size() == tier.at("score").size());
    for (const auto& [team, score] : tier.at("score").items()) {
      CHECK(std::abs(scored.scores.at(team) - score.get<double>()) <= 1e-9);
    }
  }
}

void check_run(const Pool& pool, const json& expected) {
  const json& metrics = expected.at("metrics");
  const PruneOptions options{.size = expected.at("desired_size").get<int>(),
                             .beta = {expected.at("beta").get<double>()},
                             .metrics = metrics_of(metrics),
                             .weights = *parse_weights(expected.at("weights").get<std::string>()),
                             .scale = *parse_scale(expected.at("scale").get<std::string>()),
                             .detail = true};
  const Study study = prune(pool, options);
  for (const Selection& selection : study.selections) {
    CAPTURE(selection.metric);
    const json& own = metrics.at(selection.metric);
    check_tiers(study, selection, own);
    CHECK(selection.quality.selected == own.at("selected"));
    CHECK(in_team_order(selection.selected) ==
          own.at("tiers").back().at("kept").get<std::vector<std::string>>());
    CHECK(selection.quality.true_positive == own.at("true_positive"));
    CHECK(selection.quality.good == expected.at("good").get<std::uint64_t>());
  }
  const json& majority = expected.at("majority_f");
  REQUIRE(study.consensus.has_value());
  CHECK(in_team_order(study.consensus->selection.selected) ==
        majority.at("selected").get<std::vector<std::string>>());
  CHECK(study.consensus->selection.quality.true_positive == majority.at("true_positive"));
}

TEST_CASE("hierarchical pruning and its consensus come out as in the goldens" *
          testing::NeedsShared()) {
  const auto shared = testing::shared_folder();
  for (const std::string& name : golden_pools) {
    CAPTURE(name);
    const Pool pool = pool_named(shared, name);
    const json expected = golden(shared, name);
    for (const json& run : expected.at("hierarchical")) {
      CAPTURE(run.at("desired_size").get<int>());
      CAPTURE(run.at("beta").get<double>());
      CAPTURE(run.at("scale").get<std::string>());
      check_run(pool, run);
    }
  }
}

TEST_CASE("mean threshold comes out as in the goldens" * testing::NeedsShared()) {
  const auto shared = testing::shared_folder();
  for (const std::string& name : golden_pools) {
    CAPTURE(name);
    const json expected = golden(shared, name).at("mean_threshold");
    const Study study =
        prune(pool_named(shared, name), {.metrics = metrics_of(expected), .by = By::mean});
    for (const Selection& selection : study.selections) {
      CAPTURE(selection.metric);
      const json& own = expected.at(selection.metric);
      CHECK(std::abs(*selection.threshold - own.at("threshold").get<double>()) <= 1e-9);
      CHECK(selection.quality.selected == own.at("selected"));
      CHECK(selection.quality.true_positive == own.at("true_positive"));
      CHECK(selection.quality.good == expected.at("good").get<std::uint64_t>());
    }
  }
}

TEST_CASE("every team's correct count comes out as in the goldens, also by majority" *
          testing::NeedsShared()) {
  const auto shared = testing::shared_folder();
  for (const std::string& name : golden_pools) {
    CAPTURE(name);
    const json expected = golden(shared, name);
    for (const bool majority : {false, true}) {
      EvaluateOptions options;
      if (majority) options.vote.vote = Vote::majority;
      const Evaluation evaluation = evaluate(pool_named(shared, name), options);
      const json& counts = expected.at(majority ? "team_correct_majority" : "team_correct");
      std::size_t compared = 0;
      for (std::size_t i = 0; i < evaluation.teams.size(); ++i) {
        if (evaluation.teams[i].size() < 2) continue;
        CHECK(evaluation.correct[i] == counts.at(to_string(evaluation.teams[i])));
        ++compared;
      }
      CHECK(compared == counts.size());
    }
    const Study study = prune(pool_named(shared, name), {});
    CHECK(study.reference.correct == expected.at("reference_correct"));
    CHECK(to_string(study.vote) == expected.at("vote").get<std::string>());
  }
}

TEST_CASE("scores over all teams come out as in the goldens, focal views included" *
          testing::NeedsShared()) {
  const auto shared = testing::shared_folder();
  for (const std::string& name : golden_pools) {
    CAPTURE(name);
    const json expected = golden(shared, name);
    const Pool pool = pool_named(shared, name);
    const Scores scores =
        score(pool, {.size_min = 2, .size_max = pool.model_count() - 1, .focal = true});
    for (const Scores::Column& column : scores.columns) {
      const std::string metric(to_string(baseline_of(column.metric)));
      CAPTURE(metric);
      const json& own = expected
                            .at(is_focal(column.metric) ? "focal_diversity_scaled_over_all_teams"
                                                        : "baseline_diversity")
                            .at(metric);
      std::size_t place = 0;
      for (std::size_t i = 0; i < scores.teams.size(); ++i) {
        const TeamView team = scores.teams[i];
        CHECK(std::abs(column.scores[i] - own.at(to_string(team)).get<double>()) <= 1e-9);
        if (!is_focal(column.metric)) continue;
        for (const ModelId focal : team) {
          const double value = column.focal[place++];
          if (team.size() > 4) continue;
          const json& views =
              expected.at("focal_negative_correlation").at(metric).at(to_string(team));
          CHECK(std::abs(value - views.at(std::to_string(focal)).get<double>()) <= 1e-9);
        }
      }
    }
  }
}

}  // namespace
}  // namespace hqe
