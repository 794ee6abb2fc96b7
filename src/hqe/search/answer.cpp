// SPDX-License-Identifier: MIT
#include "hqe/search/answer.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hqe/search/quality.h"
#include "hqe/search/recommend.h"
#include "hqe/search/recommend_by_evidence.h"
#include "hqe/search/search.h"

namespace hqe {
namespace {

std::vector<TierSummary> tier_summaries(const Search& search) {
  std::vector<TierSummary> summaries;
  if (search.threshold) return summaries;
  for (const Tier& tier : search.tiers) {
    const bool one_beta = search.beta.size() == 1;
    const auto place = one_beta ? 0 : static_cast<std::size_t>(tier.team_size - 2);
    summaries.push_back({.size = tier.team_size,
                         .candidates = tier.candidates.size(),
                         .pruned = tier.pruned_count,
                         .cut = tier.cut_count,
                         .beta = search.beta[place]});
  }
  return summaries;
}

Selection selection_of(const Search& search, const Counters& counters) {
  return {.metric = std::string(to_string(search.metric)),
          .tiers = tier_summaries(search),
          .threshold = search.threshold,
          .selected = selected_teams(search, counters)};
}

/// Everything but the quality of the selections.
Study chosen(SearchSpace& space, const Searches& found, const Population& of_size) {
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
  std::optional<Agreement> agreement;
  study.selections.resize(found.searches.size());
  const Counters counters = space.counters();
  // Sorting millions of teams is one thread's work, but there are several lists. Merits report
  // progress, which is the caller's thread to do.
  const bool is_quiet = counters.merit == nullptr && counters.test_merit == nullptr;
  parallel_for({.threads = is_quiet ? space.run().thread_count() : 1}, "",
               study.selections.size() + 1, 1, [&](std::uint64_t list, std::uint64_t, int) {
                 if (list == study.selections.size()) {
                   agreement = agreement_of(found.searches, counters);
                 } else {
                   study.selections[list] = selection_of(found.searches[list], counters);
                 }
               });
  if (agreement) {
    study.consensus = {
        .selection = {.metric = "MAJORITY-F", .selected = std::move(agreement->selected)},
        .metrics = agreement->metrics,
        .distinct_metrics = agreement->distinct_metrics};
  }
  study.baselines = baselines_of(space, found.desired_size, of_size);
  if (space.options().choose == Choose::consensus) {
    study.recommended = recommend(study);
  } else {
    recommend_by_evidence(study, space, found);
  }
  return study;
}

}  // namespace

Study answer_of(SearchSpace& space, const Searches& found) {
  const int size = found.desired_size;
  const bool by_mean = space.options().by == By::mean;
  const Population of_size = count_population(space, size, size);
  const Population selectable =
      by_mean ? count_population(space, 2, space.model_count() - 1) : of_size;
  learn_searched_teams(space, found.searches);
  Study study = chosen(space, found, of_size);
  const std::optional<int> team_size = by_mean ? std::nullopt : std::optional(size);
  for (Selection& selection : study.selections)
    add_quality(selection, space, selectable, team_size);
  if (study.consensus) add_quality(study.consensus->selection, space, selectable, team_size);
  return study;
}

Study choice_of(SearchSpace& space, const Searches& found) {
  learn_selected_teams(space, found.searches);
  return chosen(space, found, {.not_computed = "not computed: only the choice was asked for"});
}

}  // namespace hqe
