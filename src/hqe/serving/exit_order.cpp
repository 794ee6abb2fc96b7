// SPDX-License-Identifier: MIT
#include "hqe/serving/exit_order.h"

#include <utility>

namespace hqe {

std::vector<std::size_t> cheapest_order(std::span<const std::uint64_t> open,
                                        std::span<const double> costs) {
  // What is still to pay depends on who ran, not on the order in which they did.
  struct Rest {
    double cost = 0;
    std::uint64_t runs = 0;
    std::size_t next = 0;
  };
  const std::size_t sets = open.size();
  std::vector<Rest> rest(sets);
  for (std::size_t set = sets - 1; set-- > 0;) {
    bool is_first = true;
    for (std::size_t m = 0; m < costs.size(); ++m) {
      const std::size_t bit = std::size_t{1} << m;
      if ((set & bit) != 0) continue;
      const Rest& after = rest[set | bit];
      const Rest with{.cost = static_cast<double>(open[set]) * costs[m] + after.cost,
                      .runs = open[set] + after.runs,
                      .next = m};
      if (is_first || std::pair(with.cost, with.runs) < std::pair(rest[set].cost, rest[set].runs)) {
        rest[set] = with;
      }
      is_first = false;
    }
  }
  std::vector<std::size_t> order;
  for (std::size_t set = 0; set + 1 < sets; set |= std::size_t{1} << order.back()) {
    order.push_back(rest[set].next);
  }
  return order;
}

}  // namespace hqe
