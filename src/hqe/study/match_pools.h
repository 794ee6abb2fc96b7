// SPDX-License-Identifier: MIT
/// A pool and the one that judges it, of the models that both have.

#pragma once

#include <optional>
#include <vector>

#include "hqe/base/message.h"
#include "hqe/predictions/pool.h"
#include "hqe/study/options.h"

namespace hqe {

/// The models of `pool` that `test` lacks are dropped from both, and from weights and ids in
/// `options`; the test pool's models come in the order of the selection pool.
struct MatchedPools {
  Pool pool;
  std::optional<Pool> test{};
  PruneOptions options;
  std::vector<Message> warnings{};
};
[[nodiscard]] MatchedPools match_pools(Pool pool, std::optional<Pool> test, PruneOptions options);

}  // namespace hqe
