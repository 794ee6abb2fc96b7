// SPDX-License-Identifier: MIT
/// How to serve a team, in words. Private to report/.

#pragma once

#include <string>

#include "hqe/calibration/serving.h"
#include "hqe/serving/early_exit.h"

namespace hqe {

/// "log-loss 0.266, 0.259 at temperature 0.82", and `with_test` the same on the test pool where
/// there is one: part of a line, without its end.
[[nodiscard]] std::string calibration_text(const Serving& serving, bool with_test = true);

/// "same answers, 2.6 of 4 models run on average, 0.52 ms (-39 %)", and so on the test pool.
[[nodiscard]] std::string early_exit_text(const EarlyExit& exit, bool with_test = true);

}  // namespace hqe
