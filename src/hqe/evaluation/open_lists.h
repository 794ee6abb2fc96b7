// SPDX-License-Identifier: MIT
/// Long lists of teams, counted on the samples that the teams' first members leave open. Private to
/// evaluation/.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hqe/base/run.h"
#include "hqe/evaluation/contest_data.h"

namespace hqe {

/// Teams [begin, end) of a list that share all but their last three members.
struct OpenRun {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// The runs of a list that is worth it: sums of scores against one rival a sample, and many teams a
/// run. Empty where it is not. O(members).
[[nodiscard]] std::vector<OpenRun> open_runs(const Contests::Data& data, const TeamList& teams);

/// Adds to right[i] the patterns that teams[i] is right on. Deterministic for every target and
/// thread count. Requires: `runs` are those of open_runs(), and there are some.
void add_open_counts(const Contests::Data& data, const TeamList& teams,
                     const std::vector<OpenRun>& runs, const Run& run,
                     std::span<std::uint64_t> right);

}  // namespace hqe
