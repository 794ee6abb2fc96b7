// SPDX-License-Identifier: MIT
#include "hqe/evaluation/lead_kernel.h"

#include "hqe/bits/target.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hqe/evaluation/lead_kernel.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace hqe {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Votes are counted below 0, since that is what a comparison gives. Each member counts those who
// vote as it does: for a team that is quicker than a tally a class, which no two lanes share.
void count_leads_of(const VoteTable& table, TeamView team, bool majority,
                    std::span<std::int16_t> leads) {
  const hn::CappedTag<std::int16_t, group_size> d;
  const auto right = hn::Set(d, VoteTable::voting_right);
  const auto everybody = hn::Set(d, static_cast<std::int16_t>(team.size()));
  for (std::size_t i = 0; i < table.stride; i += hn::Lanes(d)) {
    auto own = hn::Zero(d);
    auto strongest = hn::Zero(d);
    for (const ModelId model : team) {
      const auto mine = hn::Load(d, table.of(model) + i);
      own = hn::Add(own, hn::VecFromMask(d, hn::Eq(mine, right)));
      if (majority) continue;
      auto alike = hn::Zero(d);
      for (const ModelId other : team) {
        alike = hn::Add(alike, hn::VecFromMask(d, hn::Eq(mine, hn::Load(d, table.of(other) + i))));
      }
      const auto is_rival = hn::VecFromMask(d, hn::Gt(mine, right));
      strongest = hn::Min(strongest, hn::And(alike, is_rival));
    }
    const auto lead = majority ? hn::Sub(hn::Sub(hn::Zero(d), own), hn::Add(everybody, own))
                               : hn::Sub(strongest, own);
    hn::Store(lead, d, leads.data() + i);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace hqe
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hqe {
HWY_EXPORT(count_leads_of);

void count_leads(const VoteTable& table, TeamView team, bool majority,
                 std::span<std::int16_t> leads) {
  HWY_DYNAMIC_DISPATCH(count_leads_of)(table, team, majority, leads);
}

}  // namespace hqe
#endif  // HWY_ONCE
