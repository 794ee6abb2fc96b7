// SPDX-License-Identifier: MIT
/// Who plays together: a team is a set of models, by id.

#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace hqe {

/// A model's place in its pool, 0..M-1.
using ModelId = std::uint16_t;

/// The most models a pool may have.
inline constexpr int max_model_count = 1024;

/// The members of a team that somebody else owns, ascending.
using TeamView = std::span<const ModelId>;

/// A set of models, members ascending and distinct. Compares member by member ("team order").
class Team {
 public:
  Team() = default;
  /// Sorts the members. Throws UsageError if one occurs twice.
  Team(std::initializer_list<ModelId> members);
  explicit Team(std::vector<ModelId> members);
  explicit Team(TeamView members) : Team(std::vector<ModelId>(members.begin(), members.end())) {}

  /// The entire ensemble: models 0..model_count-1.
  [[nodiscard]] static Team all(int model_count);

  [[nodiscard]] int size() const { return static_cast<int>(members_.size()); }
  [[nodiscard]] bool empty() const { return members_.empty(); }
  [[nodiscard]] bool contains(ModelId model) const;
  [[nodiscard]] bool contains(TeamView team) const;
  [[nodiscard]] auto begin() const { return members_.begin(); }
  [[nodiscard]] auto end() const { return members_.end(); }
  [[nodiscard]] ModelId operator[](std::size_t place) const { return members_[place]; }
  [[nodiscard]] TeamView view() const { return members_; }

  auto operator<=>(const Team&) const = default;

 private:
  std::vector<ModelId> members_;
};

/// "0,2,5".
[[nodiscard]] std::string to_string(TeamView team);

/// True if `team`, ascending, contains every member of `part`, ascending.
[[nodiscard]] bool contains(TeamView team, TeamView part);

/// Many teams of one size, stored back to back.
class TeamList {
 public:
  /// Requires: team_size >= 1.
  explicit TeamList(int team_size = 1) : team_size_(team_size) {}
  /// Requires: `flat` holds whole teams, each ascending.
  TeamList(int team_size, std::vector<ModelId> flat)
      : team_size_(team_size), flat_(std::move(flat)) {}

  [[nodiscard]] int team_size() const { return team_size_; }
  [[nodiscard]] std::size_t size() const {
    return flat_.size() / static_cast<std::size_t>(team_size_);
  }
  [[nodiscard]] bool empty() const { return flat_.empty(); }
  [[nodiscard]] TeamView operator[](std::size_t index) const {
    return {flat_.data() + index * static_cast<std::size_t>(team_size_),
            static_cast<std::size_t>(team_size_)};
  }
  /// Requires: team.size() == team_size().
  void push_back(TeamView team) { flat_.insert(flat_.end(), team.begin(), team.end()); }
  void reserve(std::size_t teams) { flat_.reserve(teams * static_cast<std::size_t>(team_size_)); }
  /// All members, team after team.
  [[nodiscard]] std::span<const ModelId> flat() const { return flat_; }

  bool operator==(const TeamList&) const = default;

 private:
  int team_size_;
  std::vector<ModelId> flat_;
};

}  // namespace hqe
