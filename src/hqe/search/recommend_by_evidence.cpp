// SPDX-License-Identifier: MIT
#include "hqe/search/recommend_by_evidence.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "hqe/base/capital.h"
#include "hqe/search/decision_of.h"
#include "hqe/search/merits.h"

namespace hqe {
namespace {

/// By the first cost that every model has, or by the number of members.
TeamPrices first_known_prices(const PoolSummary& pool) {
  const std::vector<Cost> known = known_costs(pool);
  return team_prices(pool.models, known.empty() ? std::nullopt : std::optional(known.front()));
}

/// A gain that would be shown as nothing.
constexpr double worth_saying = 0.00005;

bool is_as_good(const Candidate& candidate, const Candidate& recommended,
                const PruneOptions& options) {
  const double behind = recommended.expected - candidate.expected;
  if (options.merit != Merit::logloss && std::abs(behind) > options.margin) return false;
  return behind <= clear_lead * standard_error(candidate, recommended);
}

/// The cheapest candidate that costs less than the recommended one and is as good; itself if none.
std::size_t cheapest(const Decision& decision, const TeamPrices& prices,
                     const PruneOptions& options) {
  const std::vector<Candidate>& all = decision.candidates;
  const Candidate& recommended = all[decision.recommended];
  std::size_t best = decision.recommended;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!is_as_good(all[i], recommended, options)) continue;
    const double saved = prices.of(all[best].team.view()) - prices.of(all[i].team.view());
    if (saved > 0 ||
        (saved == 0 && best != decision.recommended && all[i].expected > all[best].expected)) {
      best = i;
    }
  }
  return best;
}

/// Why this candidate: what it is expected to be worth, and what else was looked at.
std::string reason(const Decision& decision, std::size_t chosen, Merit merit) {
  const std::vector<Candidate>& all = decision.candidates;
  const Candidate& recommended = all[chosen];
  const Candidate& standard = all[decision.standard];
  const Candidate& most = all[decision.most_expected];
  std::string text =
      fmt::format("{}: {} expected on new samples", capitalised(title_of(recommended)),
                  worth_text(merit, recommended.expected));
  if (chosen != decision.standard && recommended.team != standard.team) {
    const double ahead = recommended.expected - standard.expected;
    text += fmt::format(", {} {} than {}", distance_text(merit, ahead),
                        ahead >= 0 ? "better" : "worse", title_of(standard));
    if (!recommended.judged.empty()) {
      text += fmt::format(" (standard error {})",
                          distance_text(merit, standard_error(recommended, standard)));
    }
  } else if (most.team != recommended.team &&
             most.expected - recommended.expected >= worth_saying) {
    text += fmt::format(". {} may give {} more, too little to be sure of (standard error {})",
                        capitalised(title_of(most)),
                        distance_text(merit, most.expected - recommended.expected),
                        distance_text(merit, standard_error(most, recommended)));
  }
  return text + ".";
}

Alternative alternative(Alternative::Role role, const Candidate& candidate,
                        const Candidate& recommended, const SearchSpace& space) {
  Alternative result{.role = role,
                     .figures = space.figures(candidate.team),
                     .rule = title_of(candidate),
                     .expected = candidate.expected};
  if (candidate.team == recommended.team) {
    result.says = "the same team";
  } else if (role == Alternative::Role::cheaper ||
             is_as_good(candidate, recommended, space.options())) {
    result.says = "as good";
  } else {
    const double ahead = candidate.expected - recommended.expected;
    const bool is_clear = std::abs(ahead) > clear_lead * standard_error(candidate, recommended);
    result.says = fmt::format("{} {} expected{}", distance_text(space.options().merit, ahead),
                              ahead >= 0 ? "more" : "less", is_clear ? "" : ", not certain");
  }
  return result;
}

std::vector<CandidateFigures> figures_of(const Decision& decision) {
  const Candidate& standard = decision.candidates[decision.standard];
  std::vector<CandidateFigures> rows;
  for (const Candidate& candidate : decision.candidates) {
    rows.push_back({.rule = title_of(candidate),
                    .team = candidate.team,
                    .worth = candidate.worth,
                    .expected = candidate.expected,
                    .ahead = candidate.expected - standard.expected,
                    .standard_error = standard_error(candidate, standard)});
  }
  return rows;
}

}  // namespace

void recommend_by_evidence(Study& study, SearchSpace& space, Searches& found) {
  const std::optional<Decision> decision = decision_of(space, found);
  if (!decision) return;
  study.evidence = figures_of(*decision);
  const PruneOptions& options = space.options();
  const std::size_t cheaper = cheapest(*decision, first_known_prices(study.pool), options);
  const std::size_t chosen = options.prefer == Prefer::cost ? cheaper : decision->recommended;
  const std::vector<Candidate>& all = decision->candidates;
  const Candidate& recommended = all[chosen];
  Recommendation result{.figures = space.figures(recommended.team),
                        .from = title_of(recommended),
                        .why = reason(*decision, chosen, options.merit)};
  if (cheaper != chosen) {
    result.alternatives.push_back(
        alternative(Alternative::Role::cheaper, all[cheaper], recommended, space));
  }
  result.alternatives.push_back(alternative(Alternative::Role::most_accurate,
                                            all[decision->most_expected], recommended, space));
  study.recommended = std::move(result);
}

}  // namespace hqe
