// SPDX-License-Identifier: MIT
/// Options held against a pool: what will really be done, or why it will not.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hqe/base/message.h"
#include "hqe/diversity/metric.h"
#include "hqe/predictions/pool.h"
#include "hqe/pruning/hierarchical.h"
#include "hqe/study/options.h"

namespace hqe {

struct Settings {
  std::vector<Metric> metrics;  ///< Distinct, at least one.
  /// Complete but for size and beta where these are to be found out.
  HierarchicalOptions hierarchical;
  std::vector<Message> warnings;
};

/// Checks everything that can be known before the predictions are read.
/// Throws InputError for fewer than 3 models, UsageError for the rest.
[[nodiscard]] Settings settle(const Pool& pool, const PruneOptions& options);

/// The metrics asked for, each once; without any, `defaults` as far as the pool's kind allows.
/// Throws UsageError for focal CK in a correctness pool.
[[nodiscard]] std::vector<Metric> settle_metrics(const Pool& pool, const std::vector<Metric>& asked,
                                                 std::vector<Metric> defaults);

/// Throws InputError when the pool has fewer models than `what` ("pruning") needs.
void check_model_count(const Pool& pool, int fewest, std::string_view what);

/// Throws UsageError unless least <= first <= last <= most.
void check_sizes(int first, int last, int least, int most, int model_count);

/// Throws UsageError when sizes first..last have more than `limit` teams together.
void check_team_count(int model_count, int first, int last, std::uint64_t limit);

/// Throws UsageError for an empty team or a member that is not below `model_count`.
void check_teams(const std::vector<Team>& teams, int model_count);

/// A remark where a size is above half of the models; empty otherwise.
[[nodiscard]] std::string size_remark(int size, int model_count);

}  // namespace hqe
