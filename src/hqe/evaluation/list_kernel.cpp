// SPDX-License-Identifier: MIT
#include "hqe/evaluation/list_kernel.h"

#include <bit>
#include <cstring>
#include <limits>

#include "hqe/bits/target.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hqe/evaluation/list_kernel.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace hqe {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
template <class T>
using Lanes = hn::CappedTag<T, group_size>;

// 16-bit sums are cut off at the ends of their range, see narrow_margins(); the others stay within.
HWY_INLINE hn::Vec<Lanes<std::int16_t>> plus(hn::Vec<Lanes<std::int16_t>> a,
                                             hn::Vec<Lanes<std::int16_t>> b) {
  return hn::SaturatedAdd(a, b);
}
HWY_INLINE hn::Vec<Lanes<std::int32_t>> plus(hn::Vec<Lanes<std::int32_t>> a,
                                             hn::Vec<Lanes<std::int32_t>> b) {
  return hn::Add(a, b);
}

template <class T>
HWY_INLINE void add_member_to(const Contests::Data& data, const MarginTable<T>& table,
                              GroupRange range, std::size_t model, const T* before, T* sums) {
  const Lanes<T> d;
  std::size_t i = 0;
  for (std::size_t index = range.first; index < range.last; ++index) {
    const Group& group = data.groups[index];
    const T* margins = table.margins_of(group, model);
    for (std::size_t j = 0; j < group.rivals * group_size; j += hn::Lanes(d), i += hn::Lanes(d)) {
      hn::Store(plus(hn::Load(d, before + i), hn::Load(d, margins + j)), d, sums + i);
    }
  }
}

/// Bit by lane.
template <class D>
HWY_INLINE std::uint64_t bits_of(D d, hn::Mask<D> mask) {
  static_assert(group_size <= 64);
  alignas(8) std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(d, mask, bytes);
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes, sizeof bits);
  return bits;
}

// Apart from the loop that calls it: few groups hold patterns of several samples.
HWY_NOINLINE std::uint64_t weigh_right(const Contests::Data& data, std::uint64_t lanes,
                                       std::size_t pattern) {
  std::uint64_t samples = 0;
  for (; lanes != 0; lanes &= lanes - 1) {
    samples += data.weights[pattern + static_cast<std::size_t>(std::countr_zero(lanes))];
  }
  return samples;
}

// Doubts are rare.
HWY_NOINLINE void note_doubts(std::uint64_t lanes, std::size_t pattern, std::size_t team,
                              std::vector<Doubt>& doubts) {
  for (; lanes != 0; lanes &= lanes - 1) {
    doubts.push_back({team, pattern + static_cast<std::size_t>(std::countr_zero(lanes))});
  }
}

template <class T>
HWY_INLINE std::uint64_t minus_sum_of_lanes(hn::Vec<Lanes<T>> totals) {
  const Lanes<T> d;
  HWY_ALIGN T lanes[group_size];
  hn::Store(totals, d, lanes);
  std::int64_t total = 0;
  for (std::size_t lane = 0; lane < hn::Lanes(d); ++lane) total += lanes[lane];
  return static_cast<std::uint64_t>(-total);
}

// Several last members at once, because they share the loads of `sums`.
template <std::size_t members, class T>
HWY_INLINE void count_members(const Contests::Data& data, const MarginTable<T>& table,
                              GroupRange range, const T* sums, const ModelId* last,
                              std::uint64_t* right, std::size_t first_team,
                              std::vector<Doubt>& doubts) {
  const Lanes<T> d;
  const std::int32_t doubt = table.doubt;
  const auto above = hn::Set(d, static_cast<T>(doubt < 0 ? 0 : doubt));
  const auto below = hn::Set(d, static_cast<T>(-doubt - 1));
  hn::Vec<Lanes<T>> totals[members];  // Minus the groups of single samples, lane by lane.
  for (auto& total : totals) total = hn::Zero(d);
  for (std::size_t index = range.first; index < range.last; ++index) {
    const Group& group = data.groups[index];
    const T* margins[members];
    for (std::size_t m = 0; m < members; ++m) margins[m] = table.margins_of(group, last[m]);
    for (std::size_t lane = 0; lane < group_size; lane += hn::Lanes(d)) {
      hn::Vec<Lanes<T>> smallest[members];
      const auto first = hn::Load(d, sums + lane);
      for (std::size_t m = 0; m < members; ++m) {
        smallest[m] = plus(first, hn::Load(d, margins[m] + lane));
      }
      for (std::size_t i = lane + group_size; i < group.rivals * group_size; i += group_size) {
        const auto sum = hn::Load(d, sums + i);
        for (std::size_t m = 0; m < members; ++m) {
          smallest[m] = hn::Min(smallest[m], plus(sum, hn::Load(d, margins[m] + i)));
        }
      }
      // Doubts are looked for in all members at once: mostly there is none.
      auto near = hn::Zero(d);
      for (std::size_t m = 0; m < members; ++m) {
        const auto won = hn::VecFromMask(d, hn::Gt(smallest[m], above));
        if (group.single) totals[m] = hn::Add(totals[m], won);
        near = hn::Or(near, hn::AndNot(won, hn::VecFromMask(d, hn::Gt(smallest[m], below))));
      }
      const bool doubtful = doubt >= 0 && !hn::AllTrue(d, hn::Eq(near, hn::Zero(d)));
      if (HWY_LIKELY(group.single && !doubtful)) continue;
      const std::size_t pattern = index * group_size + lane;
      for (std::size_t m = 0; m < members; ++m) {
        const auto won = hn::Gt(smallest[m], above);
        if (!group.single) right[m] += weigh_right(data, bits_of(d, won), pattern);
        if (!doubtful) continue;
        const auto open = hn::AndNot(won, hn::Gt(smallest[m], below));
        note_doubts(bits_of(d, open), pattern, first_team + m, doubts);
      }
    }
    sums += group.rivals * group_size;
  }
  for (std::size_t m = 0; m < members; ++m) right[m] += minus_sum_of_lanes<T>(totals[m]);
}

// The same where every pattern has one rival, as in pools of two classes: nothing is looked for
// among rivals, margins lie at equal distances, and sums near 0 are found by their size.
template <std::size_t members, class T>
HWY_INLINE void count_members_of_one_rival(const Contests::Data& data, const MarginTable<T>& table,
                                           GroupRange range, const T* sums, const ModelId* last,
                                           std::uint64_t* right, std::size_t first_team,
                                           std::vector<Doubt>& doubts) {
  const Lanes<T> d;
  const hn::RebindToUnsigned<Lanes<T>> du;
  const std::int32_t doubt = table.doubt;
  const auto above = hn::Set(d, static_cast<T>(doubt < 0 ? 0 : doubt));
  const auto below = hn::Set(d, static_cast<T>(-doubt - 1));
  const auto unsure = hn::BitCast(du, above);
  const std::size_t step = table.model_count * group_size;
  const T* margins[members];
  for (std::size_t m = 0; m < members; ++m) {
    margins[m] = table.margins_of(data.groups[range.first], last[m]);
  }
  hn::Vec<Lanes<T>> totals[members];
  for (auto& total : totals) total = hn::Zero(d);
  for (std::size_t index = range.first; index < range.last; ++index) {
    const bool single = data.groups[index].single;
    for (std::size_t lane = 0; lane < group_size; lane += hn::Lanes(d)) {
      hn::Vec<Lanes<T>> sum[members];
      const auto before = hn::Load(d, sums + lane);
      // As unsigned numbers, so that the size of the lowest sum, which has no opposite, is large.
      auto nearest = hn::Not(hn::Zero(du));
      for (std::size_t m = 0; m < members; ++m) {
        sum[m] = plus(before, hn::Load(d, margins[m] + lane));
        nearest = hn::Min(nearest, hn::BitCast(du, hn::Abs(sum[m])));
      }
      if (HWY_LIKELY(single)) {
        for (std::size_t m = 0; m < members; ++m) {
          totals[m] = hn::Add(totals[m], hn::VecFromMask(d, hn::Gt(sum[m], above)));
        }
      }
      const bool doubtful = doubt >= 0 && !hn::AllTrue(du, hn::Gt(nearest, unsure));
      if (HWY_LIKELY(single && !doubtful)) continue;
      const std::size_t pattern = index * group_size + lane;
      for (std::size_t m = 0; m < members; ++m) {
        const auto won = hn::Gt(sum[m], above);
        if (!single) right[m] += weigh_right(data, bits_of(d, won), pattern);
        if (!doubtful) continue;
        note_doubts(bits_of(d, hn::AndNot(won, hn::Gt(sum[m], below))), pattern, first_team + m,
                    doubts);
      }
    }
    sums += group_size;
    for (std::size_t m = 0; m < members; ++m) margins[m] += step;
  }
  for (std::size_t m = 0; m < members; ++m) right[m] += minus_sum_of_lanes<T>(totals[m]);
}

template <std::size_t members, class T>
HWY_INLINE void count_some(const Contests::Data& data, const MarginTable<T>& table,
                           GroupRange range, const T* sums, const ModelId* last,
                           std::uint64_t* right, std::size_t first_team,
                           std::vector<Doubt>& doubts) {
  // Groups with more rivals come first.
  if (data.groups[range.first].rivals == 1) {
    count_members_of_one_rival<members>(data, table, range, sums, last, right, first_team, doubts);
  } else {
    count_members<members>(data, table, range, sums, last, right, first_team, doubts);
  }
}

template <class T>
HWY_INLINE void count_right_of(const Contests::Data& data, const MarginTable<T>& table,
                               GroupRange range, const T* sums, std::span<const ModelId> last,
                               std::span<std::uint64_t> right, std::vector<Doubt>& doubts) {
  std::size_t team = 0;
  for (; team + 4 <= last.size(); team += 4) {
    count_some<4>(data, table, range, sums, last.data() + team, right.data() + team, team, doubts);
  }
  for (; team < last.size(); ++team) {
    count_some<1>(data, table, range, sums, last.data() + team, right.data() + team, team, doubts);
  }
}

void add_member_16(const Contests::Data& data, const MarginTable<std::int16_t>& table,
                   GroupRange range, std::size_t model, const std::int16_t* before,
                   std::int16_t* sums) {
  add_member_to(data, table, range, model, before, sums);
}

void add_member_32(const Contests::Data& data, const MarginTable<std::int32_t>& table,
                   GroupRange range, std::size_t model, const std::int32_t* before,
                   std::int32_t* sums) {
  add_member_to(data, table, range, model, before, sums);
}

void count_right_16(const Contests::Data& data, const MarginTable<std::int16_t>& table,
                    GroupRange range, const std::int16_t* sums, std::span<const ModelId> last,
                    std::span<std::uint64_t> right, std::vector<Doubt>& doubts) {
  count_right_of(data, table, range, sums, last, right, doubts);
}

void count_right_32(const Contests::Data& data, const MarginTable<std::int32_t>& table,
                    GroupRange range, const std::int32_t* sums, std::span<const ModelId> last,
                    std::span<std::uint64_t> right, std::vector<Doubt>& doubts) {
  count_right_of(data, table, range, sums, last, right, doubts);
}

// Calls take(least, pattern) with a vector of smallest sums and its first pattern. Sums stay in
// registers: a team is asked for once, and nobody shares them.
template <class Take>
HWY_INLINE void visit_smallest_sums(const Contests::Data& data, GroupRange range, TeamView team,
                                    const Take& take) {
  const Lanes<std::int32_t> d;
  const MarginTable<std::int32_t>& table = data.table;
  std::vector<const std::int32_t*> margins(team.size());
  for (std::size_t index = range.first; index < range.last; ++index) {
    const Group& group = data.groups[index];
    const std::int32_t* starts = table.starts_of(group);
    for (std::size_t m = 0; m < team.size(); ++m) margins[m] = table.margins_of(group, team[m]);
    const std::size_t stride = group.rivals * group_size;
    for (std::size_t lane = 0; lane < group_size; lane += hn::Lanes(d)) {
      auto least = hn::Set(d, std::numeric_limits<std::int32_t>::max());
      for (std::size_t i = lane; i < stride; i += group_size) {
        auto sum = hn::Load(d, starts + i);
        for (const std::int32_t* member : margins) sum = hn::Add(sum, hn::Load(d, member + i));
        least = hn::Min(least, sum);
      }
      take(least, index * group_size + lane);
    }
  }
}

void find_smallest_sums_32(const Contests::Data& data, TeamView team,
                           std::span<std::int32_t> smallest) {
  const auto take = [&](hn::Vec<Lanes<std::int32_t>> least, std::size_t pattern) HWY_ATTR {
    hn::Store(least, Lanes<std::int32_t>(), smallest.data() + pattern);
  };
  visit_smallest_sums(data, {0, data.groups.size()}, team, take);
}

void find_right_32(const Contests::Data& data, GroupRange range, TeamView team,
                   std::span<std::uint64_t> right, std::vector<Doubt>& doubts) {
  const Lanes<std::int32_t> d;
  const std::int32_t doubt = data.table.doubt;
  const auto above = hn::Set(d, doubt < 0 ? 0 : doubt);
  const auto below = hn::Set(d, -doubt - 1);
  const auto take = [&](hn::Vec<Lanes<std::int32_t>> least, std::size_t pattern) HWY_ATTR {
    const auto won = hn::Gt(least, above);
    right[pattern / 64] |= bits_of(d, won) << (pattern % 64);
    const auto open = hn::AndNot(won, hn::Gt(least, below));
    if (doubt >= 0 && !hn::AllFalse(d, open)) note_doubts(bits_of(d, open), pattern, 0, doubts);
  };
  visit_smallest_sums(data, range, team, take);
}

}  // namespace HWY_NAMESPACE
}  // namespace hqe
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hqe {
HWY_EXPORT(add_member_16);
HWY_EXPORT(add_member_32);
HWY_EXPORT(count_right_16);
HWY_EXPORT(count_right_32);
HWY_EXPORT(find_smallest_sums_32);
HWY_EXPORT(find_right_32);

void add_member(const Contests::Data& data, const MarginTable<std::int16_t>& table,
                GroupRange range, std::size_t model, const std::int16_t* before,
                std::int16_t* sums) {
  HWY_DYNAMIC_DISPATCH(add_member_16)(data, table, range, model, before, sums);
}

void add_member(const Contests::Data& data, const MarginTable<std::int32_t>& table,
                GroupRange range, std::size_t model, const std::int32_t* before,
                std::int32_t* sums) {
  HWY_DYNAMIC_DISPATCH(add_member_32)(data, table, range, model, before, sums);
}

void count_right(const Contests::Data& data, const MarginTable<std::int16_t>& table,
                 GroupRange range, const std::int16_t* sums, std::span<const ModelId> last_members,
                 std::span<std::uint64_t> right, std::vector<Doubt>& doubts) {
  HWY_DYNAMIC_DISPATCH(count_right_16)(data, table, range, sums, last_members, right, doubts);
}

void count_right(const Contests::Data& data, const MarginTable<std::int32_t>& table,
                 GroupRange range, const std::int32_t* sums, std::span<const ModelId> last_members,
                 std::span<std::uint64_t> right, std::vector<Doubt>& doubts) {
  HWY_DYNAMIC_DISPATCH(count_right_32)(data, table, range, sums, last_members, right, doubts);
}

void find_right(const Contests::Data& data, GroupRange range, TeamView team,
                std::span<std::uint64_t> right, std::vector<Doubt>& doubts) {
  HWY_DYNAMIC_DISPATCH(find_right_32)(data, range, team, right, doubts);
}

void find_smallest_sums(const Contests::Data& data, TeamView team,
                        std::span<std::int32_t> smallest) {
  HWY_DYNAMIC_DISPATCH(find_smallest_sums_32)(data, team, smallest);
}

}  // namespace hqe
#endif  // HWY_ONCE
