// SPDX-License-Identifier: MIT
/// Two pieces of work at once.

#pragma once

#include <functional>

#include "hqe/base/run.h"

namespace hqe {

/// Does both, the first on the caller's thread with `run`, the second meanwhile on another where
/// the run has more than one, with as many threads and without progress: so that cores which one
/// leaves idle do the other's work. They must not change what the other reads. The first one's
/// exception is thrown, after the second was told to stop; else the second's.
void do_both(const Run& run, const std::function<void(const Run&)>& first,
             const std::function<void(const Run&)>& second);

}  // namespace hqe
