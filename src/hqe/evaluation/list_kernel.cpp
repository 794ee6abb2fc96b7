// SPDX-License-Identifier: MIT
#include "hqe/evaluation/list_kernel.h"

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
using Ints = hn::CappedTag<std::int32_t, group_size>;
using IntVector = hn::Vec<Ints>;

void add_member_here(const Contests::Data& data, GroupRange range, std::size_t model,
                     const std::int32_t* before, std::int32_t* sums) {
  const Ints d;
  std::size_t i = 0;
  for (std::size_t index = range.first; index < range.last; ++index) {
    const Group& group = data.groups[index];
    const std::int32_t* margins = data.margins_of(group, model);
    for (std::size_t j = 0; j < group.rivals * group_size; j += hn::Lanes(d), i += hn::Lanes(d)) {
      hn::Store(hn::Add(hn::Load(d, before + i), hn::Load(d, margins + j)), d, sums + i);
    }
  }
}

// Noted apart from the loop that finds them: doubts are rare.
HWY_NOINLINE void note_doubts(IntVector smallest, std::int32_t doubt, std::size_t team,
                              std::size_t pattern, std::vector<Doubt>& doubts) {
  const Ints d;
  HWY_ALIGN std::int32_t values[group_size];
  hn::Store(smallest, d, values);
  for (std::size_t lane = 0; lane < hn::Lanes(d); ++lane) {
    if (-doubt <= values[lane] && values[lane] <= doubt) doubts.push_back({team, pattern + lane});
  }
}

// Several last members at once, because they share the loads of `sums`.
template <std::size_t members>
HWY_INLINE void count_members(const Contests::Data& data, GroupRange range,
                              const std::int32_t* sums, const ModelId* last, std::int32_t doubt,
                              std::uint64_t* right, std::size_t first_team,
                              std::vector<Doubt>& doubts) {
  const Ints d;
  const hn::RebindToUnsigned<Ints> du;
  const auto above = hn::Set(d, doubt < 0 ? 0 : doubt);
  const auto below = hn::Set(d, -doubt - 1);
  hn::Vec<decltype(du)> totals[members];
  for (auto& total : totals) total = hn::Zero(du);
  for (std::size_t index = range.first; index < range.last; ++index) {
    const std::size_t rivals = data.groups[index].rivals;
    const std::int32_t* margins[members];
    for (std::size_t m = 0; m < members; ++m) {
      margins[m] = data.margins_of(data.groups[index], last[m]);
    }
    for (std::size_t lane = 0; lane < group_size; lane += hn::Lanes(d)) {
      IntVector smallest[members];
      for (auto& value : smallest) value = hn::Set(d, std::numeric_limits<std::int32_t>::max());
      for (std::size_t i = lane; i < rivals * group_size; i += group_size) {
        const auto sum = hn::Load(d, sums + i);
        for (std::size_t m = 0; m < members; ++m) {
          smallest[m] = hn::Min(smallest[m], hn::Add(sum, hn::Load(d, margins[m] + i)));
        }
      }
      const std::size_t pattern = index * group_size + lane;
      const auto weights = hn::Load(du, data.weights.data() + pattern);
      for (std::size_t m = 0; m < members; ++m) {
        const auto won = hn::Gt(smallest[m], above);
        totals[m] = hn::Add(totals[m], hn::IfThenElseZero(hn::RebindMask(du, won), weights));
        if (doubt < 0) continue;
        const auto near = hn::AndNot(won, hn::Gt(smallest[m], below));
        if (!hn::AllFalse(d, near)) {
          note_doubts(smallest[m], doubt, first_team + m, pattern, doubts);
        }
      }
    }
    sums += rivals * group_size;
  }
  for (std::size_t m = 0; m < members; ++m) {
    right[m] += hn::GetLane(hn::SumOfLanes(du, totals[m]));
  }
}

void count_right_here(const Contests::Data& data, GroupRange range, const std::int32_t* sums,
                      std::span<const ModelId> last, std::int32_t doubt,
                      std::span<std::uint64_t> right, std::vector<Doubt>& doubts) {
  std::size_t team = 0;
  for (; team + 4 <= last.size(); team += 4) {
    count_members<4>(data, range, sums, last.data() + team, doubt, right.data() + team, team,
                     doubts);
  }
  for (; team < last.size(); ++team) {
    count_members<1>(data, range, sums, last.data() + team, doubt, right.data() + team, team,
                     doubts);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace hqe
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hqe {
HWY_EXPORT(add_member_here);
HWY_EXPORT(count_right_here);

void add_member(const Contests::Data& data, GroupRange range, std::size_t model,
                const std::int32_t* before, std::int32_t* sums) {
  apply_target_from_environment();
  HWY_DYNAMIC_DISPATCH(add_member_here)(data, range, model, before, sums);
}

void count_right(const Contests::Data& data, GroupRange range, const std::int32_t* sums,
                 std::span<const ModelId> last_members, std::int32_t doubt,
                 std::span<std::uint64_t> right, std::vector<Doubt>& doubts) {
  apply_target_from_environment();
  HWY_DYNAMIC_DISPATCH(count_right_here)(data, range, sums, last_members, doubt, right, doubts);
}

}  // namespace hqe
#endif  // HWY_ONCE
