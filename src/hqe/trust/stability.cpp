// SPDX-License-Identifier: MIT
#include "hqe/trust/stability.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <utility>

#include "hqe/base/option_name.h"
#include "hqe/base/random.h"
#include "hqe/ensemble/team_columns.h"
#include "hqe/predictions/samples.h"
#include "hqe/pruning/hierarchical.h"
#include "hqe/search/answer.h"
#include "hqe/trust/held_out.h"

namespace hqe {
namespace {

/// Above this many scored teams, choosing again and again is a matter of minutes.
constexpr std::uint64_t most_scored_teams = 2'000'000;
constexpr std::size_t most_listed_teams = 10;
/// Streams of the seed below this belong to others.
constexpr std::uint64_t first_stream = std::uint64_t{1} << 32;

std::uint64_t scored_teams(const Searches& found) {
  std::uint64_t teams = 0;
  for (const Search& search : found.searches) {
    for (const Tier& tier : search.tiers) teams += tier.candidate_count();
  }
  return teams;
}

std::vector<TeamView> in_team_order(const TeamTable& table) {
  std::vector<TeamView> teams;
  for (std::size_t i = 0; i < table.size(); ++i) teams.push_back(table[i]);
  std::ranges::sort(teams, team_before);
  return teams;
}

/// Common teams by all teams of both; 1 for two empty sets.
double jaccard(const TeamTable& left, const TeamTable& right) {
  if (left.empty() && right.empty()) return 1;
  const std::vector<TeamView> first = in_team_order(left);
  const std::vector<TeamView> second = in_team_order(right);
  std::size_t common = 0;
  for (auto i = first.begin(), j = second.begin(); i != first.end() && j != second.end();) {
    const bool is_before = team_before(*i, *j);
    const bool is_after = team_before(*j, *i);
    common += !is_before && !is_after ? 1 : 0;
    if (!is_after) ++i;
    if (!is_before) ++j;
  }
  return static_cast<double>(common) / static_cast<double>(first.size() + second.size() - common);
}

std::vector<std::uint64_t> draw_samples(std::uint64_t count, std::uint64_t seed, int resample) {
  Random random(seed, first_stream + static_cast<std::uint64_t>(resample));
  std::vector<std::uint64_t> samples(count);
  for (std::uint64_t& sample : samples) sample = random.below(count);
  // In the order of memory the predictions are read faster.
  std::ranges::sort(samples);
  return samples;
}

/// The selections of a study, the consensus last.
std::vector<const Selection*> selections_of(const Study& study) {
  std::vector<const Selection*> selections;
  for (const Selection& selection : study.selections) selections.push_back(&selection);
  if (study.consensus) selections.push_back(&study.consensus->selection);
  return selections;
}

class Tally {
 public:
  explicit Tally(const Study& study) : study_(study) {
    result_.members.resize(study.pool.models.size());
    for (const Selection* selection : selections_of(study)) {
      result_.kept.push_back({.metric = selection->metric});
    }
  }

  void add(const Study& repeat) {
    ++result_.resamples;
    const auto original = selections_of(study_);
    const auto again = selections_of(repeat);
    for (std::size_t i = 0; i < original.size(); ++i) {
      result_.kept[i].jaccard += jaccard(original[i]->selected.teams, again[i]->selected.teams);
    }
    if (!repeat.recommended) {
      ++result_.without_team;
      return;
    }
    const Team& team = repeat.recommended->figures.team;
    for (const ModelId model : team) ++result_.members[model];
    if (study_.recommended && team == study_.recommended->figures.team) ++result_.same_team;
    ++times_[std::vector<ModelId>(team.begin(), team.end())];
  }

  Stability take() {
    const double resamples = result_.resamples;
    result_.same_team /= resamples;
    for (double& share : result_.members) share /= resamples;
    for (Stability::Kept& kept : result_.kept) kept.jaccard /= resamples;
    for (const auto& [members, times] : times_) result_.teams.push_back({Team(members), times});
    std::ranges::stable_sort(result_.teams, std::ranges::greater{}, &Stability::Frequency::times);
    if (result_.teams.size() > most_listed_teams) result_.teams.resize(most_listed_teams);
    return std::move(result_);
  }

 private:
  const Study& study_;
  Stability result_;
  std::map<std::vector<ModelId>, int> times_;  ///< In team order.
};

}  // namespace

Stability stability_of(const SearchSpace& space, const Searches& found, const Study& study) {
  const std::uint64_t scored = scored_teams(found);
  if (scored > most_scored_teams) {
    return {.not_measured =
                message("not measured: each resample would score {} teams; a smaller size or {} "
                        "makes them fewer",
                        scored, option("keep"))};
  }
  const std::uint64_t sample_count = space.selection().pool().sample_count;
  const PruneOptions options = options_of_a_repeat(space.options());
  Tally tally(study);
  for (int resample = 0; resample < space.options().stability; ++resample) {
    const SampleSplit drawn{.selection = draw_samples(sample_count, options.seed, resample),
                            .held_out = {}};
    SearchSpace repeat(space, drawn, options, space.run());
    tally.add(choice_of(repeat, run_searches(repeat, Pruned::forgotten)));
  }
  return tally.take();
}

}  // namespace hqe
