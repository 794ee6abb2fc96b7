// SPDX-License-Identifier: MIT
#include "hqe/agreement/agreement_kernel.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "hqe/bits/target.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hqe/agreement/agreement_kernel.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace hqe {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Words = hn::CappedTag<std::uint64_t, 8>;
using Word = hn::Vec<Words>;
constexpr std::size_t width = AgreementRows::block_words;

HWY_INLINE Word load(const std::uint64_t* row, std::size_t word) {
  return hn::Load(Words(), row + word);
}
HWY_INLINE std::uint64_t sum_of(Word counts) {
  return hn::GetLane(hn::SumOfLanes(Words(), counts));
}

/// How the bits of a row are counted while its vectors go by.
#if HWY_TARGET == HWY_SCALAR
using BitCounts = Words;
HWY_INLINE Word count_bits(Word bits) { return hn::PopulationCount(bits); }
HWY_INLINE std::uint64_t sum_of_counts(Word counts) { return sum_of(counts); }
#else
// A byte of every vector counts at most 8: the bytes are added up once, at the end.
using BitCounts = hn::Repartition<std::uint8_t, Words>;
static_assert(width / 2 * 8 < 256);
HWY_INLINE hn::Vec<BitCounts> count_bits(Word bits) {
  return hn::PopulationCount(hn::BitCast(BitCounts(), bits));
}
HWY_INLINE std::uint64_t sum_of_counts(hn::Vec<BitCounts> counts) {
  return sum_of(hn::SumsOf8(counts));
}
#endif

/// Bit by lane where `is_set` says so.
template <class IsSet>
HWY_INLINE void write_row(std::uint64_t* row, const IsSet& is_set) {
  const hn::CappedTag<std::int16_t, 32> d;
  for (std::size_t word = 0; word < width; ++word) {
    std::uint64_t bits = 0;
    for (std::size_t bit = 0; bit < 64; bit += hn::Lanes(d)) {
      alignas(8) std::uint8_t bytes[8] = {};
      hn::StoreMaskBits(d, is_set(d, 64 * word + bit), bytes);
      std::uint64_t part = 0;
      std::memcpy(&part, bytes, sizeof part);
      bits |= part << bit;
    }
    row[word] = bits;
  }
}

void write_rows(const std::int16_t* votes, std::size_t model_count, bool with_pairs,
                std::uint64_t* rows) {
  const auto votes_of = [&](std::size_t model) { return votes + model * 64 * width; };
  for (std::size_t model = 0; model < model_count; ++model) {
    write_row(rows + model * width, [&](auto d, std::size_t at) HWY_ATTR {
      return hn::Eq(hn::Load(d, votes_of(model) + at), hn::Set(d, VoteTable::voting_right));
    });
    write_row(rows + (model_count + model) * width, [&](auto d, std::size_t at) HWY_ATTR {
      const auto one = hn::Set(d, 1);
      return hn::Eq(hn::And(hn::Load(d, votes_of(model) + at), one), one);
    });
  }
  std::uint64_t* row = rows + 2 * model_count * width;
  for (std::size_t first = 0; with_pairs && first < model_count; ++first) {
    for (std::size_t second = first + 1; second < model_count; ++second, row += width) {
      write_row(row, [&](auto d, std::size_t at) HWY_ATTR {
        return hn::Eq(hn::Load(d, votes_of(first) + at), hn::Load(d, votes_of(second) + at));
      });
    }
  }
}

/// The rows of a team's members with one of them.
struct MemberRows {
  const std::uint64_t* right = nullptr;
  /// With the member at each place before it; the others are left as they are.
  std::array<const std::uint64_t*, 16> alike;
};

HWY_INLINE MemberRows rows_of(const AgreementRows& rows, std::size_t block, TeamView team,
                              std::size_t place) {
  MemberRows result;
  result.right = rows.right(block, team[place]);
  for (std::size_t before = 0; !rows.one_rival() && before < place; ++before) {
    result.alike[before] = rows.alike(block, team[before], team[place]);
  }
  return result;
}

/// The partitions of one member more. `sure_from` and `sure_to`: where the team is right already.
HWY_INLINE void split_all(const std::vector<Split>& splits, const Slots& slots,
                          const MemberRows& member, const std::uint64_t* from, std::uint64_t* to,
                          const std::uint64_t* sure_from, std::uint64_t* sure_to) {
  const Words d;
  for (const Split& split : splits) {
    std::uint64_t* const right_to = to + split.right * width;
    std::uint64_t* const rest_to = to + split.rest * width;
    const Split::Joined* const joined = split.joined.data();
    const std::size_t joining = split.joined.size();
    for (std::size_t word = 0; word < width; word += hn::Lanes(d)) {
      const Word all = load(from, word);
      const Word right = hn::And(all, load(member.right, word));
      hn::Store(right, d, right_to + word);
      Word rest = hn::Xor(all, right);
      for (std::size_t i = 0; i < joining; ++i) {
        const Word alike = hn::And(all, load(member.alike[joined[i].place], word));
        hn::Store(alike, d, to + joined[i].slot * width + word);
        rest = hn::Xor(rest, alike);
      }
      if (split.has_rest) hn::Store(rest, d, rest_to + word);
    }
    from += width;
  }
  for (std::size_t word = 0; word < width; word += hn::Lanes(d)) {
    Word sure = load(sure_from, word);
    for (std::size_t slot = slots.open; slot < slots.sure; ++slot) {
      sure = hn::Or(sure, load(to + slot * width, word));
    }
    hn::Store(sure, d, sure_to + word);
  }
}

/// The unions of one prefix.
class UnionMasks {
 public:
  explicit UnionMasks(std::size_t places) : count_(Unions::spoiled + places) {}

  [[nodiscard]] HWY_INLINE const std::uint64_t* of(std::size_t which) const {
    return masks_ + which * width;
  }

  /// Fills the empty unions; what is sure is safe. Requires: `base` is ordered by union.
  HWY_INLINE void fill(std::span<const Toggle> base, const std::uint64_t* partitions,
                       const std::uint64_t* sure) {
    const Words d;
    const Toggle* begin = base.data();
    const Toggle* const last = base.data() + base.size();
    for (std::size_t which = 0; which < count_; ++which) {
      const Toggle* end = begin;
      while (end != last && end->into == which) ++end;
      for (std::size_t word = 0; word < width; word += hn::Lanes(d)) {
        Word all = which == Unions::safe ? load(sure, word) : hn::Zero(d);
        for (const Toggle* each = begin; each != end; ++each) {
          all = hn::Or(all, load(partitions + each->partition * width, word));
        }
        hn::Store(all, d, masks_ + which * width + word);
      }
      begin = end;
    }
  }

  HWY_INLINE void toggle(Toggle what, const std::uint64_t* partitions) {
    const Words d;
    std::uint64_t* const mask = masks_ + what.into * width;
    for (std::size_t word = 0; word < width; word += hn::Lanes(d)) {
      hn::Store(hn::Xor(load(mask, word), load(partitions + what.partition * width, word)), d,
                mask + word);
    }
  }

  /// Samples that are safe unless the last member spoils them, and those it saves.
  [[nodiscard]] HWY_INLINE std::uint64_t right(const MemberRows& last, std::size_t places) const {
    switch (places) {
      case 0:
        return right_of<0>(last);
      case 1:
        return right_of<1>(last);
      case 2:
        return right_of<2>(last);
      case 3:
        return right_of<3>(last);
      case 4:
        return right_of<4>(last);
      default:
        return right_of<5>(last);
    }
  }

 private:
  template <std::size_t places>
  [[nodiscard]] HWY_INLINE std::uint64_t right_of(const MemberRows& last) const {
    const Words d;
    auto counts = hn::Zero(BitCounts());
    for (std::size_t word = 0; word < width; word += hn::Lanes(d)) {
      // What is saved was not safe and what is spoiled was: either changes sides.
      Word changed = hn::And(load(of(Unions::saved), word), load(last.right, word));
      for (std::size_t place = 0; place < places; ++place) {
        changed = hn::OrAnd(changed, load(of(Unions::spoiled + place), word),
                            load(last.alike[place], word));
      }
      counts = hn::Add(counts, count_bits(hn::Xor(load(of(Unions::safe), word), changed)));
    }
    return sum_of_counts(counts);
  }

  std::size_t count_;
  HWY_ALIGN std::uint64_t masks_[(Unions::spoiled + 16) * width];
};

/// The samples of an even tie that go to the true class. Rare, so word by word.
HWY_NOINLINE std::uint64_t count_tie(const AgreementRows& rows, std::size_t block, EvenTie tie,
                                     TeamView team, const MemberRows& last,
                                     const std::uint64_t* partitions) {
  const std::size_t places = team.size() - 1;
  std::uint64_t samples = 0;
  for (std::size_t word = 0; word < width; ++word) {
    std::uint64_t bits = partitions[tie.partition * width + word];
    if (tie.vote == EvenTie::right) {
      bits &= last.right[word];
    } else if (tie.vote >= EvenTie::like) {
      bits &= last.alike[tie.vote - EvenTie::like][word];
    } else {
      bits &= ~last.right[word];
      for (std::size_t place = 0; !rows.one_rival() && place < places; ++place) {
        bits &= ~last.alike[place][word];
      }
    }
    for (std::size_t place = 0; place < places; ++place) {
      if (tie.above >> place & 1) bits &= rows.above(block, team[place])[word];
    }
    if (tie.above & EvenTie::last) bits &= rows.above(block, team.back())[word];
    samples += static_cast<std::uint64_t>(std::popcount(bits));
  }
  return samples;
}

void count_one_block(const AgreementRows& rows, std::size_t block, const Partitions& partitions,
                     const CountingPlan& plan, const TeamList& teams, PartitionMasks& masks,
                     std::span<std::uint64_t> right) {
  const auto depth = static_cast<std::size_t>(partitions.depth());
  const std::uint64_t* const leaves = masks.of(partitions.depth());
  const std::size_t spoilers = rows.one_rival() ? 0 : depth;
  UnionMasks unions(spoilers);
  std::fill_n(masks.of(0), width, ~std::uint64_t{0});
  std::fill_n(masks.sure(0), width, std::uint64_t{0});
  std::size_t next_toggle = 0;
  std::size_t next_last = 0;
  std::size_t next_tie = 0;
  TeamView before;
  for (const PrefixPlan& prefix : plan.prefixes) {
    const TeamView members = teams[prefix.first_team].first(depth);
    auto place =
        static_cast<std::size_t>(std::ranges::mismatch(members, before).in1 - members.begin());
    for (; place < depth; ++place) {
      const int level = static_cast<int>(place);
      split_all(partitions.splits(level), partitions.slots(level + 1),
                rows_of(rows, block, members, place), masks.of(level), masks.of(level + 1),
                masks.sure(level), masks.sure(level + 1));
    }
    before = members;
    unions.fill(std::span(plan.toggles).subspan(next_toggle, prefix.base_end - next_toggle), leaves,
                masks.sure(partitions.depth()));
    next_toggle = prefix.base_end;
    for (; next_last < prefix.lasts_end; ++next_last) {
      const LastMember& last = plan.lasts[next_last];
      for (; next_toggle < last.toggles_end; ++next_toggle) {
        unions.toggle(plan.toggles[next_toggle], leaves);
      }
      const TeamView team = teams[last.team];
      const MemberRows row = rows_of(rows, block, team, depth);
      std::uint64_t samples = unions.right(row, spoilers);
      for (; next_tie < last.ties_end; ++next_tie) {
        samples += count_tie(rows, block, plan.ties[next_tie], team, row, leaves);
      }
      right[last.team] += samples << rows.shift(block);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace hqe
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hqe {
HWY_EXPORT(write_rows);
HWY_EXPORT(count_one_block);

PartitionMasks::PartitionMasks(const Partitions& partitions) {
  std::size_t count = 0;
  for (int members = 0; members <= partitions.depth(); ++members) {
    starts_.push_back(count * AgreementRows::block_words);
    count += partitions.slots(members).count() + 1;
  }
  starts_.push_back(count * AgreementRows::block_words);
  masks_.resize(count * AgreementRows::block_words);
}

void write_agreement_rows(const std::int16_t* votes, std::size_t model_count, bool with_pairs,
                          std::uint64_t* rows) {
  HWY_DYNAMIC_DISPATCH(write_rows)(votes, model_count, with_pairs, rows);
}

void count_block(const AgreementRows& rows, std::size_t block, const Partitions& partitions,
                 const CountingPlan& plan, const TeamList& teams, PartitionMasks& masks,
                 std::span<std::uint64_t> right) {
  HWY_DYNAMIC_DISPATCH(count_one_block)(rows, block, partitions, plan, teams, masks, right);
}

}  // namespace hqe
#endif  // HWY_ONCE
