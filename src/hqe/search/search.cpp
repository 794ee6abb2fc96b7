// SPDX-License-Identifier: MIT
#include "hqe/search/search.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "hqe/pruning/mean_threshold.h"
#include "hqe/search/team_columns.h"

namespace hqe {

std::vector<const Tier*> Search::selecting_tiers() const {
  std::vector<const Tier*> selecting;
  for (const Tier& tier : tiers) {
    if (threshold || &tier == &tiers.back()) selecting.push_back(&tier);
  }
  return selecting;
}

Search search_hierarchically(Scorer& scorer, Metric metric, int model_count,
                             const HierarchicalOptions& options, Search similar, const Run& run) {
  const HierarchicalPruning pruning(model_count, options);
  const TierScorer score_tier = [&](const TeamList& candidates) {
    return scorer.tier_scores(metric, candidates);
  };
  Search search{.metric = metric, .beta = options.beta};
  bool same_so_far = true;
  for (int size = pruning.first_size(); size <= options.desired_size; ++size) {
    const std::size_t place = search.tiers.size();
    if (!same_so_far || place >= similar.tiers.size()) {
      const Tier* previous = search.tiers.empty() ? nullptr : &search.tiers.back();
      search.tiers.push_back(pruning.next_tier(previous, score_tier, run));
      continue;
    }
    // The same candidates have the same scores, so equally many pruned are the same ones pruned.
    Tier& tier = search.tiers.emplace_back(std::move(similar.tiers[place]));
    const std::uint64_t pruned_before = tier.pruned_count;
    pruning.prune_tier(tier);
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

namespace {

/// Teams of one size in team order, with what is known of each.
struct Columns {
  TeamList teams{1};
  std::vector<double> scores;
  std::vector<int> votes;  ///< Empty where nobody voted.
  std::vector<std::uint64_t> correct, test_correct;
  std::vector<double> merit, test_merit;
};

void count(Columns& columns, const Counters& counters) {
  if (counters.correct != nullptr) columns.correct = counters.correct->of(columns.teams);
  if (counters.test_correct != nullptr) {
    columns.test_correct = counters.test_correct->of(columns.teams);
  }
  if (counters.merit != nullptr) columns.merit = counters.merit->of(columns.teams);
  if (counters.test_merit != nullptr) columns.test_merit = counters.test_merit->of(columns.teams);
}

/// All teams of several sizes, ordered by votes, then score, then team order.
SelectedTeams ordered(const std::vector<Columns>& sizes) {
  // Millions are sorted, so an entry is as short as it can be.
  struct Entry {
    double score;
    std::uint32_t place;
    std::uint16_t size;
    std::int16_t votes;
  };
  std::size_t count = 0;
  for (const Columns& columns : sizes) count += columns.teams.size();
  std::vector<Entry> entries;
  entries.reserve(count);
  for (std::size_t size = 0; size < sizes.size(); ++size) {
    const Columns& columns = sizes[size];
    for (std::size_t i = 0; i < columns.teams.size(); ++i) {
      const int votes = columns.votes.empty() ? 0 : columns.votes[i];
      entries.push_back({rounded_score(columns.scores[i]), static_cast<std::uint32_t>(i),
                         static_cast<std::uint16_t>(size), static_cast<std::int16_t>(votes)});
    }
  }
  const auto team_of = [&](const Entry& entry) { return sizes[entry.size].teams[entry.place]; };
  std::ranges::sort(entries, [&](const Entry& left, const Entry& right) {
    if (left.votes != right.votes) return left.votes > right.votes;
    if (left.score != right.score) return left.score > right.score;
    if (left.size == right.size) return left.place < right.place;
    return team_before(team_of(left), team_of(right));
  });
  SelectedTeams selected;
  for (const Entry& entry : entries) selected.teams.push_back(team_of(entry));
  const auto take = [&](auto& into, auto Columns::* column) {
    into.reserve(count);
    for (const Entry& entry : entries) {
      const auto& values = sizes[entry.size].*column;
      if (!values.empty()) into.push_back(values[entry.place]);
    }
  };
  take(selected.scores, &Columns::scores);
  take(selected.votes, &Columns::votes);
  take(selected.correct, &Columns::correct);
  take(selected.test_correct, &Columns::test_correct);
  take(selected.merit, &Columns::merit);
  take(selected.test_merit, &Columns::test_merit);
  return selected;
}

std::vector<double> kept_scores(const Tier& tier) {
  std::vector<double> scores;
  scores.reserve(tier.kept_count());
  for (std::size_t i = 0; i < tier.scores.size(); ++i) {
    if (tier.kept[i]) scores.push_back(tier.scores[i]);
  }
  return scores;
}

}  // namespace

SelectedTeams selected_teams(const Search& search, const Counters& counters) {
  std::vector<Columns> sizes;
  for (const Tier* tier : search.selecting_tiers()) {
    sizes.push_back({.teams = kept_teams(*tier), .scores = kept_scores(*tier)});
    count(sizes.back(), counters);
  }
  return ordered(sizes);
}

namespace {

/// What a search kept of one size.
Opinion opinion_of(const Search& search, int team_size) {
  Opinion opinion{.teams = TeamList(team_size)};
  for (const Tier* tier : search.selecting_tiers()) {
    if (tier->team_size != team_size) continue;
    opinion.teams = kept_teams(*tier);
    opinion.scores = kept_scores(*tier);
  }
  return opinion;
}

}  // namespace

std::optional<Agreement> agreement_of(const std::vector<Search>& searches,
                                      const Counters& counters) {
  std::vector<const Search*> focal;
  for (const Search& search : searches) {
    if (is_focal(search.metric)) focal.push_back(&search);
  }
  if (focal.size() < 2) return std::nullopt;
  const auto took_part = [&](Metric metric) {
    return std::ranges::any_of(focal,
                               [&](const Search* search) { return search->metric == metric; });
  };
  Agreement agreement{.metrics = static_cast<int>(focal.size())};
  const bool one_opinion_twice = took_part(Metric::f_bd) && took_part(Metric::f_kw);
  agreement.distinct_metrics = agreement.metrics - (one_opinion_twice ? 1 : 0);

  std::vector<Columns> sizes;
  for (const Tier* tier : focal.front()->selecting_tiers()) {
    std::vector<Opinion> opinions;
    for (const Search* search : focal) opinions.push_back(opinion_of(*search, tier->team_size));
    AgreedTeams agreed = agreed_teams(opinions);
    sizes.push_back({.teams = std::move(agreed.teams),
                     .scores = std::move(agreed.scores),
                     .votes = std::move(agreed.votes)});
    count(sizes.back(), counters);
  }
  agreement.selected = ordered(sizes);
  return agreement;
}

}  // namespace hqe
