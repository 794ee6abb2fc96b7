// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "hqe/base/random.h"
#include "hqe/pruning/hierarchical.h"

namespace hqe {
namespace {

/// Drawn for the team, with many equal values.
double own_score(TeamView team) {
  std::uint64_t stream = 0;
  for (const ModelId model : team) stream = stream * 31 + model + 1;
  return static_cast<double>(Random(9, stream).below(700)) / 700;
}

/// A score that depends on all candidates of the tier: a team's own, and the highest of any.
class Scaled {
 public:
  explicit Scaled(int workers) : highest_(static_cast<std::size_t>(workers)) {}

  [[nodiscard]] static std::vector<double> scores(const TeamList& candidates) {
    Scaled scaled(1);
    scaled.look_at(candidates, 0);
    std::vector<double> result(candidates.size());
    scaled.settle();
    scaled.score(candidates, result);
    return result;
  }

  void look_at(const TeamList& some, int worker) {
    double& highest = highest_[static_cast<std::size_t>(worker)];
    for (std::size_t i = 0; i < some.size(); ++i) highest = std::max(highest, own_score(some[i]));
  }
  void settle() { scale_ = 1 + std::ranges::max(highest_); }
  void score(const TeamList& some, std::span<double> scores) const {
    for (std::size_t i = 0; i < some.size(); ++i) scores[i] = own_score(some[i]) / scale_;
  }

 private:
  std::vector<double> highest_;
  double scale_ = 0;
};

/// The last of the tiers up to a size, those of more than `hold` candidates in passes; how many
/// were.
struct InPasses {
  std::vector<Tier> tiers;
  int passed = 0;
};
InPasses tiers_in_passes(int model_count, const HierarchicalOptions& options, std::uint64_t hold,
                         const Run& run) {
  InPasses result;
  const HierarchicalPruning pruning(model_count, options);
  const auto passing = [&](int) -> std::optional<PassingScorer> {
    ++result.passed;
    const auto scaled = std::make_shared<Scaled>(run.thread_count());
    return PassingScorer{
        .look_at = [scaled](const TeamList& some, int worker) { scaled->look_at(some, worker); },
        .settle = [scaled] { scaled->settle(); },
        .score =
            [scaled](const TeamList& some, int, double floor, std::span<double> scores) {
              scaled->score(some, scores);
              for (double& score : scores) {
                if (score < floor) score = -std::numeric_limits<double>::infinity();
              }
            }};
  };
  for (int size = pruning.first_size(); size <= options.desired_size; ++size) {
    const Tier* previous = result.tiers.empty() ? nullptr : &result.tiers.back();
    result.tiers.push_back(pruning.next_tier(previous, Scaled::scores, passing, hold, run));
  }
  return result;
}

TEST_CASE("a tier that is never held ends as one that is held and forgets") {
  std::vector<HierarchicalOptions> asked;
  asked.push_back({.desired_size = 4, .beta = {0.1}, .keep = 150});
  asked.push_back({.desired_size = 4, .beta = {0.97}});
  asked.push_back({.desired_size = 4, .beta = {0.1}, .keep = 40, .keep_last_tier = true});
  asked.push_back({.desired_size = 4, .beta = {0.1}, .keep = 60});
  asked.back().eligibility = {.required = Team{5, 31},
                              .excluded = {0, 7},
                              .within_budget = [](TeamView team) { return team.back() != 20; }};
  int passed = 0;
  for (const HierarchicalOptions& options : asked) {
    for (const int threads : {1, 2, 3}) {
      const std::uint64_t hold = 30;
      const InPasses found = tiers_in_passes(90, options, hold, {.threads = threads});
      auto expected = prune_hierarchically(90, Scaled::scores, options, {.threads = 1});
      REQUIRE(found.tiers.size() == expected.size());
      passed += found.passed;
      for (std::size_t i = 0; i < expected.size(); ++i) {
        if (expected[i].candidates.size() > hold) expected[i].forget_pruned();
        CHECK(found.tiers[i].team_size == expected[i].team_size);
        CHECK(found.tiers[i].candidates == expected[i].candidates);
        CHECK(found.tiers[i].scores == expected[i].scores);
        CHECK(found.tiers[i].kept == expected[i].kept);
        CHECK(found.tiers[i].pruned_count == expected[i].pruned_count);
        CHECK(found.tiers[i].cut_count == expected[i].cut_count);
        CHECK(found.tiers[i].forgotten_count == expected[i].forgotten_count);
      }
    }
  }
  CHECK(passed >= 12);
}

}  // namespace
}  // namespace hqe
