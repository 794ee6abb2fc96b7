// SPDX-License-Identifier: MIT
#include "hqe/evaluation/contest_data.h"

#include <algorithm>
#include <cassert>

namespace hqe {
namespace {

void fill_group(Contests::Data& data, std::size_t index, std::span<const PatternShape> patterns,
                const RivalWriter& write_rival, std::vector<std::int32_t>& margins) {
  const Group& group = data.groups[index];
  const std::size_t first = index * group_size;
  const std::size_t last = std::min(patterns.size(), first + group_size);
  for (std::size_t pattern = first; pattern < last; ++pattern) {
    const std::size_t place = pattern - first;
    data.weights[pattern] = patterns[pattern].weight;
    for (std::size_t rival = 0; rival < patterns[pattern].rivals; ++rival) {
      data.starts[(group.row + rival) * group_size + place] = write_rival(pattern, rival, margins);
      for (std::size_t model = 0; model < margins.size(); ++model) {
        const std::size_t row = group.row * margins.size() + model * group.rivals + rival;
        data.margins[row * group_size + place] = margins[model];
      }
    }
  }
}

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
  // A rival that a pattern lacks is one that it always beats.
  data.starts.resize(rows * group_size, largest_sum);
  data.margins.resize(rows * models * group_size);
  parallel_for({.threads = threads}, "laying out contests", data.groups.size(), 16,
               [&](std::uint64_t begin, std::uint64_t end, int) {
                 std::vector<std::int32_t> margins(models);
                 for (std::size_t index = begin; index < end; ++index) {
                   fill_group(data, index, patterns, write_rival, margins);
                 }
               });
}

}  // namespace hqe
