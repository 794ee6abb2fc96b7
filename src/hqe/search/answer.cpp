// SPDX-License-Identifier: MIT
#include "hqe/search/answer.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hqe/base/memory.h"
#include "hqe/search/baselines.h"
#include "hqe/search/correlate.h"
#include "hqe/search/decision_of.h"
#include "hqe/search/in_order.h"
#include "hqe/search/quality.h"
#include "hqe/search/recommend.h"
#include "hqe/search/recommend_by_evidence.h"
#include "hqe/search/search.h"
#include "hqe/search/searched_teams.h"

namespace hqe {
namespace {

constexpr std::size_t most_teams_at_once = 1'000'000;

/// Whether memory of a tier is worth giving back: what is asked of the system again is paid for
/// page by page.
bool has_large_tiers(const Searches& found) {
  constexpr std::uint64_t few_candidates = 10'000;
  return std::ranges::any_of(found.searches, [](const Search& search) {
    return std::ranges::any_of(
        search.tiers, [](const Tier& tier) { return tier.candidate_count() > few_candidates; });
  });
}

std::vector<TierSummary> tier_summaries(const Search& search) {
  std::vector<TierSummary> summaries;
  if (search.threshold) return summaries;
  for (const Tier& tier : search.tiers) {
    const bool one_beta = search.beta.size() == 1;
    const auto place = one_beta ? 0 : static_cast<std::size_t>(tier.team_size - 2);
    summaries.push_back({.size = tier.team_size,
                         .candidates = tier.candidate_count(),
                         .pruned = tier.pruned_count,
                         .cut = tier.cut_count,
                         .beta = search.beta[place]});
  }
  return summaries;
}

/// What the searches kept, taken from tiers of which nobody will ask for the rest: a study for a
/// page lists every team that a tier of up to max_evaluate scored. Lists hold all candidates of
/// tiers of up to `with_pruned`.
std::vector<KeptTeams> take_kept(const SearchSpace& space, Searches& found,
                                 std::uint64_t with_pruned) {
  const bool all_are_asked_for = space.options().detail || space.options().by == By::mean;
  if (all_are_asked_for || found.searches.empty()) {
    return kept_by_size(found.searches, with_pruned);
  }
  std::vector<KeptTeams> kept;
  kept.push_back(take_last_kept(found.searches, with_pruned, space.options().max_evaluate));
  if (has_large_tiers(found)) return_free_memory();
  found.kept[found.desired_size] = {kept.front().teams, std::move(kept.front().is_kept)};
  return kept;
}

bool is_long_list(const std::vector<KeptTeams>& kept) {
  return !kept.empty() && kept.front().teams->size() > most_teams_at_once;
}

/// Of lists that are put in order one after the other, the run of one: what it reports is its share
/// of them all.
Run run_of_list(const Run& run, std::size_t list, std::size_t lists) {
  Run part{.threads = run.threads};
  if (!run.on_progress) return part;
  part.on_progress = [&run, list, lists](const Progress& progress) {
    run.on_progress(
        {"putting teams in order", list * progress.total + progress.done, lists * progress.total});
  };
  return part;
}

/// Takes what the search kept.
Selection selection_of(const Search& search, std::size_t place, std::vector<KeptTeams>& kept,
                       const std::vector<TeamValues>& values, const Run& run) {
  std::vector<ListedTeams> sizes;
  for (std::size_t size = 0; size < kept.size(); ++size) {
    sizes.push_back({.list = kept[size].teams,
                     .values = &values[size],
                     .kept = std::move(kept[size].searches[place]),
                     .votes = {}});
  }
  return {.metric = std::string(to_string(search.metric)),
          .tiers = tier_summaries(search),
          .threshold = search.threshold,
          .selected = in_order(std::move(sizes), run)};
}

/// Everything but the quality of the selections. Requires: what was kept is counted.
Study chosen(SearchSpace& space, Searches& found, std::vector<KeptTeams> kept,
             const Population& of_size) {
  Study study{.pool = summary_of(space.selection().measured()),
              .options = space.options(),
              .vote = space.selection().contests().rule().vote,
              .weights = space.selection().contests().rule().weights,
              .desired_size = found.desired_size,
              .metrics = space.settings().metrics,
              .reference = space.reference()};
  if (space.test()) {
    study.test = {.pool = summary_of(space.test()->measured()),
                  .reference_correct = *space.reference().test_correct};
  }
  const Counters counters = space.counters();
  std::vector<TeamValues> values;
  for (const KeptTeams& size : kept) values.push_back(values_of_teams(*size.teams, counters));
  const int threads = space.run().thread_count();
  const std::size_t lists = found.searches.size();
  study.consensus =
      consensus_of(found.searches, kept, values, run_of_list(space.run(), 0, lists + 1));
  // There are several lists for several threads. Those of millions of teams take so much room that
  // they wait for each other, and all threads sort one.
  study.selections.resize(lists);
  const bool is_long = is_long_list(kept);
  if (is_long) return_free_memory();
  parallel_for({.threads = is_long ? 1 : threads}, "", lists, 1,
               [&](std::uint64_t list, std::uint64_t, int) {
                 const Run sorting =
                     is_long ? run_of_list(space.run(), list + 1, lists + 1) : Run{.threads = 1};
                 study.selections[list] =
                     selection_of(found.searches[list], list, kept, values, sorting);
                 if (is_long) return_free_memory();
               });
  study.baselines = baselines_of(space, found.desired_size, of_size);
  if (space.options().choose == Choose::consensus) {
    study.recommended = recommend(study);
  } else {
    recommend_by_evidence(study, space, found);
  }
  return study;
}

/// Lets tiers forget their teams once nobody asks for them: of what they kept shortlists are made
/// before. A study for a page lists them, and where every team of the size is counted pruning is
/// checked.
void forget_scored_teams(SearchSpace& space, Searches& found, const Population& of_size) {
  if (space.options().detail || space.options().by == By::mean || of_size.good) return;
  if (space.options().choose != Choose::consensus) (void)shortlists_of(space, found);
  for (Search& search : found.searches) {
    for (Tier& tier : search.tiers) tier.forget_teams();
  }
}

}  // namespace

Study answer_of(SearchSpace& space, Searches& found) {
  const int size = found.desired_size;
  const bool by_mean = space.options().by == By::mean;
  const Population of_size = count_population(space, size, size);
  const Population selectable =
      by_mean ? count_population(space, 2, space.model_count() - 1) : of_size;
  std::vector<KeptTeams> kept = take_kept(space, found, space.options().max_evaluate);
  learn_searched_teams(space, found.searches, kept);
  const bool is_long = is_long_list(kept);
  if (is_long) return_free_memory();
  // Before the lists are put in order, which takes as much room again.
  std::vector<SearchCorrelations> correlations = correlate(found.searches, space);
  forget_scored_teams(space, found, of_size);
  if (is_long) return_free_memory();
  Study study = chosen(space, found, std::move(kept), of_size);
  if (has_large_tiers(found)) return_free_memory();
  for (std::size_t i = 0; i < correlations.size(); ++i) {
    study.selections[i].correlations = std::move(correlations[i].scores);
    study.selections[i].baseline_correlations = std::move(correlations[i].baselines);
  }
  const std::optional<int> team_size = by_mean ? std::nullopt : std::optional(size);
  for (Selection& selection : study.selections)
    add_quality(selection, space, selectable, team_size);
  if (study.consensus) add_quality(study.consensus->selection, space, selectable, team_size);
  return study;
}

Study choice_of(SearchSpace& space, Searches found) {
  std::vector<KeptTeams> kept = take_kept(space, found, 0);
  for (const KeptTeams& size : kept) space.learn(size.teams);
  return chosen(space, found, std::move(kept),
                {.not_computed = "not computed: only the choice was asked for"});
}

}  // namespace hqe
