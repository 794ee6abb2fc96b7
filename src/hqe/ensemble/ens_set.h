// SPDX-License-Identifier: MIT
/// EnsSet(M, S): every team of one size, in team order, never stored unless asked for.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "hqe/ensemble/team.h"

namespace hqe {

/// C(n, k), or nothing when it does not fit 64 bits. 0 when k > n.
[[nodiscard]] std::optional<std::uint64_t> binomial(std::uint64_t n, std::uint64_t k);

/// Every team of one size.
class EnsSet {
 public:
  /// Requires: 1 <= team_size <= model_count.
  EnsSet(int model_count, int team_size);

  [[nodiscard]] int model_count() const { return model_count_; }
  [[nodiscard]] int team_size() const { return team_size_; }
  /// C(M, S), or nothing when it does not fit 64 bits.
  [[nodiscard]] std::optional<std::uint64_t> size() const;

  /// Calls `visit` for each team in team order.
  void for_each(const std::function<void(TeamView)>& visit) const;

  /// All teams in team order. The caller has made sure that they fit in memory.
  [[nodiscard]] TeamList list() const;

 private:
  int model_count_;
  int team_size_;
};

/// Moves `members` to the next team of its size in team order; false after the last.
bool next_team(std::span<ModelId> members, int model_count);

/// The first team of a size: 0..S-1.
[[nodiscard]] std::vector<ModelId> first_team(int team_size);

}  // namespace hqe
