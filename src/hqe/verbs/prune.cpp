// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "hqe/base/do_both.h"
#include "hqe/search/answer.h"
#include "hqe/search/merits.h"
#include "hqe/search/nothing_selected.h"
#include "hqe/search/search.h"
#include "hqe/search/search_space.h"
#include "hqe/search/searches.h"
#include "hqe/statistics/intervals.h"
#include "hqe/trust/held_out.h"
#include "hqe/trust/trust_of.h"
#include "hqe/verbs/detail.h"
#include "hqe/verbs/serving_of.h"
#include "hqe/verbs/sweep_rows.h"
#include "hqe/verbs/team_errors.h"
#include "hqe/verbs/verbs.h"

namespace hqe {
namespace {

/// Where radii would be told, were all scores known.
void warn_of_radii(Study& study, const Measured& measured) {
  const Pool& pool = measured.pool;
  const auto has_bound = [&](ModelId model) {
    return pool.models[model].costs.lipschitz.has_value();
  };
  if (pool.has_every_score() || measured.contests->rule().vote != Vote::soft ||
      !std::ranges::all_of(study.recommended->figures.team, has_bound)) {
    return;
  }
  study.warnings.emplace_back(
      "radii need the scores of every class, which a digest does not keep: ask the predictions");
}

/// The best baseline on the half held back, where that half calls what is recommended worse than
/// one of them, and it may be chosen.
const BaselineComparison* better_baseline(const Study& study, const SearchSpace& space) {
  if (study.trust.held_out != HeldOut::half) return nullptr;
  const BaselineComparison* best = nullptr;
  for (const BaselineComparison& comparison : study.trust.comparisons) {
    const bool is_worse = comparison.verdict == Verdict::worse;
    if (!is_worse || !space.eligibility().allows(comparison.team.view())) continue;
    if (best == nullptr || comparison.difference() < best->difference()) best = &comparison;
  }
  return best;
}

/// How far the study can be trusted, and all that is told of the team that it recommends: two
/// questions that share nothing, and leave the other's cores idle now and then.
void add_trust_and_serving(Study& study, SearchSpace& space, Searches& found, const Run& run) {
  Trust trust;
  const auto judge_choice = [&](const Run&) { trust = trust_of(space, found, study); };
  if (!study.recommended) {
    judge_choice(run);
    study.trust = std::move(trust);
    return;
  }
  const Team& team = study.recommended->figures.team;
  const Measured& measured = space.selection().measured();
  TeamErrors errors;
  std::optional<Robustness> robustness;
  std::optional<Serving> serving;
  std::optional<EarlyExit> early_exit;
  do_both(run, judge_choice, [&](const Run& beside) {
    serving = serving_of(space, team, beside);
    early_exit = early_exit_of(space, team, beside);
    errors = errors_of(measured, team, beside);
    robustness = robustness_of(measured, team, study.options.radii, beside);
  });
  study.trust = std::move(trust);
  study.recommended_errors = errors;
  study.recommended_robustness = std::move(robustness);
  study.recommended->serving = serving;
  study.recommended->early_exit = std::move(early_exit);
}

/// Recommends the better baseline in place of what its own figures would call worse. False where
/// there is none.
bool mend(Study& study, const SearchSpace& space) {
  const BaselineComparison* better = better_baseline(study, space);
  if (better == nullptr) return false;
  Recommendation& recommended = *study.recommended;
  recommended.why = fmt::format(
      "Chosen on one half of the samples and judged on the other, this is better by {} than {}, "
      "which the evidence within the samples had preferred.",
      distance_text(study.options.merit, better->difference()), recommended.from);
  recommended.better_baseline = better->against;
  recommended.figures = space.figures(better->team);
  recommended.from = title_of(better->against, better->team.size());
  recommended.alternatives.clear();
  return true;
}

/// What the samples held out on request call worse is said, not mended: they judge the choice and
/// never make it.
void warn_of_worse(Study& study) {
  for (const BaselineComparison& comparison : study.trust.comparisons) {
    if (comparison.verdict != Verdict::worse) continue;
    study.warnings.emplace_back(
        fmt::format("on the samples held out, {} is better than the recommended team",
                    title_of(comparison.against, comparison.team.size())));
  }
}

}  // namespace

Study prune(Pool pool, const PruneOptions& options, const Run& run, std::optional<Pool> test) {
  hold_out(pool, test, options);
  SearchSpace space(std::move(pool), std::move(test), options, run);
  check_held_out(space);
  Searches found = run_searches(space, Pruned::forgotten);
  Study study = answer_of(space, found);
  study.options = options;
  add_trust_and_serving(study, space, found, run);
  if (mend(study, space)) add_trust_and_serving(study, space, found, run);
  study.warnings = space.warnings();
  study.warnings.insert(study.warnings.end(), found.warnings.begin(), found.warnings.end());
  warn_of_worse(study);
  if (study.recommended) warn_of_radii(study, space.selection().measured());
  if (study.empty()) study.warnings.push_back(why_nothing_selected(space, found));
  if (options.detail) {
    const auto& recommended = study.recommended;
    study.detail = detail_of(space, found.searches,
                             recommended ? std::optional(recommended->figures.team) : std::nullopt);
    study.detail->sweep = sweep_around(space, study.desired_size);
  }
  space.check_unchanged();
  return study;
}

}  // namespace hqe
