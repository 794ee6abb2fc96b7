// SPDX-License-Identifier: MIT
#include "hqe/agreement/partitions.h"

#include <bit>

namespace hqe {

Partitions::Partitions(int depth, bool one_rival) : levels_(1, {Partition{}}) {
  for (int members = 0; members < depth; ++members) {
    std::vector<Partition> children;
    std::vector<Split> splits;
    const auto next = static_cast<Places>(1U << members);
    for (const Partition& parent : levels_.back()) {
      Split split{.first_child = children.size(), .alone = !one_rival || parent.wrong.empty()};
      children.push_back(parent);
      children.back().right |= next;
      for (std::size_t i = 0; i < parent.wrong.size(); ++i) {
        children.push_back(parent);
        children.back().wrong[i] |= next;
        split.joined.push_back(static_cast<std::uint8_t>(std::countr_zero(parent.wrong[i])));
      }
      if (split.alone) {
        children.push_back(parent);
        children.back().wrong.push_back(next);
      }
      splits.push_back(std::move(split));
    }
    levels_.push_back(std::move(children));
    splits_.push_back(std::move(splits));
  }
}

std::size_t Partitions::count(int members, bool one_rival) {
  // Of each number of wrong classes: joining keeps it, voting alone raises it, being right keeps
  // it.
  std::vector<std::size_t> with(static_cast<std::size_t>(members) + 2, 0);
  with[0] = 1;
  for (int member = 0; member < members; ++member) {
    for (std::size_t wrong = static_cast<std::size_t>(member) + 1; wrong > 0; --wrong) {
      const bool may_be_alone = !one_rival || wrong == 1;
      with[wrong] = with[wrong] * (wrong + 1) + (may_be_alone ? with[wrong - 1] : 0);
    }
  }
  std::size_t sum = 0;
  for (const std::size_t some : with) sum += some;
  return sum;
}

}  // namespace hqe
