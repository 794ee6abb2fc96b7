// SPDX-License-Identifier: MIT
#include "hqe/pruning/hierarchical.h"

#include <fmt/core.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>
#include <memory>
#include <utility>

#include "hqe/base/error.h"
#include "hqe/base/option_name.h"
#include "hqe/pruning/candidates.h"
#include "hqe/pruning/cut_lowest.h"
#include "hqe/pruning/top_teams.h"

namespace hqe {
namespace {

void check_options(int model_count, const HierarchicalOptions& options) {
  const int size = options.desired_size;
  if (size < 2 || size > model_count - 1) {
    throw UsageError(fmt::format("size {} is out of range. {} models allow sizes 2 to {}", size,
                                 model_count, model_count - 1));
  }
  if (options.beta.size() != 1 && std::cmp_not_equal(options.beta.size(), size - 1)) {
    throw UsageError(
        fmt::format("beta has {} values. Give one, or one a tier: {} for teams of sizes 2 to {}",
                    options.beta.size(), size - 1, size));
  }
  for (const double beta : options.beta) {
    if (!(beta >= 0 && beta < 1)) {
      throw UsageError(
          fmt::format("beta {} is out of range. It must be at least 0 and below 1, "
                      "for example 0.1 or 10%",
                      beta));
    }
  }
  if (options.keep == 0u) throw UsageError("keep must be at least 1");
}

void check_eligibility(int model_count, const HierarchicalOptions& options) {
  const Eligibility& eligibility = options.eligibility;
  for (const ModelId model : eligibility.excluded) {
    if (eligibility.required.contains(model)) {
      throw UsageError(
          fmt::format("model {} is both required and excluded. Name it in one place only", model));
    }
  }
  const int required = eligibility.required.size();
  if (required > options.desired_size) {
    throw UsageError(
        fmt::format("{} models are required, but teams of size {} are wanted. Ask for "
                    "a larger size or require fewer models",
                    required, options.desired_size));
  }
  const int available = required + static_cast<int>(free_models(model_count, eligibility).size());
  if (available < options.desired_size) {
    throw UsageError(
        fmt::format("only {} models are left after excluding {}, too few for teams of "
                    "size {}. Ask for a smaller size or exclude fewer models",
                    available, eligibility.excluded.size(), options.desired_size));
  }
}

/// The kept teams without their required members.
TeamList survivors_of(const Tier& tier, const Team& required) {
  const int part_size = tier.team_size - required.size();
  std::vector<ModelId> flat;
  flat.reserve(tier.kept_count() * static_cast<std::uint64_t>(part_size));
  for (std::size_t i = 0; i < tier.candidates.size(); ++i) {
    if (tier.kept[i]) {
      std::ranges::set_difference(tier.candidates[i], required.view(), std::back_inserter(flat));
    }
  }
  return TeamList(part_size, std::move(flat));
}

}  // namespace

void Tier::forget_pruned() {
  if (kept_count() > candidates.size() / 2) return;
  std::vector<ModelId> flat;
  flat.reserve(kept_count() * static_cast<std::uint64_t>(candidates.team_size()));
  std::vector<double> kept_scores;
  kept_scores.reserve(kept_count());
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (!kept[i]) continue;
    flat.insert(flat.end(), candidates[i].begin(), candidates[i].end());
    kept_scores.push_back(scores[i]);
  }
  forgotten_count = candidate_count();
  candidates = TeamList(candidates.team_size(), std::move(flat));
  scores = std::move(kept_scores);
  kept.assign(scores.size(), true);
}

double rounded_score(double score) { return std::round(score * 1e12) / 1e12; }

HierarchicalPruning::HierarchicalPruning(int model_count, HierarchicalOptions options)
    : model_count_(model_count), options_(std::move(options)) {
  check_options(model_count_, options_);
  check_eligibility(model_count_, options_);
  free_models_ = free_models(model_count_, options_.eligibility);
}

int HierarchicalPruning::first_size() const {
  return std::max(2, options_.eligibility.required.size());
}

double HierarchicalPruning::beta(int team_size) const {
  if (options_.beta.size() == 1) return options_.beta.front();
  return options_.beta[static_cast<std::size_t>(team_size - 2)];
}

std::uint64_t HierarchicalPruning::prune_count(int team_size, std::uint64_t candidate_count) const {
  const bool uncut = options_.keep_last_tier && team_size == options_.desired_size;
  const std::uint64_t by_beta =
      uncut ? 0
            : static_cast<std::uint64_t>(
                  std::floor(beta(team_size) * static_cast<double>(candidate_count) + 1e-9));
  const std::uint64_t limit = options_.keep.value_or(candidate_count);
  const std::uint64_t by_keep = candidate_count > limit ? candidate_count - limit : 0;
  return std::max(by_beta, by_keep);
}

/// Candidates that are joined from survivors, or the few there are before anything can be joined.
struct HierarchicalPruning::Growth {
  std::unique_ptr<JoinedSurvivors> joined;
  TeamList few{1};

  /// Once: what they are joined from is given up.
  [[nodiscard]] TeamList take_list(const Run& run) {
    if (!joined) return std::move(few);
    TeamList result = joined->list(run);
    joined.reset();
    return result;
  }
};

HierarchicalPruning::Growth HierarchicalPruning::grow(const Tier* previous, const Run& run) const {
  const Team& required = options_.eligibility.required;
  const int team_size = previous != nullptr ? previous->team_size + 1 : first_size();
  const int part_size = team_size - required.size();
  const auto refuse_explosion = [&](std::uint64_t count) {
    if (count <= options_.max_candidates) return;
    // A kept team grows into at most one candidate per model that it lacks, and each candidate
    // grows out of `part_size` kept teams. Later tiers have fewer models left and more parts, so
    // what fits here fits there.
    const std::uint64_t models_left = free_models_.size() - static_cast<std::size_t>(part_size) + 1;
    const std::uint64_t sure =
        ((options_.max_candidates + 1) * static_cast<std::uint64_t>(part_size) - 1) / models_left;
    const bool keep_helps = previous != nullptr && sure > 0;
    const Message limit = option("max_candidates");
    throw UsageError(message("the tier of size {} would have {} candidates, more than {}. {}",
                             team_size, count, option("max_candidates", options_.max_candidates),
                             keep_helps
                                 ? message("Use {} (or fewer), which is sure to fit, or raise {}",
                                           option("keep", sure), limit)
                                 : message("Raise {} or exclude models", limit)));
  };

  if (part_size <= 1) {
    // Nothing to join yet: the required members alone, or with each free model.
    TeamList teams(team_size);
    const bool grown_from_nothing = previous != nullptr && previous->kept_count() == 0;
    if (grown_from_nothing) return {.joined = nullptr, .few = teams};
    const auto add = [&](TeamView part) {
      const std::vector<ModelId> team = with_required(part, required);
      if (options_.eligibility.allows(team)) teams.push_back(team);
    };
    if (part_size == 0) add({});
    for (std::size_t i = 0; part_size == 1 && i < free_models_.size(); ++i) {
      add(TeamView(free_models_).subspan(i, 1));
    }
    refuse_explosion(teams.size());
    return {.joined = nullptr, .few = std::move(teams)};
  }
  return {.joined = std::make_unique<JoinedSurvivors>(
              previous != nullptr ? survivors_of(*previous, required) : TeamList(1, free_models_),
              options_.eligibility, refuse_explosion, run)};
}

TeamList HierarchicalPruning::candidates(const Tier* previous, const Run& run) const {
  return grow(previous, run).take_list(run);
}

Tier HierarchicalPruning::next_tier(const Tier* previous, const TierScorer& score_tier,
                                    const Run& run) const {
  return next_tier(previous, score_tier, nullptr, UINT64_MAX, run);
}

Tier HierarchicalPruning::next_tier(const Tier* previous, const TierScorer& score_tier,
                                    const PassingScorers& passing, std::uint64_t hold,
                                    const Run& run) const {
  Growth growth = grow(previous, run);
  if (growth.joined && passing && growth.joined->size() > hold) {
    const std::uint64_t count = growth.joined->size();
    const std::uint64_t kept = count - prune_count(growth.joined->team_size(), count);
    // A worker holds twice as many as are kept, and more of each.
    if (kept > 0 && kept <= count / 16) {
      const auto scorer = passing(growth.joined->team_size());
      if (scorer) return kept_in_passes(*growth.joined, *scorer, run);
    }
  }
  Tier tier;
  tier.candidates = growth.take_list(run);
  tier.team_size = tier.candidates.team_size();
  if (!tier.candidates.empty()) tier.scores = score_tier(tier.candidates);
  assert(tier.scores.size() == tier.candidates.size());
  prune_tier(tier, run);
  const auto eligible = eligible_team_count(model_count_, tier.team_size, options_.eligibility);
  if (eligible) tier.cut_count = *eligible - tier.candidates.size();
  if (tier.candidates.size() > hold) tier.forget_pruned();
  return tier;
}

Tier HierarchicalPruning::kept_in_passes(const JoinedSurvivors& candidates,
                                         const PassingScorer& passing, const Run& run) const {
  const std::uint64_t count = candidates.size();
  Tier tier{.team_size = candidates.team_size()};
  tier.forgotten_count = count;
  tier.pruned_count = prune_count(tier.team_size, count);
  const auto eligible = eligible_team_count(model_count_, tier.team_size, options_.eligibility);
  if (eligible) tier.cut_count = *eligible - count;

  candidates.for_each_some(
      run, "scoring teams",
      [&](const TeamList& some, std::uint64_t, int worker) { passing.look_at(some, worker); });
  passing.settle();
  TopTeams top(tier.team_size, count - tier.pruned_count, run.thread_count());
  std::vector<std::vector<double>> scores(static_cast<std::size_t>(run.thread_count()));
  candidates.for_each_some(run, "weighing scores",
                           [&](const TeamList& some, std::uint64_t first, int worker) {
                             auto& own = scores[static_cast<std::size_t>(worker)];
                             own.resize(some.size());
                             passing.score(some, worker, top.floor(), own);
                             top.show(some, own, first, worker);
                           });
  TopTeams::Found found = top.take();
  tier.candidates = std::move(found.teams);
  tier.scores = std::move(found.scores);
  tier.kept.assign(tier.scores.size(), true);
  return tier;
}

void HierarchicalPruning::prune_tier(Tier& tier, const Run& run) const {
  tier.pruned_count = prune_count(tier.team_size, tier.candidates.size());
  tier.kept = all_but_lowest(tier.scores, tier.pruned_count, run);
}

std::vector<Tier> prune_hierarchically(int model_count, const TierScorer& score_tier,
                                       const HierarchicalOptions& options, const Run& run) {
  const HierarchicalPruning pruning(model_count, options);
  std::vector<Tier> tiers;
  for (int size = pruning.first_size(); size <= options.desired_size; ++size) {
    tiers.push_back(pruning.next_tier(tiers.empty() ? nullptr : &tiers.back(), score_tier, run));
  }
  return tiers;
}

}  // namespace hqe
