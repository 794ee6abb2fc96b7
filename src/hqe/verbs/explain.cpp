// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <utility>

#include "hqe/base/error.h"
#include "hqe/ensemble/team_columns.h"
#include "hqe/pruning/eligibility.h"
#include "hqe/pruning/hierarchical.h"
#include "hqe/search/search.h"
#include "hqe/search/search_space.h"
#include "hqe/search/searches.h"
#include "hqe/search/settings.h"
#include "hqe/verbs/verbs.h"

namespace hqe {
namespace {

using Fate = Explanation::Fate;

/// Candidates of the tier that are better than the one at `place`, plus 1.
std::uint64_t rank_in(const Tier& tier, std::size_t place) {
  const double score = rounded_score(tier.scores[place]);
  std::uint64_t rank = 1;
  for (std::size_t i = 0; i < tier.scores.size(); ++i) {
    const double other = rounded_score(tier.scores[i]);
    if (other > score || (other == score && i < place)) ++rank;
  }
  return rank;
}

struct Found {
  const Tier* tier = nullptr;
  std::size_t place = 0;
};

/// The first pruned team, by tier and team order, that `team` contains.
std::optional<Found> first_pruned_part(const Search& search, TeamView team) {
  for (const Tier& tier : search.tiers) {
    if (tier.team_size > static_cast<int>(team.size())) break;
    for (std::size_t i = 0; i < tier.candidates.size(); ++i) {
      if (!tier.kept[i] && contains(team, tier.candidates[i])) return Found{&tier, i};
    }
  }
  return std::nullopt;
}

std::optional<Found> find_candidate(const Search& search, TeamView team) {
  for (const Tier& tier : search.tiers) {
    if (tier.team_size != static_cast<int>(team.size())) continue;
    const std::size_t place = place_of(team, tier.candidates);
    if (place < tier.candidates.size()) return Found{&tier, place};
  }
  return std::nullopt;
}

void fill_in(Explanation::Opinion& opinion, const Found& found) {
  opinion.culprit = Team(found.tier->candidates[found.place]);
  opinion.tier = found.tier->team_size;
  opinion.score = found.tier->scores[found.place];
  opinion.rank = rank_in(*found.tier, found.place);
  opinion.candidates = found.tier->candidates.size();
}

std::string standing(const Explanation::Opinion& opinion) {
  return fmt::format("score {:.6f}, rank {} of {}", opinion.score, opinion.rank,
                     opinion.candidates);
}

std::string why_by_mean(const Search& search, const Explanation::Opinion& opinion) {
  return fmt::format("{}: score {:.6f} is {} the mean {:.6f}; rank {} of the {} teams of its size",
                     opinion.fate == Fate::kept ? "kept" : "pruned", opinion.score,
                     opinion.fate == Fate::kept ? "above" : "not above", *search.threshold,
                     opinion.rank, opinion.candidates);
}

std::string why_hierarchically(const Explanation::Opinion& opinion, int desired_size,
                               std::uint64_t pruned) {
  const std::string culprit = to_string(opinion.culprit.view());
  switch (opinion.fate) {
    case Fate::kept:
      return opinion.tier == desired_size
                 ? fmt::format("selected: {}", standing(opinion))
                 : fmt::format("kept in tier {}: {}", opinion.tier, standing(opinion));
    case Fate::pruned:
      return fmt::format("pruned in tier {}: {}, and the last {} were pruned", opinion.tier,
                         standing(opinion), pruned);
    case Fate::cut:
      return fmt::format("cut: it contains {}, pruned in tier {} ({})", culprit, opinion.tier,
                         standing(opinion));
    case Fate::larger:
      return opinion.culprit.empty()
                 ? fmt::format("larger than the wanted size {}; none of its parts was pruned",
                               desired_size)
                 : fmt::format(
                       "larger than the wanted size {}; its part {} was pruned in tier {} "
                       "({})",
                       desired_size, culprit, opinion.tier, standing(opinion));
    case Fate::not_eligible:
      return "never a candidate: it lacks a required model, has an excluded one, or exceeds the "
             "budget";
    case Fate::single:
      return "a single model has no diversity; tiers start at size 2";
  }
  return "";
}

Explanation::Opinion opinion_of(const Search& search, const Team& team, int desired_size,
                                const Eligibility& eligibility) {
  Explanation::Opinion opinion{.metric = std::string(to_string(search.metric))};
  std::uint64_t pruned = 0;
  if (team.size() == 1) {
    opinion.fate = Fate::single;
  } else if (!eligibility.allows(team.view())) {
    opinion.fate = Fate::not_eligible;
  } else if (search.threshold) {
    const auto own = find_candidate(search, team.view());
    opinion.fate = !own ? Fate::larger : own->tier->kept[own->place] ? Fate::kept : Fate::pruned;
    if (!own) {
      opinion.why = "mean threshold looks at teams of up to one model fewer than the pool has";
      return opinion;
    }
    fill_in(opinion, *own);
    opinion.why = why_by_mean(search, opinion);
    return opinion;
  } else if (const auto part = first_pruned_part(search, team.view())) {
    fill_in(opinion, *part);
    pruned = part->tier->pruned_count;
    opinion.fate = opinion.culprit == team      ? Fate::pruned
                   : team.size() > desired_size ? Fate::larger
                                                : Fate::cut;
  } else if (const auto own = find_candidate(search, team.view())) {
    opinion.fate = Fate::kept;
    fill_in(opinion, *own);
  } else {
    opinion.fate = Fate::larger;
  }
  opinion.why = why_hierarchically(opinion, desired_size, pruned);
  return opinion;
}

/// What the metrics' opinions come to.
std::string verdict(const Explanation& explanation, const std::vector<Search>& searches,
                    bool by_mean, int desired_size) {
  std::size_t focal = 0;
  std::size_t keepers = 0;
  for (std::size_t i = 0; i < searches.size(); ++i) {
    if (!is_focal(searches[i].metric)) continue;
    ++focal;
    if (explanation.opinions[i].fate == Fate::kept) ++keepers;
  }
  if (focal < 2 || explanation.team.size() == 1) return "";
  if (!by_mean && explanation.team.size() != desired_size) {
    return fmt::format("not a team of the wanted size {}; {} of {} focal metrics keep it",
                       desired_size, keepers, focal);
  }
  return fmt::format("{} of {} focal metrics keep it: {}", keepers, focal,
                     2 * keepers > focal ? "it is in the consensus" : "it is not in the consensus");
}

}  // namespace

Explanations explain(Pool pool, const std::vector<Team>& teams, const PruneOptions& options,
                     const Run& run) {
  check_teams(teams, pool.model_count());
  SearchSpace space(std::move(pool), std::nullopt, options, run);
  const Searches found = run_searches(space);
  Explanations result{.pool = summary_of(space.selection().measured()),
                      .options = options,
                      .vote = space.selection().contests().rule().vote,
                      .desired_size = found.desired_size,
                      .reference = space.reference(),
                      .warnings = space.warnings()};
  result.warnings.insert(result.warnings.end(), found.warnings.begin(), found.warnings.end());
  for (const Team& team : teams) {
    Explanation explanation{.team = team, .correct = space.selection().correct().of(team.view())};
    for (const Search& search : found.searches) {
      explanation.opinions.push_back(
          opinion_of(search, team, found.desired_size, space.eligibility()));
    }
    explanation.why =
        verdict(explanation, found.searches, options.by == By::mean, found.desired_size);
    result.teams.push_back(std::move(explanation));
  }
  space.check_unchanged();
  return result;
}

}  // namespace hqe
