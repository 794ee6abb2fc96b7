// SPDX-License-Identifier: MIT
/// Progress of long work on a terminal: stage, share done, time left. Erased at the end.

#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "hqe/base/run.h"
#include "hqe/base/time_left.h"

namespace hqe::cli {

/// Draws on standard error, once a stage begins and ends and ten times a second between. Short work
/// is never drawn at all.
class ProgressBar {
 public:
  ProgressBar() = default;
  ~ProgressBar() { erase(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void show(const Progress& progress);
  /// Names a stage of which nobody knows how far it has come.
  void show(std::string_view stage);
  void erase();

 private:
  using Clock = std::chrono::steady_clock;

  void draw(Clock::time_point now, std::string_view stage, const std::string& text);

  Clock::time_point started_ = Clock::now();
  Clock::time_point drawn_ = started_;
  std::string stage_;  ///< That was drawn last.
  TimeLeft time_left_;
  bool is_visible_ = false;
};

}  // namespace hqe::cli
