// SPDX-License-Identifier: MIT
#include "hqe/evaluation/subset_kernel.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

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

/// What some consecutive groups need while their teams are counted. `is_single`: each pattern is
/// one sample's.
template <bool is_single>
class SubsetGroups {
 public:
  HWY_INLINE SubsetGroups(const Contests::Data& data, std::size_t first, std::size_t last,
                          SubsetCounters& counters)
      : data_(data),
        first_(first),
        last_(last),
        first_row_(data.groups[first].row),
        stride_((data.groups[last - 1].row + data.groups[last - 1].rivals - first_row_) *
                group_size),
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
    count_eight(0, starts(), nobody, level(0));
    for (std::size_t mask = low_teams; mask < counters_.right.size(); mask += low_teams) {
      const std::size_t before = mask & (mask - 1);
      const auto model = static_cast<std::size_t>(std::countr_zero(mask));
      count_eight(
          mask, before == 0 ? starts() : level(static_cast<std::size_t>(std::countr_zero(before))),
          model, level(model));
    }
  }

 private:
  static constexpr std::size_t nobody = ~std::size_t{0};

  HWY_INLINE const std::int32_t* starts() const {
    return data_.table.starts_of(data_.groups[first_]);
  }
  /// [row][team of some of the first three models][pattern]: the sums of those, in the order in
  /// which they are added to the sums of other models.
  HWY_INLINE std::int32_t* low(std::size_t row, std::size_t team) const {
    return counters_.sums.data() + (row * low_teams + team) * group_size;
  }
  HWY_INLINE std::int32_t* level(std::size_t model) const {
    return counters_.sums.data() + (low_teams + model) * stride_;
  }
  /// Where a group's rows begin among those of all.
  HWY_INLINE std::size_t offset(const Group& group) const { return group.row - first_row_; }

  HWY_INLINE void add_low_models() {
    for (std::size_t index = first_; index < last_; ++index) {
      const Group& group = data_.groups[index];
      for (std::size_t rival = 0; rival < group.rivals; ++rival) {
        const std::size_t row = offset(group) + rival;
        std::fill_n(low(row, 0), group_size, 0);
        for (std::size_t team = 1; team < low_teams; ++team) {
          const auto model = static_cast<std::size_t>(std::countr_zero(team));
          // A pool may have fewer models; these teams are nobody's.
          const bool exists = model < data_.table.model_count;
          const std::int32_t* margins =
              exists ? data_.table.margins_of(group, model) + rival * group_size : low(row, 0);
          const std::int32_t* before = low(row, team & (team - 1));
          for (std::size_t i = 0; i < group_size; ++i) low(row, team)[i] = before[i] + margins[i];
        }
      }
    }
  }

  /// The sums of one group, from a lane on; rows lie group_size apart.
  struct Sums {
    std::size_t rivals;
    const std::int32_t* before;
    const std::int32_t* margins;
    std::int32_t* kept;
    const std::int32_t* lows;
  };
  /// What is known of eight teams, several groups together.
  struct Eight {
    SubsetVector right[low_teams];  // Minus the samples, lane by lane.
    SubsetVector nearest;           // To 0, of all sums.
  };

  /// Counts `mask` with each team of the first three models; its own sums, before and the margins
  /// of `model`, are kept in `kept`. Nobody adds nothing, and nothing is kept.
  HWY_INLINE void count_eight(std::size_t mask, const std::int32_t* before, std::size_t model,
                              std::int32_t* kept) {
    const SubsetLanes d;
    Eight eight;
    for (auto& right : eight.right) right = hn::Zero(d);
    eight.nearest = hn::Set(d, std::numeric_limits<std::int32_t>::max());
    for (std::size_t index = first_; index < last_; ++index) {
      const Group& group = data_.groups[index];
      const std::size_t at = offset(group) * group_size;
      const std::int32_t* margins = data_.table.margins_of(group, model == nobody ? 0 : model);
      for (std::size_t lane = 0; lane < group_size; lane += hn::Lanes(d)) {
        const Sums sums{group.rivals, before + at + lane, margins + lane, kept + at + lane,
                        low(offset(group), 0) + lane};
        // Four teams at a time, so that all of them stay in registers.
        const std::size_t pattern = index * group_size + lane;
        if (model == nobody) {
          take_four<0, false>(mask, pattern, sums, eight);
          take_four<4, false>(mask, pattern, sums, eight);
        } else {
          take_four<0, true>(mask, pattern, sums, eight);
          take_four<4, true>(mask, pattern, sums, eight);
        }
      }
    }
    if constexpr (is_single) {
      for (std::size_t team = 0; team < low_teams; ++team) {
        counters_.right[mask + team] -=
            static_cast<std::uint32_t>(hn::GetLane(hn::SumOfLanes(d, eight.right[team])));
      }
    }
    // Doubts are looked for in all teams at once: mostly there is none.
    const std::int32_t doubt = data_.table.doubt;
    if (HWY_LIKELY(doubt < 0 || hn::AllTrue(d, hn::Gt(eight.nearest, hn::Set(d, doubt))))) return;
    note_doubts(mask, model == nobody ? before : kept);
  }

  template <std::size_t first, bool has_model>
  HWY_INLINE void take_four(std::size_t mask, std::size_t pattern, const Sums& sums, Eight& eight) {
    const SubsetLanes d;
    SubsetVector smallest[4];
    for (auto& least : smallest) least = hn::Set(d, std::numeric_limits<std::int32_t>::max());
    for (std::size_t rival = 0; rival < sums.rivals; ++rival) {
      auto sum = hn::Load(d, sums.before + rival * group_size);
      if constexpr (has_model) {
        sum = hn::Add(sum, hn::Load(d, sums.margins + rival * group_size));
        if (first == 0) hn::Store(sum, d, sums.kept + rival * group_size);
      }
      const std::int32_t* lows = sums.lows + (rival * low_teams + first) * group_size;
      for (std::size_t t = 0; t < 4; ++t) {
        smallest[t] = hn::Min(smallest[t], hn::Add(sum, hn::Load(d, lows + t * group_size)));
      }
    }
    const auto above = hn::Set(d, data_.table.doubt < 0 ? 0 : data_.table.doubt);
    for (std::size_t t = 0; t < 4; ++t) {
      const auto won = hn::Gt(smallest[t], above);
      if constexpr (is_single) {
        eight.right[first + t] = hn::Add(eight.right[first + t], hn::VecFromMask(d, won));
      } else {
        counters_.right[mask + first + t] += weight_of(won, pattern);
      }
      eight.nearest = hn::Min(eight.nearest, hn::Abs(smallest[t]));
    }
  }

  HWY_INLINE std::uint32_t weight_of(hn::Mask<SubsetLanes> won, std::size_t pattern) const {
    const hn::RebindToUnsigned<SubsetLanes> du;
    const auto weights = hn::Load(du, data_.weights.data() + pattern);
    return hn::GetLane(hn::SumOfLanes(du, hn::IfThenElseZero(hn::RebindMask(du, won), weights)));
  }

  /// `sums`: those of `mask`.
  HWY_NOINLINE void note_doubts(std::size_t mask, const std::int32_t* sums) {
    const SubsetLanes d;
    const auto sure = hn::Set(d, data_.table.doubt + 1);
    for (std::size_t index = first_; index < last_; ++index) {
      const Group& group = data_.groups[index];
      for (std::size_t lane = 0; lane < group_size; lane += hn::Lanes(d)) {
        for (std::size_t team = 0; team < low_teams; ++team) {
          auto smallest = hn::Set(d, std::numeric_limits<std::int32_t>::max());
          for (std::size_t rival = 0; rival < group.rivals; ++rival) {
            const std::size_t row = offset(group) + rival;
            smallest = hn::Min(smallest, hn::Add(hn::Load(d, sums + row * group_size + lane),
                                                 hn::Load(d, low(row, team) + lane)));
          }
          std::uint64_t open = subset_bits(hn::Gt(sure, hn::Abs(smallest)));
          for (; open != 0; open &= open - 1) {
            const auto place = static_cast<std::size_t>(std::countr_zero(open));
            counters_.doubts.push_back({mask + team, index * group_size + lane + place});
          }
        }
      }
    }
  }

  const Contests::Data& data_;
  std::size_t first_, last_, first_row_, stride_;
  SubsetCounters& counters_;
};

void count_subsets_of(const Contests::Data& data, std::size_t first, std::size_t last,
                      SubsetCounters& counters) {
  if (data.groups[first].single) {
    SubsetGroups<true>(data, first, last, counters).count();
  } else {
    SubsetGroups<false>(data, first, last, counters).count();
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace hqe
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hqe {
HWY_EXPORT(count_subsets_of);

SubsetCounters::SubsetCounters(int model_count)
    : right(std::max(low_teams, std::size_t{1} << model_count)) {}

void count_subsets(const Contests::Data& data, std::size_t first, std::size_t last,
                   SubsetCounters& counters) {
  // So many rows that the sums of all teams in the making stay in the first cache.
  constexpr std::size_t most_rows = 16;
  while (first < last) {
    std::size_t end = first + 1;
    while (end < last && data.groups[end].single == data.groups[first].single &&
           data.groups[end].row + data.groups[end].rivals - data.groups[first].row <= most_rows) {
      ++end;
    }
    HWY_DYNAMIC_DISPATCH(count_subsets_of)(data, first, end, counters);
    first = end;
  }
}

}  // namespace hqe
#endif  // HWY_ONCE
