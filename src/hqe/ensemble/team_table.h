// SPDX-License-Identifier: MIT
/// Many teams of any size, stored back to back.

#pragma once

#include <cstddef>
#include <vector>

#include "hqe/ensemble/team.h"

namespace hqe {

class TeamTable {
 public:
  [[nodiscard]] std::size_t size() const { return begin_.size() - 1; }
  [[nodiscard]] bool empty() const { return size() == 0; }
  [[nodiscard]] TeamView operator[](std::size_t index) const {
    return {members_.data() + begin_[index], begin_[index + 1] - begin_[index]};
  }
  void push_back(TeamView team) {
    members_.insert(members_.end(), team.begin(), team.end());
    begin_.push_back(members_.size());
  }
  void append(const TeamList& teams) {
    for (std::size_t i = 0; i < teams.size(); ++i) push_back(teams[i]);
  }

  /// All members, team after team, and where each team begins (one more than there are teams).
  [[nodiscard]] const std::vector<ModelId>& members() const { return members_; }
  [[nodiscard]] const std::vector<std::size_t>& begins() const { return begin_; }

  bool operator==(const TeamTable&) const = default;

 private:
  std::vector<std::size_t> begin_{0};
  std::vector<ModelId> members_;
};

}  // namespace hqe
