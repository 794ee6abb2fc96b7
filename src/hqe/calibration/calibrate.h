// SPDX-License-Identifier: MIT
/// One temperature for the shares of a soft vote. A team's shares p (the members' mean, weighted
/// where the vote is) become p_c^(1/T) / sum_j p_j^(1/T), shares below 1e-15 taken as 1e-15. No
/// answer changes: the largest share stays the largest.

#pragma once

#include <cstdint>

#include "hqe/base/run.h"
#include "hqe/calibration/serving.h"
#include "hqe/ensemble/team.h"
#include "hqe/predictions/pool.h"
#include "hqe/votes/vote.h"

namespace hqe {

/// A temperature lies in [1 / largest_temperature, largest_temperature].
inline constexpr double largest_temperature = 20;

/// Pools with more shares of classes than this, N C, are judged by evenly spaced samples.
inline constexpr std::uint64_t most_calibrated_shares = std::uint64_t{1} << 21;

/// True where the team's vote gives every class of every sample a share: a soft vote, or a weighted
/// one with a member that has a weight, and all scores are known, which digests do not keep.
[[nodiscard]] bool can_calibrate(const Pool& pool, const VoteRule& rule, TeamView team);

/// How many samples of a pool the figures rest on: all of them, or as many as have
/// most_calibrated_shares together, but at least 1,024 up to eight times as many shares.
[[nodiscard]] std::uint64_t calibrated_samples(const Pool& pool);

/// The temperature with the smallest mean log-loss on the pool's samples, and what it changes
/// there; 1 where no other is better. Within 1e-9 of the minimum, which is the only one: log-loss
/// is convex in 1/T. Reads the members' scores once and keeps 8 bytes a share. The same bits for
/// any number of threads and any SIMD target. Requires: can_calibrate().
[[nodiscard]] Serving calibrate(const Pool& pool, const VoteRule& rule, TeamView team,
                                const Run& run);

/// What a given temperature changes on the samples of a pool, as calibrate() reads them.
/// Requires: can_calibrate(), a temperature in the range.
[[nodiscard]] CalibrationEffect judge_calibration(const Pool& pool, const VoteRule& rule,
                                                  TeamView team, double temperature,
                                                  const Run& run);

}  // namespace hqe
