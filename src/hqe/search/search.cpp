// SPDX-License-Identifier: MIT
#include "hqe/search/search.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "hqe/ensemble/team_columns.h"
#include "hqe/pruning/mean_threshold.h"
#include "hqe/search/in_order.h"

namespace hqe {

std::vector<const Tier*> Search::selecting_tiers() const {
  std::vector<const Tier*> selecting;
  for (const Tier& tier : tiers) {
    if (threshold || &tier == &tiers.back()) selecting.push_back(&tier);
  }
  return selecting;
}

Search search_hierarchically(Scorer& scorer, Metric metric, int model_count,
                             const HierarchicalOptions& options, Search similar, const Run& run,
                             std::uint64_t hold_pruned) {
  const HierarchicalPruning pruning(model_count, options);
  const TierScorer score_tier = [&](const TeamList& candidates) {
    return scorer.tier_scores(metric, candidates);
  };
  const auto passing = [&](int team_size) { return scorer.passing_scorer(metric, team_size); };
  Search search{.metric = metric, .beta = options.beta};
  bool same_so_far = true;
  for (int size = pruning.first_size(); size <= options.desired_size; ++size) {
    const std::size_t place = search.tiers.size();
    if (!same_so_far || place >= similar.tiers.size()) {
      const Tier* previous = search.tiers.empty() ? nullptr : &search.tiers.back();
      search.tiers.push_back(pruning.next_tier(previous, score_tier, passing, hold_pruned, run));
      continue;
    }
    // The same candidates have the same scores, so equally many pruned are the same ones pruned.
    Tier& tier = search.tiers.emplace_back(std::move(similar.tiers[place]));
    const std::uint64_t pruned_before = tier.pruned_count;
    pruning.prune_tier(tier, run);
    same_so_far = tier.pruned_count == pruned_before;
  }
  return search;
}

Search search_by_mean(const Scorer& scorer, Metric metric, int model_count,
                      const Eligibility& eligibility) {
  Search search{.metric = metric};
  std::vector<double> scores;
  for (int size = 2; size < model_count; ++size) {
    Tier tier{.team_size = size, .candidates = TeamList(size), .cut_count = 0};
    for_each_eligible_team(model_count, size, eligibility,
                           [&](TeamView team) { tier.candidates.push_back(team); });
    tier.scores = scorer.scores(metric, tier.candidates);
    scores.insert(scores.end(), tier.scores.begin(), tier.scores.end());
    search.tiers.push_back(std::move(tier));
  }
  const MeanThreshold mean = prune_by_mean_threshold(scores);
  search.threshold = mean.threshold;
  auto kept = mean.kept.begin();
  for (Tier& tier : search.tiers) {
    const auto end = kept + static_cast<std::ptrdiff_t>(tier.candidates.size());
    tier.kept.assign(kept, end);
    tier.pruned_count = static_cast<std::uint64_t>(std::count(kept, end, false));
    kept = end;
  }
  return search;
}

TeamList kept_teams(const Tier& tier) {
  TeamList kept(std::max(1, tier.team_size));
  kept.reserve(tier.kept_count());
  for (std::size_t i = 0; i < tier.candidates.size(); ++i) {
    if (tier.kept[i]) kept.push_back(tier.candidates[i]);
  }
  return kept;
}

std::vector<KeptTeams> kept_by_size(std::span<const Search> searches, std::uint64_t with_pruned) {
  std::vector<KeptTeams> kept;
  const std::size_t sizes = searches.empty() ? 0 : searches.front().selecting_tiers().size();
  for (std::size_t size = 0; size < sizes; ++size) {
    std::vector<ListedTier> tiers;
    for (const Search& search : searches) {
      const Tier* tier = search.selecting_tiers()[size];
      tiers.push_back({.tier = tier, .with_pruned = tier->candidate_count() <= with_pruned});
    }
    kept.push_back(kept_together(tiers));
  }
  return kept;
}

KeptTeams take_last_kept(std::span<Search> searches, std::uint64_t with_pruned,
                         std::uint64_t held) {
  std::vector<ListedTier> tiers;
  for (Search& search : searches) {
    Tier& last = search.tiers.back();
    const bool is_taken = last.candidate_count() > held;
    tiers.push_back({.tier = &last,
                     .with_pruned = last.candidate_count() <= with_pruned,
                     .scores_to_take = is_taken ? &last.scores : nullptr});
  }
  KeptTeams kept = kept_together(tiers);
  for (std::size_t i = 0; i < searches.size(); ++i) {
    if (tiers[i].scores_to_take) searches[i].tiers.back().forget_teams();
  }
  return kept;
}

namespace {

std::vector<TeamValues> values_of_sizes(const std::vector<KeptTeams>& kept,
                                        const Counters& counters) {
  std::vector<TeamValues> values;
  for (const KeptTeams& size : kept) values.push_back(values_of_teams(*size.teams, counters));
  return values;
}

}  // namespace

std::optional<Consensus> consensus_of(const std::vector<Search>& searches,
                                      const Counters& counters) {
  const std::vector<KeptTeams> kept = kept_by_size(searches);
  return consensus_of(searches, kept, values_of_sizes(kept, counters));
}

std::optional<Consensus> consensus_of(const std::vector<Search>& searches,
                                      const std::vector<KeptTeams>& kept,
                                      const std::vector<TeamValues>& values, const Run& run) {
  std::vector<std::size_t> focal;
  for (std::size_t i = 0; i < searches.size(); ++i) {
    if (is_focal(searches[i].metric)) focal.push_back(i);
  }
  if (focal.size() < 2) return std::nullopt;
  std::vector<Metric> metrics;
  for (const std::size_t i : focal) metrics.push_back(searches[i].metric);
  Consensus consensus{.selection = {.metric = std::string(consensus_name)},
                      .metrics = static_cast<int>(metrics.size())};
  consensus.distinct_metrics =
      consensus.metrics - static_cast<int>(repeated_opinions(metrics).size());

  std::vector<ListedTeams> sizes;
  for (std::size_t size = 0; size < kept.size(); ++size) {
    std::vector<PlacedOpinion> opinions;
    for (const std::size_t i : focal) {
      opinions.push_back({kept[size].searches[i].places, kept[size].searches[i].scores});
    }
    AgreedPlaces agreed = agreed_places(opinions);
    sizes.push_back(
        {.list = kept[size].teams,
         .values = &values[size],
         .kept = {.places = std::move(agreed.places), .scores = std::move(agreed.scores)},
         .votes = std::move(agreed.votes)});
  }
  consensus.selection.selected = in_order(std::move(sizes), run);
  return consensus;
}

}  // namespace hqe
