// SPDX-License-Identifier: MIT
#include "hqe/base/time_left.h"

#include <algorithm>

namespace hqe {
namespace {

/// Enough of a stage to tell the rest by. The first ranges of work tell more of starting threads
/// than of the work, and a hundredth of it tells little before a second has passed.
bool is_enough(double seconds, double share) {
  return (seconds >= 0.25 && share >= 0.1) || (seconds >= 1 && share >= 0.01);
}

// Some work reports thousands of times a second.
constexpr double least_seconds_apart = 0.02;

}  // namespace

std::optional<double> TimeLeft::estimate(double now, const Progress& progress) {
  const double share =
      progress.total == 0
          ? 0
          : std::min(1.0, static_cast<double>(progress.done) / static_cast<double>(progress.total));
  if (seen_.empty() || progress.stage != stage_ || progress.done < done_) {
    stage_ = progress.stage;
    seen_ = {{now, share}};
  }
  done_ = progress.done;
  const bool is_worth_it = now - seen_.back().at >= least_seconds_apart;
  if (is_worth_it && share > seen_.back().share) seen_.push_back({now, share});

  // The pace since the middle of the time that has passed.
  const double begin = seen_.front().at;
  const double middle = begin + (now - begin) / 2;
  while (seen_.size() > 2 && seen_[2].at <= middle) seen_.erase(seen_.begin() + 1);
  if (!is_enough(now - begin, share - seen_.front().share)) return std::nullopt;
  const Seen from = seen_.size() > 2 && seen_[1].at <= middle ? seen_[1] : seen_.front();
  if (share <= from.share) return std::nullopt;
  return (now - from.at) * (1 - share) / (share - from.share);
}

}  // namespace hqe
