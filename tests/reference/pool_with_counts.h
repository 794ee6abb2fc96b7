// SPDX-License-Identifier: MIT
/// A reference pool with the library's counts of it.

#pragma once

#include <array>
#include <map>
#include <vector>

#include "hqe/diversity/baseline.h"
#include "hqe/diversity/focal.h"
#include "tests/reference/blocks.h"

namespace hqe {

struct PoolWithCounts {
  reference::ReferencePool pool;
  CountBuilder builder;
  FailureBits bits;

  explicit PoolWithCounts(reference::ReferencePool counted, const CountOptions& options = {})
      : pool(std::move(counted)), builder(options) {
    const std::array<BlockConsumer*, 2> consumers{&builder, &bits};
    reference::hand_on(pool, consumers, 4096, 1, 1);
  }
  [[nodiscard]] Counts counts() const { return builder.counts(); }
};

inline TeamList list_of(const std::vector<reference::Members>& teams) {
  TeamList list(teams.empty() ? 2 : static_cast<int>(teams.front().size()));
  for (const auto& team : teams) {
    list.push_back(std::vector<ModelId>(team.begin(), team.end()));
  }
  return list;
}

}  // namespace hqe
