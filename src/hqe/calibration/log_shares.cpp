// SPDX-License-Identifier: MIT
#include "hqe/calibration/log_shares.h"

#include <algorithm>

#include "hqe/base/largest.h"
#include "hqe/calibration/calibrate.h"
#include "hqe/calibration/tempering_kernel.h"
#include "hqe/scan/sample_scores.h"

namespace hqe {
namespace {

/// The team's weighted sums, added up as the vote does: the answer must be the vote's own.
void add_up(const Pool& pool, const VoteRule& rule, TeamView team, std::uint64_t sample,
            std::span<double> member, std::span<double> sums) {
  std::ranges::fill(sums, 0.0);
  for (const ModelId model : team) {
    class_scores(pool, model, sample, member);
    const double weight = rule.vote == Vote::weighted ? rule.weights[model] : 1;
    for (std::size_t c = 0; c < sums.size(); ++c) sums[c] += weight * member[c];
  }
}

double sum_of_weights(const VoteRule& rule, TeamView team) {
  if (rule.vote != Vote::weighted) return static_cast<double>(team.size());
  double sum = 0;
  for (const ModelId model : team) sum += rule.weights[model];
  return sum;
}

}  // namespace

LogShares::LogShares(const Pool& pool, const VoteRule& rule, TeamView team, const Run& run)
    : stride_(padded_to_lanes(static_cast<std::size_t>(pool.class_count))) {
  const std::uint64_t samples = calibrated_samples(pool);
  const auto classes = static_cast<std::size_t>(pool.class_count);
  const double weights = sum_of_weights(rule, team);
  logs_.resize(samples * stride_);
  truth_.resize(samples);
  right_.resize(samples);
  std::vector<std::vector<double>> scratch(static_cast<std::size_t>(run.thread_count()),
                                           std::vector<double>(classes));
  parallel_for(run, "combining shares", samples, 64,
               [&](std::uint64_t begin, std::uint64_t end, int worker) {
                 for (std::uint64_t i = begin; i < end; ++i) {
                   const std::uint64_t sample = i * pool.sample_count / samples;
                   if (i + 1 < end) {
                     fetch_class_scores(pool, team, (i + 1) * pool.sample_count / samples);
                   }
                   const std::span row = std::span(logs_).subspan(i * stride_, stride_);
                   const std::span sums = row.first(classes);
                   std::ranges::fill(row.subspan(classes), 0.0);
                   add_up(pool, rule, team, sample, scratch[static_cast<std::size_t>(worker)],
                          sums);
                   const auto answer = static_cast<std::int32_t>(place_of_largest(sums));
                   truth_[i] = pool.true_label(sample);
                   right_[i] = answer == truth_[i] ? 1 : 0;
                   take_logarithms(row, classes, weights);
                 }
               });
}

}  // namespace hqe
