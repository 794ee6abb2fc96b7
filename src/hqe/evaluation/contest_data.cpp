// SPDX-License-Identifier: MIT
#include "hqe/evaluation/contest_data.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace hqe {
namespace {

void fill_group(Contests::Data& data, std::size_t index, std::span<const PatternShape> patterns,
                const RivalWriter& write_rival, std::vector<std::int32_t>& margins) {
  Group& group = data.groups[index];
  const std::size_t first = index * group_size;
  const std::size_t last = std::min(patterns.size(), first + group_size);
  group.single = last == first + group_size &&
                 std::ranges::all_of(patterns.subspan(first, group_size),
                                     [](const PatternShape& each) { return each.weight == 1; });
  const bool is_full = last == first + group_size && patterns[last - 1].rivals == group.rivals;
  if (!is_full) {
    // A rival that a pattern lacks is one that it always beats.
    std::fill_n(data.table.starts.data() + group.row * group_size, group.rivals * group_size,
                largest_sum);
    std::fill_n(data.table.margins.data() + group.row * margins.size() * group_size,
                group.rivals * margins.size() * group_size, 0);
  }
  for (std::size_t pattern = first; pattern < last; ++pattern) {
    const std::size_t place = pattern - first;
    data.weights[pattern] = patterns[pattern].weight;
    for (std::size_t rival = 0; rival < patterns[pattern].rivals; ++rival) {
      data.table.starts[(group.row + rival) * group_size + place] =
          write_rival(pattern, rival, margins);
      for (std::size_t model = 0; model < margins.size(); ++model) {
        const std::size_t row = group.row * margins.size() + model * group.rivals + rival;
        data.table.margins[row * group_size + place] = margins[model];
      }
    }
  }
}

/// Turns margins into 16-bit ones.
class Narrowing {
 public:
  Narrowing(const Contests::Data& data, int team_size) : vote_value_(data.vote_value) {
    std::int32_t largest = 0;
    for (const std::int32_t margin : data.table.margins) {
      largest = std::max(largest, std::abs(margin));
    }
    // Where the vote of one more member decides, the rival has at most half of the team; a vote
    // must outweigh that many correct counts only, which leaves more of the 16 bits to them.
    if (vote_value_ > 0) {
      const std::int32_t models = std::max(1, data.model_count);
      smaller_ = vote_value_ - ((vote_value_ - 1) / models * (team_size / 2) + 1);
      largest -= smaller_;
    }
    const double room = std::numeric_limits<std::int16_t>::max() - team_size;
    exact_ = static_cast<double>(largest) * team_size + 1 <= room;
    // Sums are cut off at the ends of the range. A sum that ends near 0 never gets beyond half of
    // the team's margins; one that does stays on its side of 0 or ends in doubt.
    const double reach = static_cast<double>(largest) * std::max(1, team_size / 2) + 1;
    scale_ = exact_ ? 1 : std::min(1.0, room / reach);
  }

  [[nodiscard]] bool exact() const { return exact_; }
  [[nodiscard]] std::int16_t operator()(std::int32_t margin) const {
    if (vote_value_ > 0 && margin >= vote_value_) margin -= smaller_;
    if (vote_value_ > 0 && margin <= -vote_value_) margin += smaller_;
    return static_cast<std::int16_t>(std::floor(scale_ * margin + 0.5));
  }

 private:
  std::int32_t vote_value_;
  std::int32_t smaller_ = 0;
  bool exact_ = true;
  double scale_ = 1;
};

}  // namespace

void lay_out(Contests::Data& data, std::span<const PatternShape> patterns,
             const RivalWriter& write_rival, int threads) {
  assert(std::ranges::is_sorted(patterns, std::ranges::greater{}, &PatternShape::rivals));
  std::size_t rows = 0;
  for (std::size_t first = 0; first < patterns.size(); first += group_size) {
    data.groups.push_back({.row = rows, .rivals = patterns[first].rivals});
    rows += patterns[first].rivals;
  }
  const auto models = static_cast<std::size_t>(data.model_count);
  data.weights.resize(data.groups.size() * group_size);
  data.table.model_count = models;
  data.table.starts.resize(rows * group_size);
  data.table.margins.resize(rows * models * group_size);
  parallel_for({.threads = threads}, "laying out contests", data.groups.size(), 16,
               [&](std::uint64_t begin, std::uint64_t end, int) {
                 std::vector<std::int32_t> margins(models);
                 for (std::size_t index = begin; index < end; ++index) {
                   fill_group(data, index, patterns, write_rival, margins);
                 }
               });
}

MarginTable<std::int16_t> narrow_margins(const Contests::Data& data, int team_size,
                                         const Run& run) {
  const Narrowing narrowing(data, team_size);
  const bool exact = narrowing.exact() && data.table.doubt < 0;
  MarginTable<std::int16_t> result{.model_count = data.table.model_count,
                                   .doubt = exact ? -1 : rounding_doubt(team_size) + 1};
  result.starts.reserve(data.table.starts.size());
  for (const std::int32_t start : data.table.starts) {
    // The literal vote knows about ties, so a start matters only where nobody asks it.
    result.starts.push_back(start == largest_sum ? std::numeric_limits<std::int16_t>::max()
                            : exact              ? static_cast<std::int16_t>(start)
                                                 : std::int16_t{0});
  }
  result.margins.resize(data.table.margins.size());
  parallel_for(run, "preparing margins", result.margins.size(), 1 << 18,
               [&](std::uint64_t begin, std::uint64_t end, int) {
                 for (std::size_t i = begin; i < end; ++i) {
                   result.margins[i] = narrowing(data.table.margins[i]);
                 }
               });
  return result;
}

}  // namespace hqe
