// SPDX-License-Identifier: MIT
#include "hqe/verbs/team_errors.h"

#include <cstdint>

#include "hqe/diversity/errors.h"
#include "hqe/votes/robustness.h"

namespace hqe {

TeamErrors errors_of(const Measured& measured, const Team& team, const Run& run) {
  const Counts& counts = measured.counts;
  const auto models = static_cast<ModelId>(counts.model_count());
  std::vector<std::uint64_t> co_failures;
  for (ModelId i = 0; i < models; ++i) {
    for (ModelId j = 0; j < models; ++j) co_failures.push_back(counts.co_failures(i, j));
  }
  TeamErrors errors{.error_correlation =
                        error_correlation(team.view(), counts.sample_count(), co_failures, models),
                    .posterior_error_correlation = posterior_error_correlation(
                        measured.pool, team.view(), run, measured.truth_shares.get())};
  if (errors.error_correlation) {
    errors.added_error_ratio = added_error_ratio(team.size(), *errors.error_correlation);
  }
  return errors;
}

std::optional<Robustness> robustness_of(const Measured& measured, const Team& team,
                                        const std::vector<double>& radii, const Run& run) {
  if (measured.contests->rule().vote != Vote::soft) return std::nullopt;
  if (!measured.pool.has_every_score()) return std::nullopt;
  const auto certified = certified_radii(measured.pool, team.view(), run);
  if (!certified) return std::nullopt;
  Robustness robustness{
      .median_radius = certified->median(), .certified = {}, .estimated = certified->estimated};
  for (const double radius : radii) {
    robustness.certified.push_back({.radius = radius, .share = certified->share(radius)});
  }
  return robustness;
}

}  // namespace hqe
