// SPDX-License-Identifier: MIT
/// How long work will still take, from how far it has come.

#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "hqe/base/run.h"

namespace hqe {

/// Knows no clock: who asks says what time it is. Work of a steady pace is told exactly; where the
/// pace changes, what happened lately counts, so that an estimate is wrong for no longer than it
/// was right before.
class TimeLeft {
 public:
  /// Seconds until the stage ends, `now` in seconds from any beginning; nothing while too little
  /// was seen. A stage that begins again, under its old name too, is a new one.
  std::optional<double> estimate(double now, const Progress& progress);

 private:
  struct Seen {
    double at = 0;
    double share = 0;
  };
  std::string stage_;
  std::uint64_t done_ = 0;
  std::deque<Seen> seen_;  ///< Of the stage: its beginning, then its later half.
};

}  // namespace hqe
