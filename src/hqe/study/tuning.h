// SPDX-License-Identifier: MIT
/// Runs the searches that were asked for, finding size and beta where these are "auto".

#pragma once

#include <string>
#include <vector>

#include "hqe/study/prepare.h"
#include "hqe/study/search.h"

namespace hqe {

struct Searches {
  int desired_size = 0;
  std::vector<Search> searches;  ///< One a metric, in the order of the settings.
  std::vector<std::string> warnings;
};

[[nodiscard]] Searches run_searches(Prepared& prepared);

}  // namespace hqe
