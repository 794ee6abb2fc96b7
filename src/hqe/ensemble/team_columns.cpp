// SPDX-License-Identifier: MIT
#include "hqe/ensemble/team_columns.h"

#include <utility>

namespace hqe {

TeamList union_of(const TeamList& left, const TeamList& right) {
  // Searches by metrics that agree keep the same teams.
  if (left == right || right.empty()) return left;
  if (left.empty()) return right;
  const auto size = static_cast<std::size_t>(left.team_size());
  std::vector<ModelId> all((left.size() + right.size()) * size);
  ModelId* out = all.data();
  const auto add = [&](TeamView team) {
    // So few that calling memmove would take longer.
    for (const ModelId member : team) *out++ = member;
  };
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < left.size() && j < right.size()) {
    const std::uint64_t one = leading_members(left[i]), other = leading_members(right[j]);
    const bool same = one == other;
    const bool takes_left = same ? !team_before(right[j], left[i]) : one < other;
    const bool takes_right = same ? !team_before(left[i], right[j]) : other < one;
    add(takes_left ? left[i] : right[j]);
    i += takes_left ? 1 : 0;
    j += takes_right ? 1 : 0;
  }
  for (; i < left.size(); ++i) add(left[i]);
  for (; j < right.size(); ++j) add(right[j]);
  all.resize(static_cast<std::size_t>(out - all.data()));
  all.shrink_to_fit();
  return TeamList(left.team_size(), std::move(all));
}

TeamList difference_of(const TeamList& left, const TeamList& right) {
  TeamList rest(left.team_size());
  std::size_t j = 0;
  for (std::size_t i = 0; i < left.size(); ++i) {
    while (j < right.size() && team_before(right[j], left[i])) ++j;
    if (j == right.size() || team_before(left[i], right[j])) rest.push_back(left[i]);
  }
  return rest;
}

}  // namespace hqe
