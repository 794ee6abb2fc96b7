// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "hqe/search/answer.h"
#include "hqe/search/merits.h"
#include "hqe/search/nothing_selected.h"
#include "hqe/search/search.h"
#include "hqe/search/search_space.h"
#include "hqe/search/searches.h"
#include "hqe/trust/held_out.h"
#include "hqe/trust/trust_of.h"
#include "hqe/verbs/correlate.h"
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

/// Recommends the better baseline in place of what its own figures would call worse.
void mend(Study& study, SearchSpace& space, const Searches& found) {
  const BaselineComparison* better = better_baseline(study, space);
  if (better == nullptr) return;
  Recommendation& recommended = *study.recommended;
  recommended.why = fmt::format(
      "Chosen on one half of the samples and judged on the other, this is better by {} than {}, "
      "which the evidence within the samples had preferred.",
      distance_text(study.options.merit, better->difference()), recommended.from);
  recommended.better_baseline = better->against;
  recommended.figures = space.figures(better->team);
  recommended.from = baseline_title(better->against, better->team.size());
  recommended.alternatives.clear();
  study.trust = trust_of(space, found, study);
}

/// What the samples held out on request call worse is said, not mended: they judge the choice and
/// never make it.
void warn_of_worse(Study& study) {
  for (const BaselineComparison& comparison : study.trust.comparisons) {
    if (comparison.verdict != Verdict::worse) continue;
    study.warnings.emplace_back(
        fmt::format("on the samples held out, {} is better than the recommended team",
                    baseline_title(comparison.against, comparison.team.size())));
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
  correlate(study.selections, found.searches, space);
  study.trust = trust_of(space, found, study);
  mend(study, space, found);
  if (study.recommended) {
    const Team& team = study.recommended->figures.team;
    study.recommended_errors = errors_of(space.selection().measured(), team, run);
    study.recommended_robustness =
        robustness_of(space.selection().measured(), team, options.radii, run);
    study.recommended->serving = serving_of(space, team);
    study.recommended->early_exit = early_exit_of(space, team);
  }
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
