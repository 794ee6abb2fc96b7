// SPDX-License-Identifier: MIT
#include "hqe/evaluation/open_list_kernel.h"

#include <bit>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hqe/evaluation/open_list_kernel.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace hqe {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using OpenLanes = hn::CappedTag<std::int16_t, group_size>;

void add_rows(const std::int16_t* before, const std::int16_t* margins, std::size_t rows,
              std::int16_t* sums) {
  const OpenLanes d;
  for (std::size_t row = 0; row < rows; row += hn::Lanes(d)) {
    hn::Store(hn::SaturatedAdd(hn::Load(d, before + row), hn::Load(d, margins + row)), d,
              sums + row);
  }
}

// Apart from the loop that calls it, which seldom does.
HWY_NOINLINE void note_open_doubts(hn::Vec<OpenLanes> sums, std::int32_t doubt, std::size_t row,
                                   std::size_t team, std::vector<Doubt>& doubts) {
  const OpenLanes d;
  const auto won = hn::Gt(sums, hn::Set(d, static_cast<std::int16_t>(doubt)));
  const auto can_win = hn::Gt(sums, hn::Set(d, static_cast<std::int16_t>(-doubt - 1)));
  alignas(8) std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(d, hn::AndNot(won, can_win), bytes);
  std::uint64_t lanes = 0;
  std::memcpy(&lanes, bytes, sizeof lanes);
  for (; lanes != 0; lanes &= lanes - 1) {
    doubts.push_back({team, row + static_cast<std::size_t>(std::countr_zero(lanes))});
  }
}

// Several last members at once, because they share the loads of `sums`.
template <std::size_t members>
HWY_INLINE void count_rows(const OpenMargins& open, const std::int16_t* sums, const ModelId* last,
                           std::uint64_t* right, std::size_t first_team,
                           std::vector<Doubt>& doubts) {
  const OpenLanes d;
  const hn::RebindToUnsigned<OpenLanes> du;
  const std::int32_t doubt = open.doubt;
  const auto above = hn::Set(d, static_cast<std::int16_t>(doubt < 0 ? 0 : doubt));
  const auto unsure = hn::BitCast(du, above);
  const std::int16_t* margins[members];
  for (std::size_t m = 0; m < members; ++m) margins[m] = open.of(last[m]);
  hn::Vec<OpenLanes> totals[members];  // Minus the rows, lane by lane.
  for (auto& total : totals) total = hn::Zero(d);
  for (std::size_t row = 0; row < open.rows; row += hn::Lanes(d)) {
    const auto before = hn::Load(d, sums + row);
    // As unsigned numbers, so that the size of the lowest sum, which has no opposite, is large.
    auto nearest = hn::Not(hn::Zero(du));
    for (std::size_t m = 0; m < members; ++m) {
      const auto sum = hn::SaturatedAdd(before, hn::Load(d, margins[m] + row));
      totals[m] = hn::Add(totals[m], hn::VecFromMask(d, hn::Gt(sum, above)));
      nearest = hn::Min(nearest, hn::BitCast(du, hn::Abs(sum)));
    }
    if (HWY_LIKELY(doubt < 0 || hn::AllTrue(du, hn::Gt(nearest, unsure)))) continue;
    for (std::size_t m = 0; m < members; ++m) {
      note_open_doubts(hn::SaturatedAdd(before, hn::Load(d, margins[m] + row)), doubt, row,
                       first_team + m, doubts);
    }
  }
  HWY_ALIGN std::int16_t lanes[group_size];
  for (std::size_t m = 0; m < members; ++m) {
    hn::Store(totals[m], d, lanes);
    std::int64_t total = 0;
    for (std::size_t lane = 0; lane < hn::Lanes(d); ++lane) total += lanes[lane];
    right[m] += static_cast<std::uint64_t>(-total);
  }
}

void count_rows_of(const OpenMargins& open, const std::int16_t* sums, std::span<const ModelId> last,
                   std::span<std::uint64_t> right, std::vector<Doubt>& doubts) {
  std::size_t team = 0;
  for (; team + 4 <= last.size(); team += 4) {
    count_rows<4>(open, sums, last.data() + team, right.data() + team, team, doubts);
  }
  for (; team + 2 <= last.size(); team += 2) {
    count_rows<2>(open, sums, last.data() + team, right.data() + team, team, doubts);
  }
  if (team < last.size()) {
    count_rows<1>(open, sums, last.data() + team, right.data() + team, team, doubts);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace hqe
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hqe {
HWY_EXPORT(add_rows);
HWY_EXPORT(count_rows_of);

void add_open_margins(const std::int16_t* before, const std::int16_t* margins, std::size_t rows,
                      std::int16_t* sums) {
  HWY_DYNAMIC_DISPATCH(add_rows)(before, margins, rows, sums);
}

void count_open_rows(const OpenMargins& open, const std::int16_t* sums,
                     std::span<const ModelId> last_members, std::span<std::uint64_t> right,
                     std::vector<Doubt>& doubts) {
  HWY_DYNAMIC_DISPATCH(count_rows_of)(open, sums, last_members, right, doubts);
}

}  // namespace hqe
#endif  // HWY_ONCE
