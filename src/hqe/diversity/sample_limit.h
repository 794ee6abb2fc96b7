// SPDX-License-Identifier: MIT
/// How much the option sample, RxT, may draw.

#pragma once

#include "hqe/diversity/focal.h"

namespace hqe {

/// Throws UsageError if draws or repeats is below 1, or if the draws of so many models would take
/// more than 1 GiB.
void check_sample(const SampleOptions& options, int model_count);

}  // namespace hqe
