// SPDX-License-Identifier: MIT
#include "hqe/ensemble/ens_set.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace hqe {

std::optional<std::uint64_t> binomial(std::uint64_t n, std::uint64_t k) {
  if (k > n) return 0;
  k = std::min(k, n - k);
  __extension__ unsigned __int128 result = 1;
  for (std::uint64_t i = 1; i <= k; ++i) {
    // Exact at every step: a product of i consecutive integers is divisible by i!.
    result = result * (n - k + i) / i;
    if (result > UINT64_MAX) return std::nullopt;
  }
  return static_cast<std::uint64_t>(result);
}

EnsSet::EnsSet(int model_count, int team_size) : model_count_(model_count), team_size_(team_size) {
  assert(1 <= team_size && team_size <= model_count);
}

std::optional<std::uint64_t> EnsSet::size() const {
  return binomial(static_cast<std::uint64_t>(model_count_), static_cast<std::uint64_t>(team_size_));
}

void EnsSet::for_each(const std::function<void(TeamView)>& visit) const {
  std::vector<ModelId> members = first_team(team_size_);
  do visit(members);
  while (next_team(members, model_count_));
}

TeamList EnsSet::list() const {
  TeamList teams(team_size_);
  if (const auto count = size()) teams.reserve(*count);
  std::vector<ModelId> members = first_team(team_size_);
  do teams.push_back(members);
  while (next_team(members, model_count_));
  return teams;
}

bool next_team(std::span<ModelId> members, int model_count) {
  const int size = static_cast<int>(members.size());
  for (int place = size - 1; place >= 0; --place) {
    if (members[place] == model_count - size + place) continue;
    std::iota(members.begin() + place, members.end(), static_cast<ModelId>(members[place] + 1));
    return true;
  }
  return false;
}

std::vector<ModelId> first_team(int team_size) {
  std::vector<ModelId> members(static_cast<std::size_t>(team_size));
  std::iota(members.begin(), members.end(), ModelId{0});
  return members;
}

}  // namespace hqe
