// SPDX-License-Identifier: MIT
#include "hqe/evaluation/subset_kernel.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "hqe/bits/target.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hqe/evaluation/subset_kernel.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#ifndef HQE_EVALUATION_SUBSET_KERNEL_ONCE
#define HQE_EVALUATION_SUBSET_KERNEL_ONCE
namespace hqe {

/// The teams that differ in the first three models only are counted together, in registers.
inline constexpr std::size_t low_models = 3;
inline constexpr std::size_t low_teams = std::size_t{1} << low_models;

}  // namespace hqe
#endif

HWY_BEFORE_NAMESPACE();
namespace hqe {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using SubsetLanes = hn::CappedTag<std::int32_t, group_size>;
using SubsetVector = hn::Vec<SubsetLanes>;

/// Bit by lane.
HWY_INLINE std::uint64_t subset_bits(hn::Mask<SubsetLanes> mask) {
  alignas(8) std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(SubsetLanes(), mask, bytes);
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes, sizeof bits);
  return bits;
}

/// What one group needs while its teams are counted.
class SubsetGroup {
 public:
  HWY_INLINE SubsetGroup(const Contests::Data& data, std::size_t index, SubsetCounters& counters)
      : data_(data),
        group_(data.groups[index]),
        first_pattern_(index * group_size),
        stride_(group_.rivals * group_size),
        counters_(counters) {
    const std::size_t models = data.table.model_count;
    if (counters.sums.size() < (low_teams + models) * stride_) {
      counters.sums.resize((low_teams + models) * stride_);
    }
    add_low_models();
  }

  /// Teams in the order of their masks: the sums of `mask` without its lowest model were the last
  /// to be stored at that team's own lowest model.
  HWY_INLINE void count() {
    count_eight(0, data_.table.starts_of(group_), low(0), low(0));
    for (std::size_t mask = low_teams; mask < counters_.right.size(); mask += low_teams) {
      const std::size_t before = mask & (mask - 1);
      const auto model = static_cast<std::size_t>(std::countr_zero(mask));
      count_eight(mask,
                  before == 0 ? data_.table.starts_of(group_)
                              : level(static_cast<std::size_t>(std::countr_zero(before))),
                  data_.table.margins_of(group_, model), level(model));
    }
  }

 private:
  /// The sums of a team of some of the first three models.
  HWY_INLINE std::int32_t* low(std::size_t team) const {
    return counters_.sums.data() + team * stride_;
  }
  HWY_INLINE std::int32_t* level(std::size_t model) const {
    return counters_.sums.data() + (low_teams + model) * stride_;
  }

  HWY_INLINE void add_low_models() {
    std::fill(low(0), low(1), 0);
    for (std::size_t team = 1; team < low_teams; ++team) {
      const auto model = static_cast<std::size_t>(std::countr_zero(team));
      const std::int32_t* before = low(team & (team - 1));
      // A pool may have fewer models; these teams are nobody's.
      const bool exists = model < data_.table.model_count;
      const std::int32_t* margins = exists ? data_.table.margins_of(group_, model) : low(0);
      for (std::size_t i = 0; i < stride_; ++i) low(team)[i] = before[i] + margins[i];
    }
  }

  /// Counts `mask` with each team of the first three models; its own sums, before + margins, are
  /// kept in `kept`, which may be `margins`.
  HWY_INLINE void count_eight(std::size_t mask, const std::int32_t* before,
                              const std::int32_t* margins, std::int32_t* kept) {
    const SubsetLanes d;
    for (std::size_t lane = 0; lane < group_size; lane += hn::Lanes(d)) {
      SubsetVector smallest[low_teams];
      for (std::size_t i = lane; i < stride_; i += group_size) {
        const auto sum = hn::Add(hn::Load(d, before + i), hn::Load(d, margins + i));
        if (mask != 0) hn::Store(sum, d, kept + i);
        for (std::size_t team = 0; team < low_teams; ++team) {
          const auto own = hn::Add(sum, hn::Load(d, low(team) + i));
          smallest[team] = i == lane ? own : hn::Min(smallest[team], own);
        }
      }
      take(mask, lane, smallest);
    }
  }

  HWY_INLINE void take(std::size_t mask, std::size_t lane, const SubsetVector* smallest) {
    const SubsetLanes d;
    const std::int32_t doubt = data_.table.doubt;
    const auto above = hn::Set(d, doubt < 0 ? 0 : doubt);
    const auto below = hn::Set(d, -doubt - 1);
    std::uint32_t* right = counters_.right.data() + mask;
    auto near = hn::Zero(d);
    for (std::size_t team = 0; team < low_teams; ++team) {
      const auto won = hn::Gt(smallest[team], above);
      right[team] +=
          group_.single ? static_cast<std::uint32_t>(hn::CountTrue(d, won)) : weight_of(won, lane);
      const auto maybe = hn::VecFromMask(d, hn::Gt(smallest[team], below));
      near = hn::Or(near, hn::AndNot(hn::VecFromMask(d, won), maybe));
    }
    // Doubts are looked for in all teams at once: mostly there is none.
    if (HWY_LIKELY(doubt < 0 || hn::AllTrue(d, hn::Eq(near, hn::Zero(d))))) return;
    for (std::size_t team = 0; team < low_teams; ++team) {
      const auto won = hn::Gt(smallest[team], above);
      std::uint64_t open = subset_bits(hn::AndNot(won, hn::Gt(smallest[team], below)));
      for (; open != 0; open &= open - 1) {
        const auto place = static_cast<std::size_t>(std::countr_zero(open));
        counters_.doubts.push_back({mask + team, first_pattern_ + lane + place});
      }
    }
  }

  HWY_INLINE std::uint32_t weight_of(hn::Mask<SubsetLanes> won, std::size_t lane) const {
    const hn::RebindToUnsigned<SubsetLanes> du;
    const auto weights = hn::Load(du, data_.weights.data() + first_pattern_ + lane);
    return hn::GetLane(hn::SumOfLanes(du, hn::IfThenElseZero(hn::RebindMask(du, won), weights)));
  }

  const Contests::Data& data_;
  const Group& group_;
  std::size_t first_pattern_, stride_;
  SubsetCounters& counters_;
};

void count_subsets_of(const Contests::Data& data, std::size_t group, SubsetCounters& counters) {
  SubsetGroup(data, group, counters).count();
}

}  // namespace HWY_NAMESPACE
}  // namespace hqe
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hqe {
HWY_EXPORT(count_subsets_of);

SubsetCounters::SubsetCounters(int model_count)
    : right(std::max(low_teams, std::size_t{1} << model_count)) {}

void count_subsets(const Contests::Data& data, std::size_t group, SubsetCounters& counters) {
  HWY_DYNAMIC_DISPATCH(count_subsets_of)(data, group, counters);
}

}  // namespace hqe
#endif  // HWY_ONCE
