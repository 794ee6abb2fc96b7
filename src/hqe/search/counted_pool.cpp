// SPDX-License-Identifier: MIT
#include "hqe/search/counted_pool.h"

#include <utility>

namespace hqe {

CountedPool::CountedPool(Measured measured, Merit merit, std::uint64_t selection_samples,
                         const Run& run)
    : measured_(std::move(measured)),
      correct_(*measured_.contests, run),
      merits_(
          merits_of(merit, measured_.pool, measured_.contests->rule(), selection_samples, run)) {}

}  // namespace hqe
