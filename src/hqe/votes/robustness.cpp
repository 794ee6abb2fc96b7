// SPDX-License-Identifier: MIT
#include "hqe/votes/robustness.h"

#include <algorithm>
#include <limits>

#include "hqe/scan/scan.h"

namespace hqe {
namespace {

double sum_of_bounds(const Pool& pool, TeamView team) {
  double sum = 0;
  for (const ModelId model : team) sum += pool.models[model].costs.lipschitz.value_or(0);
  return sum;
}

// As far from a sample as all bounds hold.
double reach_of(const Pool& pool, TeamView team) {
  double reach = std::numeric_limits<double>::infinity();
  for (const ModelId model : team) {
    reach = std::min(reach, pool.models[model].costs.lipschitz_radius.value_or(reach));
  }
  return reach;
}

/// One worker's memory.
struct MarginScratch {
  std::vector<double> scores, sums;
};

void sum_scores(const Pool& pool, TeamView team, std::uint64_t sample, MarginScratch& scratch) {
  scratch.scores.resize(static_cast<std::size_t>(pool.class_count));
  scratch.sums.assign(scratch.scores.size(), 0.0);
  for (const ModelId model : team) {
    class_scores(pool, model, sample, scratch.scores);
    for (std::size_t k = 0; k < scratch.sums.size(); ++k) scratch.sums[k] += scratch.scores[k];
  }
}

constexpr double not_right = -1;

// The smallest margin of the true class, or not_right.
double smallest_margin(const Pool& pool, TeamView team, std::uint64_t sample,
                       MarginScratch& scratch) {
  sum_scores(pool, team, sample, scratch);
  const auto truth = static_cast<std::size_t>(pool.true_label(sample));
  const double own = scratch.sums[truth];
  double smallest = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < scratch.sums.size(); ++k) {
    if (k == truth) continue;
    const double margin = own - scratch.sums[k];
    if (margin < 0 || (margin == 0 && k < truth)) return not_right;
    smallest = std::min(smallest, margin);
  }
  return smallest;
}

}  // namespace

double CertifiedRadii::median() const {
  if (radii.empty()) return 0;
  const std::size_t middle = radii.size() / 2;
  return radii.size() % 2 == 1 ? radii[middle] : (radii[middle - 1] + radii[middle]) / 2;
}

double CertifiedRadii::share(double radius) const {
  if (sample_count == 0) return 0;
  const auto certified = radii.end() - std::ranges::lower_bound(radii, radius);
  return static_cast<double>(certified) / static_cast<double>(sample_count);
}

std::optional<CertifiedRadii> certified_radii(const Pool& pool, TeamView team, const Run& run) {
  const auto has_bound = [&](ModelId model) {
    return pool.models[model].costs.lipschitz.value_or(0) > 0;
  };
  if (!has_scores(pool.kind) || pool.class_count < 2 || !std::ranges::all_of(team, has_bound)) {
    return std::nullopt;
  }
  std::vector<double> radii(pool.sample_count);
  std::vector<MarginScratch> scratch(static_cast<std::size_t>(run.thread_count()));
  const double bounds = sum_of_bounds(pool, team);
  const double reach = reach_of(pool, team);
  parallel_for(run, "certifying radii", pool.sample_count, 256,
               [&](std::uint64_t begin, std::uint64_t end, int worker) {
                 for (std::uint64_t sample = begin; sample < end; ++sample) {
                   const double margin = smallest_margin(pool, team, sample, scratch[worker]);
                   radii[sample] =
                       margin == not_right ? not_right : std::min(margin / bounds, reach);
                 }
               });
  std::erase(radii, not_right);
  std::ranges::sort(radii);
  const auto is_estimated = [&](ModelId model) {
    return pool.models[model].costs.lipschitz_estimated;
  };
  return CertifiedRadii{.radii = std::move(radii),
                        .sample_count = pool.sample_count,
                        .estimated = std::ranges::any_of(team, is_estimated)};
}

}  // namespace hqe
