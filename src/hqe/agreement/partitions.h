// SPDX-License-Identifier: MIT
/// How the members of a team can split over a sample: who is right, and who of the others vote
/// alike. Private to evaluation/.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hqe {

/// A set of members by their places in the team, as bits.
using Places = std::uint16_t;

/// One way in which members split.
struct Partition {
  Places right = 0;
  std::vector<Places>
      wrong;  ///< Those who vote for one wrong class each, in order of first members.
};

/// What one more member makes of a partition: its children stand side by side, the one in which it
/// is right first, then one a wrong class it may join, then the one in which it votes alone.
struct Split {
  std::size_t first_child = 0;
  std::vector<std::uint8_t> joined;  ///< The first member of each wrong class.
  bool alone = true;                 ///< False where only one class can be wrong, and one is.
};

/// All partitions of up to `depth` members. There are 1, 2, 5, 15, 52 and 203 of 0 to 5 members, or
/// 2^k of k where only one class can be wrong.
class Partitions {
 public:
  Partitions(int depth, bool one_rival);

  [[nodiscard]] int depth() const { return static_cast<int>(levels_.size()) - 1; }
  [[nodiscard]] const std::vector<Partition>& of(int members) const {
    return levels_[static_cast<std::size_t>(members)];
  }
  /// Of the partitions of `members` members, one each. Requires: members < depth().
  [[nodiscard]] const std::vector<Split>& splits(int members) const {
    return splits_[static_cast<std::size_t>(members)];
  }
  /// How many partitions of `members` members there are.
  [[nodiscard]] static std::size_t count(int members, bool one_rival);

 private:
  std::vector<std::vector<Partition>> levels_;
  std::vector<std::vector<Split>> splits_;
};

}  // namespace hqe
