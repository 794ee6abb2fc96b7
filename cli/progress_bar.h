// SPDX-License-Identifier: MIT
/// Progress of long work on a terminal: stage, share done, time left. Erased at the end.

#pragma once

#include <chrono>
#include <string>

#include "hqe/base/run.h"
#include "hqe/base/time_left.h"

namespace hqe::cli {

/// Draws on standard error at most ten times a second. Short work is never drawn at all.
class ProgressBar {
 public:
  ProgressBar() = default;
  ~ProgressBar() { erase(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void show(const Progress& progress);
  void erase();

 private:
  using Clock = std::chrono::steady_clock;

  Clock::time_point started_ = Clock::now();
  Clock::time_point drawn_ = started_;
  TimeLeft time_left_;
  bool is_visible_ = false;
};

/// "reading predictions  ━━━━━━━━            43 %  12 s left".
[[nodiscard]] std::string progress_text(std::string_view stage, double share, double seconds_left);

}  // namespace hqe::cli
