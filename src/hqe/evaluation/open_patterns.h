// SPDX-License-Identifier: MIT
/// The patterns that the completions of a partial team can still win or lose, packed so that a
/// member is added at memory speed. Private to evaluation/.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hqe/evaluation/contest_data.h"
#include "hqe/evaluation/open_kernel.h"

namespace hqe {

/// How a smallest sum is read: above `sure` the pattern is won, at most `lost` it is lost, between
/// them the literal vote decides.
struct SumLimits {
  std::int32_t sure = 0;
  std::int32_t lost = 0;
};

/// The most and the least that some further members can add to each row.
class Reach {
 public:
  void reset(std::size_t rows);
  /// One more model may be chosen, with these margins.
  void insert(const std::int32_t* margins);
  /// Sets high() and low() for `members` further members. Requires: so many models were inserted.
  void settle(int members);
  [[nodiscard]] const std::int32_t* high() const { return high_.data(); }
  [[nodiscard]] const std::int32_t* low() const { return low_.data(); }

 private:
  [[nodiscard]] Extremes extremes() {
    return {most_.data(), second_most_.data(), least_.data(), second_least_.data()};
  }

  int inserted_ = 0;
  std::vector<std::int32_t> most_, second_most_, least_, second_least_, high_, low_;
};

/// What one more member makes of the open patterns.
struct Outcome {
  std::uint64_t sure = 0;      ///< Samples that are surely right.
  std::uint64_t possible = 0;  ///< Samples that are not surely wrong.
};

class OpenPatterns {
 public:
  /// Every pattern, for the empty team. `order` is the order in which models are chosen.
  void start(const Contests::Data& data, std::span<const ModelId> order, SumLimits limits);

  /// What is left of `parent` after its team has taken the model at `position`, when models after
  /// that position can add `reach`.
  void take(const OpenPatterns& parent, std::size_t position, const Reach& reach);

  [[nodiscard]] std::size_t row_count() const { return sums_.size(); }
  [[nodiscard]] const std::int32_t* margins(std::size_t position) const {
    return margins_.data() + (position - first_) * sums_.size();
  }
  /// Samples right whatever members follow.
  [[nodiscard]] std::uint64_t won() const { return won_; }

  /// The most samples that a team with the model at `position` and then members within `reach` can
  /// be right on.
  [[nodiscard]] std::uint64_t bound(std::size_t position, const Reach& reach) const;
  /// Whether every open pattern has one rival.
  [[nodiscard]] bool has_one_rival() const {
    return segments_.size() == 1 && segments_.front().rivals == 1;
  }
  /// The rows that take() would leave of these. Requires: has_one_rival().
  [[nodiscard]] std::size_t rows_after(std::size_t position, const Reach& reach) const;
  /// The most samples that teams with the model at `position` and each of those after it, their
  /// last member, can be right on. Requires: has_one_rival().
  void finish_all(std::size_t position, const Reach& reach,
                  std::vector<std::uint64_t>& possible) const;
  /// The team with the model at `position` as its last member.
  [[nodiscard]] Outcome finish(std::size_t position) const;

 private:
  /// Patterns with equally many open rivals; row r of pattern i is row + r * count + i.
  struct Segment {
    std::size_t rivals = 0, count = 0, row = 0, pattern = 0;
  };
  /// A pattern that stays open: its open rivals as rows of the parent.
  struct Kept {
    std::uint32_t weight = 0;
    std::uint32_t rivals = 0;
    std::uint32_t begin = 0;  ///< Its rows in `sources_`.
  };

  [[nodiscard]] OneRivalColumns one_rival_columns(std::size_t position, const Reach& reach) const;
  void lay_out_one_rival(const OpenPatterns& parent, std::size_t position, const Reach& reach);
  void keep_of_one_rival(const OpenPatterns& parent, const Segment& segment,
                         const std::int32_t* added, const Reach& reach);
  void keep_of_many_rivals(const OpenPatterns& parent, const Segment& segment,
                           const std::int32_t* added, const Reach& reach);
  void lay_out();
  [[nodiscard]] OpenColumns columns(const Segment& segment, std::size_t position) const;

  SumLimits limits_;
  std::size_t first_ = 0, positions_ = 0;
  std::uint64_t won_ = 0;
  std::vector<Segment> segments_;
  std::vector<std::int32_t> sums_;
  std::vector<std::uint32_t> weights_;
  std::vector<std::int32_t> margins_;  ///< [position - first_][row].
  // Scratch.
  std::vector<Kept> kept_;
  std::vector<std::uint32_t> sources_, rows_;  ///< Where a row comes from.
};

}  // namespace hqe
