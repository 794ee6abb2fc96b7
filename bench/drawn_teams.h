// SPDX-License-Identifier: MIT
/// Teams to check answers on.

#pragma once

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "hqe/base/random.h"
#include "hqe/ensemble/team.h"

namespace hqe::bench {

/// `count` teams of `size` members, or of any size where it is 0, the same in every run.
inline std::vector<Team> draw_teams(int model_count, int size, int count) {
  Random random(17);
  std::vector<Team> teams;
  while (static_cast<int>(teams.size()) < count) {
    const auto wanted = static_cast<std::size_t>(
        size > 0 ? size : 1 + static_cast<int>(random.below(static_cast<unsigned>(model_count))));
    std::vector<ModelId> members;
    while (members.size() < wanted) {
      const auto model = static_cast<ModelId>(random.below(static_cast<unsigned>(model_count)));
      if (std::ranges::find(members, model) == members.end()) members.push_back(model);
    }
    teams.emplace_back(std::move(members));
  }
  return teams;
}

/// "0,2,5". Throws std::invalid_argument where a member is not a number.
inline Team parse_team(const std::string& word) {
  std::vector<ModelId> members;
  std::istringstream parts(word);
  for (std::string part; std::getline(parts, part, ',');) {
    members.push_back(static_cast<ModelId>(std::stoul(part)));
  }
  return Team(std::move(members));
}

}  // namespace hqe::bench
