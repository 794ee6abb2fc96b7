// SPDX-License-Identifier: MIT
/// How contests lie in memory. Private to evaluation/.
///
/// A pattern is a contest that one or more samples share. Sixteen patterns make a group; patterns
/// with more rivals come first, so a group's patterns have about as many rivals each. A team is
/// right on a pattern when the smallest of its rivals' sums (start + margins of the members) is
/// above 0. Where margins are rounded, a smallest sum within a few units of 0 is in doubt, and the
/// literal vote decides.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "hqe/agreement/vote_table.h"
#include "hqe/bits/cache_line.h"
#include "hqe/bits/unset_vector.h"
#include "hqe/evaluation/contests.h"
#include "hqe/votes/vote_values.h"

namespace hqe {

/// Patterns in a group, whatever the SIMD target: one cache line of margins.
inline constexpr std::size_t group_size = 16;

/// Decides, from the definition of the vote, what rounded margins cannot.
class LiteralVote {
 public:
  virtual ~LiteralVote() = default;
  [[nodiscard]] virtual bool is_right(std::size_t pattern, TeamView team) const = 0;
};

/// Where a sum of margins is not by how much the true class is ahead, because it also holds what
/// breaks ties: who knows that.
class LeadSource {
 public:
  virtual ~LeadSource() = default;
  /// Of each pattern, as a share of the team's votes.
  virtual void write_leads(TeamView team, std::span<double> leads) const = 0;
};

struct Group {
  std::size_t row = 0;     ///< Its first row among all groups' rows; a row is a rival a pattern.
  std::size_t rivals = 0;  ///< Rows of this group.
  bool single = false;     ///< Each pattern is one sample's.
};

/// The margins of all groups in one integer type.
template <class T>
struct MarginTable {
  std::size_t model_count = 0;
  UnsetVector<T> starts;   ///< [row][pattern of the group].
  UnsetVector<T> margins;  ///< Of each group: [model][row of the group][pattern].
  /// Every margin is off by at most a half: smallest sums of a team within this of 0 are in doubt.
  /// The literal sums' own rounding is far below the 1 that is added. -1 = none is.
  std::int32_t doubt = -1;

  [[nodiscard]] const T* starts_of(const Group& group) const {
    return starts.data() + group.row * group_size;
  }
  [[nodiscard]] const T* margins_of(const Group& group, std::size_t model) const {
    return margins.data() + (group.row * model_count + model * group.rivals) * group_size;
  }
};

/// Doubt where every margin of a team of this size is rounded.
[[nodiscard]] constexpr std::int32_t rounding_doubt(int team_size) { return team_size / 2 + 1; }

struct Contests::Data {
  int model_count = 0;
  VoteRule rule;
  ContestSummary summary;
  std::shared_ptr<const LiteralVote> literal;
  /// Null where sums of margins are leads: score_scale of them are a whole class score.
  std::shared_ptr<const LeadSource> leads;
  VoteTable votes;  ///< Gives the same leads sooner; without weights only.
  double score_scale = 1;

  std::vector<Group> groups;
  CacheLineVector<std::uint32_t> weights;  ///< Samples of each pattern; 0 fills the last group.
  MarginTable<std::int32_t> table;         ///< Its doubt is for teams of any size.
  /// What a vote is worth beyond its voter's correct count, see vote_values.h; 0 elsewhere.
  std::int32_t vote_value = 0;

  [[nodiscard]] std::size_t pattern_count() const { return summary.patterns; }

  /// The smallest of the team's sums on each pattern.
  [[nodiscard]] CacheLineVector<std::int32_t> smallest_sums(TeamView team) const;
};

/// A pattern before it has a place.
struct PatternShape {
  std::uint32_t rivals = 0;
  std::uint32_t weight = 0;
};

/// Writes the margins of one rival of one pattern, a model each, and returns its start.
using RivalWriter = std::function<std::int32_t(std::size_t pattern, std::size_t rival,
                                               std::span<std::int32_t> margins)>;

/// Fills `data` (model_count is set) with patterns whose rival counts never increase.
/// `write_rival` is called from several threads.
void lay_out(Contests::Data& data, std::span<const PatternShape> patterns,
             const RivalWriter& write_rival, int threads);

/// The margins as 16-bit integers, twice as many a vector, rounded where they must be; good for
/// teams of one size, whose sums must be cut off at the ends of the 16-bit range.
[[nodiscard]] MarginTable<std::int16_t> narrow_margins(const Contests::Data& data, int team_size,
                                                       const Run& run);

}  // namespace hqe
