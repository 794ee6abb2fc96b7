// SPDX-License-Identifier: MIT
#include "hqe/pruning/hierarchical.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "hqe/base/error.h"
#include "hqe/base/random.h"
#include "hqe/ensemble/ens_set.h"

namespace hqe {
namespace {

const Team twins{0, 1};

/// Gives every team score 1, but 0 to a team that contains the twins.
std::vector<double> distrust_twins(const TeamList& candidates) {
  std::vector<double> scores;
  scores.reserve(candidates.size());
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    scores.push_back(contains(candidates[i], twins.view()) ? 0.0 : 1.0);
  }
  return scores;
}

std::vector<double> all_equal(const TeamList& candidates) {
  return std::vector<double>(candidates.size(), 0.5);
}

std::string kept_teams(const Tier& tier) {
  std::string text;
  for (std::size_t i = 0; i < tier.candidates.size(); ++i) {
    if (tier.kept[i]) text += to_string(tier.candidates[i]) + " ";
  }
  return text;
}

TEST_CASE("a team that contains a pruned team is cut without being scored") {
  std::vector<Team> scored;
  const auto record = [&scored](const TeamList& candidates) {
    for (std::size_t i = 0; i < candidates.size(); ++i) scored.emplace_back(candidates[i]);
    return distrust_twins(candidates);
  };
  const auto tiers = prune_hierarchically(4, record, {.desired_size = 3, .beta = {0.2}}, {});
  REQUIRE(tiers.size() == 2);
  CHECK(tiers[0].pruned_count == 1);
  CHECK(kept_teams(tiers[0]) == "0,2 0,3 1,2 1,3 2,3 ");
  CHECK(tiers[0].cut_count == 0u);
  CHECK(tiers[1].cut_count == 2u);  // 0,1,2 and 0,1,3
  CHECK(std::ranges::count_if(scored,
                              [](const Team& team) { return team.contains(twins.view()); }) == 1);
}

TEST_CASE("beta rounds down: a tenth of the 45 pairs of ten models is four") {
  const auto tiers =
      prune_hierarchically(10, distrust_twins, {.desired_size = 2, .beta = {0.1}}, {});
  CHECK(tiers.front().pruned_count == 4);
  CHECK(tiers.front().kept_count() == 41);
}

TEST_CASE("beta n is not lost to rounding: 0.29 of 100 candidates is 29") {
  const HierarchicalPruning pruning(20, {.desired_size = 2, .beta = {0.29}});
  CHECK(pruning.prune_count(2, 100) == 29);  // 0.29 * 100 is 28.999999999999996
}

TEST_CASE("among equal scores the later team is pruned first") {
  const auto tiers = prune_hierarchically(3, all_equal, {.desired_size = 2, .beta = {0.67}}, {});
  CHECK(kept_teams(tiers.front()) == "0,1 ");
}

TEST_CASE("scores that differ only beyond the twelfth decimal are equal") {
  const auto nearly_equal = [](const TeamList& candidates) {
    std::vector<double> scores(candidates.size());
    for (std::size_t i = 0; i < scores.size(); ++i) {
      scores[i] = 0.25 + 1e-14 * static_cast<double>(i);
    }
    return scores;
  };
  const auto tiers = prune_hierarchically(3, nearly_equal, {.desired_size = 2, .beta = {0.34}}, {});
  CHECK(kept_teams(tiers.front()) == "0,1 0,2 ");
}

TEST_CASE("each tier may have a beta of its own") {
  const auto tiers =
      prune_hierarchically(6, all_equal, {.desired_size = 4, .beta = {0.2, 0.0, 0.5}}, {});
  CHECK(tiers[0].pruned_count == 3);
  CHECK(tiers[1].pruned_count == 0);
  CHECK(tiers[2].pruned_count == tiers[2].candidates.size() / 2);
}

TEST_CASE("keep holds in every tier, also where the last tier stays uncut") {
  HierarchicalOptions options{.desired_size = 3, .beta = {0.0}, .keep = 7};
  for (const bool keep_last_tier : {false, true}) {
    options.keep_last_tier = keep_last_tier;
    const auto tiers = prune_hierarchically(6, all_equal, options, {});
    for (const Tier& tier : tiers) CHECK(tier.kept_count() <= 7);
    CHECK(tiers[0].kept_count() == 7);
  }
}

TEST_CASE("keep_last_tier leaves the last tier's candidates alone and no other's") {
  const auto tiers = prune_hierarchically(
      6, all_equal, {.desired_size = 3, .beta = {0.2}, .keep_last_tier = true}, {});
  CHECK(tiers[0].pruned_count == 3);
  CHECK(tiers[1].pruned_count == 0);
}

TEST_CASE("when everything is cut, the tiers that follow are empty") {
  const auto tiers = prune_hierarchically(6, all_equal, {.desired_size = 5, .beta = {0.95}}, {});
  REQUIRE(tiers.size() == 4);
  CHECK(tiers[0].kept_count() == 1);
  for (std::size_t i = 1; i < tiers.size(); ++i) {
    CHECK(tiers[i].team_size == static_cast<int>(i) + 2);
    CHECK(tiers[i].candidates.empty());
    CHECK(tiers[i].pruned_count == 0);
  }
  CHECK(tiers[3].cut_count == 6u);
}

TEST_CASE("tiers start at the required members, which every candidate has") {
  const auto tiers = prune_hierarchically(
      6, all_equal,
      {.desired_size = 4, .beta = {0.3}, .eligibility = {.required = {1, 2, 4}, .excluded = {5}}},
      {});
  REQUIRE(tiers.size() == 2);
  CHECK(kept_teams(tiers[0]) == "1,2,4 ");
  CHECK(kept_teams(tiers[1]) == "0,1,2,4 1,2,3,4 ");
  CHECK(tiers[1].cut_count == 0u);
}

TEST_CASE("a tier above max_candidates is refused before it is scored, with a keep that fits") {
  int scored_tiers = 0;
  const auto count_tiers = [&](const TeamList& candidates) {
    ++scored_tiers;
    return all_equal(candidates);
  };
  HierarchicalOptions options{.desired_size = 4, .beta = {0.0}, .max_candidates = 200};
  std::string message;
  try {
    (void)prune_hierarchically(20, count_tiers, options, {});
  } catch (const UsageError& error) {
    message = error.what();
  }
  CHECK(scored_tiers == 1);
  CHECK(message.find("size 3 would have 1140 candidates") != std::string::npos);
  // 200 candidates of size 3 need at most floor((201 * 3 - 1) / 18) kept pairs.
  CHECK(message.find("Use keep 33 ") != std::string::npos);
  options.keep = 33;
  CHECK_NOTHROW((void)prune_hierarchically(20, count_tiers, options, {}));
}

TEST_CASE("options out of range are refused in words") {
  const auto refused = [](const HierarchicalOptions& options) {
    CHECK_THROWS_AS((void)prune_hierarchically(6, all_equal, options, {}), UsageError);
  };
  refused({.desired_size = 1});
  refused({.desired_size = 6});
  refused({.desired_size = 3, .beta = {1.0}});
  refused({.desired_size = 3, .beta = {-0.1}});
  refused({.desired_size = 3, .beta = {std::nan("")}});
  refused({.desired_size = 3, .beta = {}});
  refused({.desired_size = 4, .beta = {0.1, 0.1}});
  refused({.desired_size = 3, .keep = 0});
  refused({.desired_size = 2, .eligibility = {.required = {0, 1, 2}}});
  refused({.desired_size = 2, .eligibility = {.required = {0}, .excluded = {0}}});
  refused({.desired_size = 4, .eligibility = {.excluded = {0, 1, 2}}});
}

/// A score that depends on the team and on nothing else, with many equal values.
double hash_score(TeamView team, std::uint64_t seed, std::uint64_t levels) {
  std::uint64_t stream = 0;
  for (const ModelId model : team) stream = stream * 31 + model + 1;
  return static_cast<double>(Random(seed, stream).below(levels)) / static_cast<double>(levels);
}

struct LiteralTier {
  std::vector<Team> candidates, kept, pruned;
  std::uint64_t cut = 0;
};

/// Algorithm 2 word by word: look at every team, drop those that contain a pruned one.
std::vector<LiteralTier> literal_algorithm(int model_count, const HierarchicalOptions& options,
                                           std::uint64_t seed, std::uint64_t levels) {
  std::vector<LiteralTier> tiers;
  std::vector<Team> prune_set;
  for (int size = std::max(2, options.eligibility.required.size()); size <= options.desired_size;
       ++size) {
    LiteralTier tier;
    EnsSet(model_count, size).for_each([&](TeamView team) {
      if (!options.eligibility.allows(team)) return;
      const bool cut = std::ranges::any_of(
          prune_set, [&](const Team& pruned) { return contains(team, pruned.view()); });
      if (cut) ++tier.cut;
      if (!cut) tier.candidates.emplace_back(team);
    });
    std::vector<Team> worst_last = tier.candidates;
    std::ranges::stable_sort(worst_last, [&](const Team& left, const Team& right) {
      return hash_score(left.view(), seed, levels) > hash_score(right.view(), seed, levels);
    });
    const double beta = options.beta.size() == 1 ? options.beta[0] : options.beta[size - 2];
    const double count = static_cast<double>(worst_last.size());
    auto pruned = static_cast<std::size_t>(std::floor(beta * count + 1e-9));
    if (options.keep_last_tier && size == options.desired_size) pruned = 0;
    if (options.keep && worst_last.size() > *options.keep) {
      pruned = std::max<std::size_t>(pruned, worst_last.size() - *options.keep);
    }
    const auto border = worst_last.end() - static_cast<std::ptrdiff_t>(pruned);
    tier.kept.assign(worst_last.begin(), border);
    tier.pruned.assign(border, worst_last.end());
    std::ranges::sort(tier.kept);
    prune_set.insert(prune_set.end(), tier.pruned.begin(), tier.pruned.end());
    tiers.push_back(std::move(tier));
  }
  return tiers;
}

void check_against_literal(int model_count, const HierarchicalOptions& options, std::uint64_t seed,
                           std::uint64_t levels, int threads) {
  const auto scorer = [&](const TeamList& candidates) {
    std::vector<double> scores;
    scores.reserve(candidates.size());
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      scores.push_back(hash_score(candidates[i], seed, levels));
    }
    return scores;
  };
  const auto tiers = prune_hierarchically(model_count, scorer, options, {.threads = threads});
  const auto expected = literal_algorithm(model_count, options, seed, levels);
  REQUIRE(tiers.size() == expected.size());
  for (std::size_t t = 0; t < tiers.size(); ++t) {
    const Tier& tier = tiers[t];
    std::vector<Team> candidates, kept;
    for (std::size_t i = 0; i < tier.candidates.size(); ++i) {
      candidates.emplace_back(tier.candidates[i]);
      if (tier.kept[i]) kept.emplace_back(tier.candidates[i]);
    }
    CHECK(candidates == expected[t].candidates);
    CHECK(kept == expected[t].kept);
    CHECK(tier.pruned_count == expected[t].pruned.size());
    CHECK(tier.cut_count == expected[t].cut);
  }
}

TEST_CASE("candidates, survivors and cut counts equal Algorithm 2's literal filter") {
  std::uint64_t seed = 0;
  for (int models = 3; models <= 7; ++models) {
    for (int size = 2; size < models; ++size) {
      for (const double beta : {0.0, 0.1, 0.25, 0.5, 0.8}) {
        for (const std::uint64_t levels : {2u, 5u, 1000u}) {
          ++seed;
          CAPTURE(seed);
          check_against_literal(models, {.desired_size = size, .beta = {beta}}, seed, levels, 1);
        }
      }
    }
  }
}

TEST_CASE("they do so with every option, drawn at random") {
  Random random(2024);
  for (int trial = 0; trial < 1500; ++trial) {
    CAPTURE(trial);
    const int models = 4 + static_cast<int>(random.below(6));
    const int size = 2 + static_cast<int>(random.below(static_cast<std::uint64_t>(models - 2)));
    HierarchicalOptions options{.desired_size = size};
    options.beta.assign(random.below(2) == 0 ? 1 : static_cast<std::size_t>(size - 1), 0.0);
    for (double& beta : options.beta) beta = random.unit() * 0.5;
    if (random.below(3) == 0) options.keep = 1 + random.below(20);
    options.keep_last_tier = random.below(3) == 0;
    std::vector<ModelId> required;
    for (int id = 0; id < models; ++id) {
      const std::uint64_t draw = random.below(8);
      if (draw == 0 && std::cmp_less(required.size(), size)) {
        required.push_back(static_cast<ModelId>(id));
      } else if (draw == 1 &&
                 models - static_cast<int>(options.eligibility.excluded.size()) > size) {
        options.eligibility.excluded.push_back(static_cast<ModelId>(id));
      }
    }
    options.eligibility.required = Team(required);
    if (random.below(3) == 0) {
      const auto limit = static_cast<int>(random.below(40));
      options.eligibility.within_budget = [limit](TeamView team) {
        return std::accumulate(team.begin(), team.end(), 0) <= limit;
      };
    }
    check_against_literal(models, options, random.bits(), 1 + random.below(50),
                          1 + static_cast<int>(random.below(3)));
  }
}

TEST_CASE("the result does not depend on the number of threads") {
  const auto scorer = [](const TeamList& candidates) {
    std::vector<double> scores;
    scores.reserve(candidates.size());
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      scores.push_back(hash_score(candidates[i], 9, 100000));
    }
    return scores;
  };
  const HierarchicalOptions options{.desired_size = 3, .beta = {0.1}};
  const auto one = prune_hierarchically(60, scorer, options, {.threads = 1});
  const auto seven = prune_hierarchically(60, scorer, options, {.threads = 7});
  REQUIRE(one[1].candidates.size() > 2048);
  CHECK(one[1].candidates == seven[1].candidates);
  CHECK(one[1].kept == seven[1].kept);
}

}  // namespace
}  // namespace hqe
