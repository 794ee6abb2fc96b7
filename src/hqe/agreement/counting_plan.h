// SPDX-License-Identifier: MIT
/// What a kernel does with every block of bits to count teams that share their first members.
/// Private to agreement/.
///
/// On a sample the first members split in one of the ways of Partitions; whether the team is right
/// then depends only on whether its last member is right, votes like some of them, or alone. So
/// each partition's samples belong to unions: those on which the team is right unless the last
/// member spoils it, those where the last member can save it, and those where joining a member
/// spoils it. The unions change from one last member to the next only where its correct count
/// breaks a tie.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hqe/agreement/partitions.h"
#include "hqe/ensemble/team.h"

namespace hqe {

/// The unions, by number.
struct Unions {
  static constexpr std::size_t safe = 0;   ///< Right where the last member neither helps nor harms.
  static constexpr std::size_t saved = 1;  ///< Not safe, and right where the last member is.
  static constexpr std::size_t spoiled =
      2;  ///< + place: safe, and wrong where it votes like that one.
};

/// A partition enters a union, or leaves it.
struct Toggle {
  std::uint8_t partition = 0;
  std::uint8_t into = 0;
};

/// Votes and correct counts tie: on a partition's samples where the last member votes so, the team
/// is right where all of these vote for classes above the true one.
struct EvenTie {
  static constexpr std::uint8_t right = 0;
  static constexpr std::uint8_t other =
      1;                                   ///< Wrong, with nobody; where there is one rival: wrong.
  static constexpr std::uint8_t like = 2;  ///< + place of the first member it votes like.
  static constexpr Places last = 1U << 15;  ///< The last member itself, among `above`.

  std::uint8_t partition = 0;
  std::uint8_t vote = right;
  Places above = 0;
};

/// A team, by its last member.
struct LastMember {
  std::size_t team = 0;
  std::size_t toggles_end = 0;  ///< Done before it is counted.
  std::size_t ties_end = 0;
};

/// Teams that differ in their last members only.
struct PrefixPlan {
  std::size_t first_team = 0;
  std::size_t base_end = 0;  ///< What enters the empty unions, union by union, among the toggles.
  std::size_t lasts_end = 0;
};

/// The steps for the teams [begin, end) of a list, each kind back to back.
struct CountingPlan {
  /// `correct`: of each model. Requires: partitions.depth() is one less than the teams' size.
  CountingPlan(const Partitions& partitions, bool one_rival, const TeamList& teams,
               std::size_t begin, std::size_t end, std::span<const std::uint64_t> correct);

  std::vector<PrefixPlan> prefixes;
  std::vector<LastMember> lasts;
  std::vector<Toggle> toggles;
  std::vector<EvenTie> ties;
};

}  // namespace hqe
