// SPDX-License-Identifier: MIT
#include "hqe/study/answer.h"

#include <string>
#include <utility>
#include <vector>

#include "hqe/study/judge.h"
#include "hqe/study/recommend.h"
#include "hqe/study/recommend_by_evidence.h"
#include "hqe/study/search.h"

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
Study chosen(Prepared& prepared, const Searches& found, const Population& of_size) {
  Study study{.pool = summary_of(prepared.measured),
              .options = prepared.options,
              .vote = prepared.correct.contests().rule().vote,
              .weights = prepared.correct.contests().rule().weights,
              .desired_size = found.desired_size,
              .metrics = prepared.settings.metrics,
              .reference = prepared.reference};
  if (prepared.test) {
    study.test = {.pool = summary_of(*prepared.test),
                  .reference_correct = *prepared.reference.test_correct};
  }
  for (const Search& search : found.searches) {
    study.selections.push_back(selection_of(search, prepared.counters()));
  }
  if (auto agreement = agreement_of(found.searches, prepared.counters())) {
    study.consensus = {
        .selection = {.metric = "MAJORITY-F", .selected = std::move(agreement->selected)},
        .metrics = agreement->metrics,
        .distinct_metrics = agreement->distinct_metrics};
  }
  study.baselines = baselines_of(prepared, found.desired_size, of_size);
  if (prepared.options.choose == Choose::consensus) {
    study.recommended = recommend(study);
  } else {
    recommend_by_evidence(study, prepared, found);
  }
  return study;
}

}  // namespace

Study answer_of(Prepared& prepared, const Searches& found) {
  const int size = found.desired_size;
  const bool by_mean = prepared.options.by == By::mean;
  const Population of_size = count_population(prepared, size, size);
  const Population selectable =
      by_mean ? count_population(prepared, 2, prepared.model_count() - 1) : of_size;
  learn_searched_teams(prepared, found.searches);
  Study study = chosen(prepared, found, of_size);
  const std::optional<int> team_size = by_mean ? std::nullopt : std::optional(size);
  for (Selection& selection : study.selections) judge(selection, prepared, selectable, team_size);
  if (study.consensus) judge(study.consensus->selection, prepared, selectable, team_size);
  return study;
}

Study choice_of(Prepared& prepared, const Searches& found) {
  learn_selected_teams(prepared, found.searches);
  return chosen(prepared, found, {.not_computed = "not computed: only the choice was asked for"});
}

}  // namespace hqe
