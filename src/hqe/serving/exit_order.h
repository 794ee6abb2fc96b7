// SPDX-License-Identifier: MIT
/// The order of a small team's members with the least expected cost. Private to serving/.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace hqe {

/// Members by their place in the team. `open`: one a set of members, how many samples it leaves
/// open; open[0] = all of them. A set never leaves more open than a part of it does. Of equal
/// orders, the one that runs fewer members, then the first by members. O(2^S S).
[[nodiscard]] std::vector<std::size_t> cheapest_order(std::span<const std::uint64_t> open,
                                                      std::span<const double> costs);

}  // namespace hqe
