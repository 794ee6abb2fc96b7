// SPDX-License-Identifier: MIT
/// Many teams of any size: stored back to back, or as places in a list that others share.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "hqe/ensemble/team.h"

namespace hqe {

class TeamTable {
 public:
  TeamTable() = default;
  /// The teams of `list` at these places: 4 bytes each, whatever their size.
  TeamTable(std::shared_ptr<const TeamList> list, std::vector<std::uint32_t> places)
      : list_(std::move(list)), places_(std::move(places)) {}

  [[nodiscard]] std::size_t size() const { return list_ ? places_.size() : begin_.size() - 1; }
  [[nodiscard]] bool empty() const { return size() == 0; }
  [[nodiscard]] TeamView operator[](std::size_t index) const {
    if (list_) return (*list_)[places_[index]];
    return {members_.data() + begin_[index], begin_[index + 1] - begin_[index]};
  }
  void push_back(TeamView team) {
    if (list_) *this = copied();
    members_.insert(members_.end(), team.begin(), team.end());
    begin_.push_back(members_.size());
  }
  void append(const TeamList& teams) {
    for (std::size_t i = 0; i < teams.size(); ++i) push_back(teams[i]);
  }

  /// All members, team after team.
  [[nodiscard]] std::vector<ModelId> members() const {
    return list_ ? copied().members_ : members_;
  }
  /// Where each team begins among the members: one more than there are teams.
  [[nodiscard]] std::vector<std::size_t> begins() const { return list_ ? copied().begin_ : begin_; }

  /// The same teams in the same order, however they are stored.
  bool operator==(const TeamTable& other) const {
    if (size() != other.size()) return false;
    if (list_ && list_ == other.list_) return places_ == other.places_;
    for (std::size_t i = 0; i < size(); ++i) {
      if (!std::ranges::equal((*this)[i], other[i])) return false;
    }
    return true;
  }

 private:
  [[nodiscard]] TeamTable copied() const {
    TeamTable copy;
    for (std::size_t i = 0; i < size(); ++i) copy.push_back((*this)[i]);
    return copy;
  }

  std::shared_ptr<const TeamList> list_;  ///< Null: the teams are its own.
  std::vector<std::uint32_t> places_;
  std::vector<std::size_t> begin_{0};
  std::vector<ModelId> members_;
};

}  // namespace hqe
