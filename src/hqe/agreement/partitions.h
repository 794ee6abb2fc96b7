// SPDX-License-Identifier: MIT
/// How the members of a team can split over a sample: who is right, and who of the others vote
/// alike. Private to agreement/.

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

/// What one more member makes of a partition, each where its mask is to be written: where that
/// member is right, where it votes like one of a wrong class, and the rest, where it votes alone,
/// or for the wrong class where there is but one.
struct Split {
  /// It votes like the member at `place`, the first of its class.
  struct Joined {
    std::uint8_t place = 0;
    std::uint8_t slot = 0;
  };
  std::uint8_t right = 0;
  std::vector<Joined> joined;  ///< All that the rest is found by, and those that matter.
  bool has_rest = false;       ///< False: nobody asks for the rest.
  std::uint8_t rest = 0;
};

/// The masks of one member more: those that are open, then those in which the team is right whoever
/// follows, then one for all in which it is wrong.
struct Slots {
  std::size_t open = 0;
  std::size_t sure = 0;  ///< One beyond the last sure one.
  [[nodiscard]] std::size_t count() const { return sure + 1; }
};

/// The partitions of up to `depth` members of a team of depth + 1 that its later members can still
/// decide. There are 1, 2, 5, 15, 52 and 203 partitions of 0 to 5 members, or 2^k of k where only
/// one class can be wrong; a good half of the last are open.
class Partitions {
 public:
  Partitions(int depth, bool one_rival);

  [[nodiscard]] int depth() const { return static_cast<int>(levels_.size()) - 1; }
  [[nodiscard]] const std::vector<Partition>& of(int members) const {
    return levels_[static_cast<std::size_t>(members)];
  }
  [[nodiscard]] const Slots& slots(int members) const {
    return slots_[static_cast<std::size_t>(members)];
  }
  /// Of the partitions of `members` members, one each. Requires: members < depth().
  [[nodiscard]] const std::vector<Split>& splits(int members) const {
    return splits_[static_cast<std::size_t>(members)];
  }
  /// How many partitions of `members` members there are, open or not.
  [[nodiscard]] static std::size_t count(int members, bool one_rival);

 private:
  void add_level(int members, bool one_rival, int left);

  std::vector<std::vector<Partition>> levels_;  ///< The open ones.
  std::vector<Slots> slots_;
  std::vector<std::vector<Split>> splits_;
};

}  // namespace hqe
