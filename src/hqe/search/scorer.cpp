// SPDX-License-Identifier: MIT
#include "hqe/search/scorer.h"

#include <fmt/core.h>

#include <limits>
#include <span>

#include "hqe/base/error.h"
#include "hqe/base/option_name.h"
#include "hqe/diversity/baseline.h"
#include "hqe/ensemble/ens_set.h"
#include "hqe/ensemble/team_columns.h"

namespace hqe {

Scorer::Scorer(const Measured& measured, const ScorerOptions& options, Run run)
    : measured_(measured), options_(options), run_(std::move(run)) {
  source_ = options_.sample
                ? sampled_focal_source(measured.pool, measured.counts, *options_.sample, run_)
                : focal_source(measured.counts);
}

std::vector<double> Scorer::scores(Metric metric, const TeamList& teams, const Run& run) const {
  if (teams.empty()) return {};
  if (is_focal(metric)) return focal_scores(*source_, metric, options_.weights, teams, run);
  const FailureBits* bits = measured_.failure_bits ? &*measured_.failure_bits : nullptr;
  return baseline_scores(measured_.counts, bits, metric, teams, run);
}

std::vector<double> Scorer::tier_scores(Metric metric, const TeamList& candidates) {
  if (options_.scale == Scale::candidates || !is_focal(metric)) return scores(metric, candidates);
  const int size = candidates.team_size();
  AllTeams& known = all_teams_[size];
  if (known.teams.empty()) {
    const EnsSet all(measured_.pool.model_count(), size);
    const auto count = all.size();
    if (!count || *count > options_.max_candidates) {
      throw UsageError(
          message("{} would score all {} teams of size {}, more than {}. Use {}, a smaller size, "
                  "or raise {}",
                  option("scale", to_string(Scale::all)),
                  count ? std::to_string(*count) : "(more than 2^64)", size,
                  option("max_candidates", options_.max_candidates),
                  option("scale", to_string(Scale::candidates)), option("max_candidates")));
    }
    known.teams = all.list();
  }
  const auto [place, is_new] = known.scores.try_emplace(metric);
  if (is_new) place->second = scores(metric, known.teams);
  return values_of(candidates, known.teams, place->second);
}

std::optional<PassingScorer> Scorer::passing_scorer(Metric metric, int team_size) const {
  if (options_.scale != Scale::candidates || !is_focal(metric)) return std::nullopt;
  if (!source_->is_quick(team_size)) return std::nullopt;
  const auto passes = std::make_shared<FocalPasses>(*source_, metric, options_.weights, run_);
  return PassingScorer{
      .look_at = [passes](const TeamList& some,
                          int worker) { passes->look_at(some, 0, some.size(), worker); },
      .settle = [passes] { passes->settle(); },
      .score =
          [passes](const TeamList& some, int worker, double floor, std::span<double> scores) {
            passes->score(some, 0, some.size(), worker, floor, scores);
          }};
}

std::vector<double> Scorer::focal_columns(Metric metric, const TeamList& teams) const {
  const auto size = static_cast<std::size_t>(teams.team_size());
  std::vector<double> columns(teams.size() * size);
  parallel_for(run_, "scoring teams", teams.size(), 4096,
               [&](std::uint64_t begin, std::uint64_t end, int) {
                 source_->focal_negative_correlations(
                     baseline_of(metric), teams, begin, end,
                     std::span(columns).subspan(begin * size, (end - begin) * size));
               });
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!source_->ever_fails(teams.flat()[i])) {
      columns[i] = std::numeric_limits<double>::quiet_NaN();
    }
  }
  return columns;
}

}  // namespace hqe
