// SPDX-License-Identifier: MIT
/// Cascades by their meaning: for each sample members are asked one after another.

#pragma once

#include <functional>
#include <vector>

#include "hqe/serving/cascade.h"
#include "tests/reference/pool.h"

namespace hqe::reference {

/// What a cascade rests on beside its pool.
struct CascadeTeam {
  Members order;                ///< Models, as they run.
  std::vector<double> costs;    ///< One a model of the order.
  std::vector<double> weights;  ///< One a model of the pool; empty: 1 each.
  bool has_scores = false;      ///< The vote adds scores.
  /// The full vote's answer; whether the first so many of the order decide it.
  std::function<int(int sample)> full;
  std::function<bool(int sample, int members)> is_decided;
};

/// One rule on all samples.
[[nodiscard]] CascadeRun run_cascade(const ReferencePool& pool, const CascadeTeam& team,
                                     const StopRule& stop);

/// Which rules make the front: exact, then those that no other is at least as good as, in cost and
/// in correct answers, nor an earlier one the same as; dearest first.
[[nodiscard]] std::vector<std::size_t> cascade_front(const std::vector<CascadeRun>& runs);

}  // namespace hqe::reference
