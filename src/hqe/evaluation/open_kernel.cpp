// SPDX-License-Identifier: MIT
#include "hqe/evaluation/open_kernel.h"

#include "hqe/bits/target.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hqe/evaluation/open_kernel.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace hqe {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using OpenSums = hn::CappedTag<std::int32_t, open_padding>;
using OpenWeights = hn::RebindToUnsigned<OpenSums>;

void widen_extremes(const Extremes& extremes, const std::int32_t* margins, bool has_second,
                    std::size_t rows) {
  const OpenSums d;
  for (std::size_t row = 0; row < rows; row += hn::Lanes(d)) {
    const auto margin = hn::LoadU(d, margins + row);
    const auto most = hn::LoadU(d, extremes.most + row);
    const auto least = hn::LoadU(d, extremes.least + row);
    auto second_most = hn::Min(most, margin);
    auto second_least = hn::Max(least, margin);
    if (has_second) {
      second_most = hn::Max(second_most, hn::LoadU(d, extremes.second_most + row));
      second_least = hn::Min(second_least, hn::LoadU(d, extremes.second_least + row));
    }
    hn::StoreU(second_most, d, extremes.second_most + row);
    hn::StoreU(second_least, d, extremes.second_least + row);
    hn::StoreU(hn::Max(most, margin), d, extremes.most + row);
    hn::StoreU(hn::Min(least, margin), d, extremes.least + row);
  }
}

void write_reach_of(const Extremes& extremes, std::int32_t others, std::size_t rows,
                    std::int32_t* high, std::int32_t* low) {
  const OpenSums d;
  const auto times = hn::Set(d, others);
  for (std::size_t row = 0; row < rows; row += hn::Lanes(d)) {
    hn::StoreU(hn::Add(hn::LoadU(d, extremes.most + row),
                       hn::Mul(times, hn::LoadU(d, extremes.second_most + row))),
               d, high + row);
    hn::StoreU(hn::Add(hn::LoadU(d, extremes.least + row),
                       hn::Mul(times, hn::LoadU(d, extremes.second_least + row))),
               d, low + row);
  }
}

template <bool with_more>
HWY_INLINE Above count_columns(const OpenColumns& columns, std::int32_t first_limit,
                               std::int32_t second_limit) {
  const OpenSums d;
  const OpenWeights du;
  const auto first = hn::Set(d, first_limit);
  const auto second = hn::Set(d, second_limit);
  // A lane holds at most the samples of a pool, which fit.
  auto first_total = hn::Zero(du);
  auto second_total = hn::Zero(du);
  for (std::size_t i = 0; i < columns.count; i += hn::Lanes(d)) {
    auto least = hn::Set(d, std::int32_t{0x7fffffff});
    for (std::size_t rival = 0; rival < columns.rivals; ++rival) {
      const std::size_t row = rival * columns.count + i;
      auto sum = hn::Add(hn::LoadU(d, columns.sums + row), hn::LoadU(d, columns.added + row));
      if (with_more) sum = hn::Add(sum, hn::LoadU(d, columns.more + row));
      least = hn::Min(least, sum);
    }
    const auto weight = hn::LoadU(du, columns.weights + i);
    const auto of = [&](hn::Mask<OpenSums> mask) HWY_ATTR {
      return hn::And(weight, hn::BitCast(du, hn::VecFromMask(d, mask)));
    };
    first_total = hn::Add(first_total, of(hn::Gt(least, first)));
    second_total = hn::Add(second_total, of(hn::Gt(least, second)));
  }
  HWY_ALIGN std::uint32_t lanes[open_padding];
  const auto sum_of = [&](hn::Vec<OpenWeights> totals) HWY_ATTR {
    hn::Store(totals, du, lanes);
    std::uint64_t sum = 0;
    for (std::size_t lane = 0; lane < hn::Lanes(du); ++lane) sum += lanes[lane];
    return sum;
  };
  return {sum_of(first_total), sum_of(second_total)};
}

Above count_above_limits(const OpenColumns& columns, std::int32_t first_limit,
                         std::int32_t second_limit) {
  return columns.more == nullptr ? count_columns<false>(columns, first_limit, second_limit)
                                 : count_columns<true>(columns, first_limit, second_limit);
}

StillOpen find_open_places(const OneRivalColumns& columns, std::int32_t lost, std::int32_t sure,
                           std::uint32_t* places) {
  const OpenSums d;
  const OpenWeights du;
  const auto lost_limit = hn::Set(d, lost);
  const auto sure_limit = hn::Set(d, sure);
  auto won = hn::Zero(du);
  StillOpen result;
  for (std::size_t i = 0; i < columns.count; i += hn::Lanes(d)) {
    const auto sum = hn::Add(hn::LoadU(d, columns.sums + i), hn::LoadU(d, columns.added + i));
    const auto weight = hn::LoadU(du, columns.weights + i);
    const auto can_win = hn::Gt(hn::Add(sum, hn::LoadU(d, columns.high + i)), lost_limit);
    const auto is_beaten = hn::Gt(hn::Add(sum, hn::LoadU(d, columns.low + i)), sure_limit);
    const auto is_won = hn::And(can_win, is_beaten);
    won = hn::Add(won, hn::And(weight, hn::BitCast(du, hn::VecFromMask(d, is_won))));
    const auto counts = hn::RebindMask(d, hn::Ne(weight, hn::Zero(du)));
    const auto open = hn::And(hn::AndNot(is_beaten, can_win), counts);
    result.count += hn::CompressStore(hn::Iota(du, static_cast<std::uint32_t>(i)),
                                      hn::RebindMask(du, open), du, places + result.count);
  }
  HWY_ALIGN std::uint32_t lanes[open_padding];
  hn::Store(won, du, lanes);
  for (std::size_t lane = 0; lane < hn::Lanes(du); ++lane) result.won += lanes[lane];
  return result;
}

std::size_t count_open_places(const OneRivalColumns& columns, std::int32_t lost,
                              std::int32_t sure) {
  const OpenSums d;
  const OpenWeights du;
  const auto lost_limit = hn::Set(d, lost);
  const auto sure_limit = hn::Set(d, sure);
  auto minus_open = hn::Zero(d);
  for (std::size_t i = 0; i < columns.count; i += hn::Lanes(d)) {
    const auto sum = hn::Add(hn::LoadU(d, columns.sums + i), hn::LoadU(d, columns.added + i));
    const auto can_win = hn::Gt(hn::Add(sum, hn::LoadU(d, columns.high + i)), lost_limit);
    const auto is_beaten = hn::Gt(hn::Add(sum, hn::LoadU(d, columns.low + i)), sure_limit);
    const auto weight = hn::LoadU(du, columns.weights + i);
    const auto counts = hn::RebindMask(d, hn::Ne(weight, hn::Zero(du)));
    const auto open = hn::And(hn::AndNot(is_beaten, can_win), counts);
    minus_open = hn::Add(minus_open, hn::VecFromMask(d, open));
  }
  HWY_ALIGN std::int32_t lanes[open_padding];
  hn::Store(minus_open, d, lanes);
  std::int64_t total = 0;
  for (std::size_t lane = 0; lane < hn::Lanes(d); ++lane) total -= lanes[lane];
  return static_cast<std::size_t>(total);
}

// Several last members at once, because they share the sums.
template <std::size_t members>
HWY_INLINE void count_last_members(const OneRivalColumns& columns, const std::int32_t* const* last,
                                   std::int32_t lost, std::uint64_t* not_lost) {
  const OpenSums d;
  const OpenWeights du;
  const auto limit = hn::Set(d, lost);
  hn::Vec<OpenWeights> totals[members];  // A lane holds at most the samples of a pool.
  for (auto& total : totals) total = hn::Zero(du);
  for (std::size_t i = 0; i < columns.count; i += hn::Lanes(d)) {
    const auto sum = hn::Add(hn::LoadU(d, columns.sums + i), hn::LoadU(d, columns.added + i));
    const auto weight = hn::LoadU(du, columns.weights + i);
    for (std::size_t m = 0; m < members; ++m) {
      const auto above = hn::Gt(hn::Add(sum, hn::LoadU(d, last[m] + i)), limit);
      totals[m] = hn::Add(totals[m], hn::And(weight, hn::BitCast(du, hn::VecFromMask(d, above))));
    }
  }
  HWY_ALIGN std::uint32_t lanes[open_padding];
  for (std::size_t m = 0; m < members; ++m) {
    hn::Store(totals[m], du, lanes);
    not_lost[m] = 0;
    for (std::size_t lane = 0; lane < hn::Lanes(du); ++lane) not_lost[m] += lanes[lane];
  }
}

void count_each_not_lost(const OneRivalColumns& columns, std::span<const std::int32_t* const> last,
                         std::int32_t lost, std::span<std::uint64_t> not_lost) {
  std::size_t m = 0;
  for (; m + 4 <= last.size(); m += 4) {
    count_last_members<4>(columns, last.data() + m, lost, not_lost.data() + m);
  }
  for (; m < last.size(); ++m) {
    count_last_members<1>(columns, last.data() + m, lost, not_lost.data() + m);
  }
}

void gather_rows(const std::int32_t* from, const std::uint32_t* places, std::size_t count,
                 std::int32_t* to) {
  const OpenSums d;
  for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
    const auto at = hn::BitCast(d, hn::LoadU(OpenWeights(), places + i));
    hn::StoreU(hn::GatherIndex(d, from, at), d, to + i);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace hqe
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hqe {
HWY_EXPORT(widen_extremes);
HWY_EXPORT(write_reach_of);
HWY_EXPORT(count_above_limits);
HWY_EXPORT(find_open_places);
HWY_EXPORT(count_open_places);
HWY_EXPORT(count_each_not_lost);
HWY_EXPORT(gather_rows);

void widen(const Extremes& extremes, const std::int32_t* margins, bool has_second,
           std::size_t rows) {
  HWY_DYNAMIC_DISPATCH(widen_extremes)(extremes, margins, has_second, rows);
}

void write_reach(const Extremes& extremes, std::int32_t others, std::size_t rows,
                 std::int32_t* high, std::int32_t* low) {
  HWY_DYNAMIC_DISPATCH(write_reach_of)(extremes, others, rows, high, low);
}

Above count_above(const OpenColumns& columns, std::int32_t first_limit, std::int32_t second_limit) {
  return HWY_DYNAMIC_DISPATCH(count_above_limits)(columns, first_limit, second_limit);
}

StillOpen find_open(const OneRivalColumns& columns, std::int32_t lost, std::int32_t sure,
                    std::uint32_t* places) {
  return HWY_DYNAMIC_DISPATCH(find_open_places)(columns, lost, sure, places);
}

std::size_t count_open(const OneRivalColumns& columns, std::int32_t lost, std::int32_t sure) {
  return HWY_DYNAMIC_DISPATCH(count_open_places)(columns, lost, sure);
}

void count_not_lost(const OneRivalColumns& columns, std::span<const std::int32_t* const> last,
                    std::int32_t lost, std::span<std::uint64_t> not_lost) {
  HWY_DYNAMIC_DISPATCH(count_each_not_lost)(columns, last, lost, not_lost);
}

void gather(const std::int32_t* from, const std::uint32_t* places, std::size_t count,
            std::int32_t* to) {
  HWY_DYNAMIC_DISPATCH(gather_rows)(from, places, count, to);
}

}  // namespace hqe
#endif  // HWY_ONCE
