// SPDX-License-Identifier: MIT
/// The diversity metrics sample by sample, and Algorithm 1 line by line.

#pragma once

#include <map>
#include <vector>

#include "hqe/diversity/metric.h"
#include "tests/reference/pool.h"

namespace hqe::reference {

/// Diversity of `team` on `samples` (a sample may occur more than once). `metric` is a baseline
/// name; spec section 3, and Kuncheva & Whitaker 2003 for the seven extra metrics.
[[nodiscard]] double diversity(const ReferencePool& pool, Metric metric, const Members& team,
                               const std::vector<int>& samples);

/// Q(T): on all samples.
[[nodiscard]] double baseline_diversity(const ReferencePool& pool, Metric metric,
                                        const Members& team);

/// q_f(T): on all samples that `focal` fails on. Requires: there is one.
[[nodiscard]] double focal_negative_correlation(const ReferencePool& pool, Metric metric,
                                                const Members& team, int focal);

/// The ranks 1..S of the members' correct counts, ties sharing their mean rank.
[[nodiscard]] std::vector<double> accuracy_ranks(const ReferencePool& pool, const Members& team);

/// FQ(T) of every team of `ens_set`, teams of one size being compared with each other.
[[nodiscard]] std::map<Members, double> focal_diversity(const ReferencePool& pool, Metric metric,
                                                        const std::vector<Members>& ens_set,
                                                        bool uniform_weights = false);

}  // namespace hqe::reference
