// SPDX-License-Identifier: MIT
#include "hqe/ensemble/team.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "hqe/base/error.h"

namespace hqe {

Team::Team(std::initializer_list<ModelId> members) : Team(std::vector<ModelId>(members)) {}

Team::Team(std::vector<ModelId> members) : members_(std::move(members)) {
  std::ranges::sort(members_);
  const auto twice = std::ranges::adjacent_find(members_);
  if (twice != members_.end()) {
    throw UsageError("model " + std::to_string(*twice) +
                     " is named twice in one team. Name each member once");
  }
}

Team Team::all(int model_count) {
  std::vector<ModelId> members(static_cast<std::size_t>(model_count));
  std::iota(members.begin(), members.end(), ModelId{0});
  return Team(std::move(members));
}

bool Team::contains(ModelId model) const { return std::ranges::binary_search(members_, model); }

bool Team::contains(TeamView team) const { return hqe::contains(members_, team); }

std::string to_string(TeamView team) {
  std::string text;
  for (const ModelId model : team) {
    if (!text.empty()) text += ',';
    text += std::to_string(model);
  }
  return text;
}

bool contains(TeamView team, TeamView part) { return std::ranges::includes(team, part); }

}  // namespace hqe
