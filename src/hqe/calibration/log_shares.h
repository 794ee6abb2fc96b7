// SPDX-License-Identifier: MIT
/// What a team says of the classes of its samples, as logarithms: the form in which a temperature
/// is a factor. Private to calibration/.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hqe/base/run.h"
#include "hqe/bits/unset_vector.h"
#include "hqe/ensemble/team.h"
#include "hqe/predictions/pool.h"
#include "hqe/votes/vote.h"

namespace hqe {

/// Rows of ln(p_c / p_answer), one a sample: 0 for the answer, negative for the others.
///
/// Thread safety: const members may be called from several threads.
class LogShares {
 public:
  /// Reads calibrated_samples() evenly spaced samples of the pool. Requires: can_calibrate().
  LogShares(const Pool& pool, const VoteRule& rule, TeamView team, const Run& run);

  [[nodiscard]] std::uint64_t sample_count() const { return truth_.size(); }
  /// One number a class, then padding up to a whole number of kernel lanes.
  [[nodiscard]] std::span<const double> row(std::uint64_t sample) const {
    return std::span(logs_).subspan(sample * stride_, stride_);
  }
  [[nodiscard]] double of_truth(std::uint64_t sample) const {
    return logs_[sample * stride_ + static_cast<std::size_t>(truth_[sample])];
  }
  [[nodiscard]] bool is_right(std::uint64_t sample) const { return right_[sample] != 0; }

 private:
  std::size_t stride_ = 0;
  UnsetVector<double> logs_;
  std::vector<std::int32_t> truth_;
  std::vector<char> right_;
};

}  // namespace hqe
