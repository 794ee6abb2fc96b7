// SPDX-License-Identifier: MIT
#include "hqe/evaluation/all_teams_kernel.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "hqe/bits/target.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hqe/evaluation/all_teams_kernel.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace hqe {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using SetWords = hn::CappedTag<std::uint64_t, set_words>;
using SetVector = hn::Vec<SetWords>;
using Keys = hn::CappedTag<std::int32_t, 8>;

// One set in registers.
constexpr std::size_t set_vectors = set_words / hn::MaxLanes(SetWords());
struct Set {
  SetVector parts[set_vectors];
};

HWY_INLINE Set load_set(const std::uint64_t* words) {
  const SetWords d;
  Set result;
  for (std::size_t v = 0; v < set_vectors; ++v) {
    result.parts[v] = hn::Load(d, words + v * hn::Lanes(d));
  }
  return result;
}

HWY_INLINE Set empty_set() {
  Set result;
  for (auto& part : result.parts) part = hn::Zero(SetWords());
  return result;
}

HWY_INLINE Set all_parts() {
  Set result;
  for (auto& part : result.parts) part = hn::Set(SetWords(), ~std::uint64_t{0});
  return result;
}

HWY_INLINE void store_set(const Set& set, std::uint64_t* words) {
  const SetWords d;
  for (std::size_t v = 0; v < set_vectors; ++v) {
    hn::Store(set.parts[v], d, words + v * hn::Lanes(d));
  }
}

HWY_INLINE void intersect(Set& set, const Set& other) {
  for (std::size_t v = 0; v < set_vectors; ++v) {
    set.parts[v] = hn::And(set.parts[v], other.parts[v]);
  }
}

// The low parts whose sums are not among the `rank` smallest. Requires: rank > 0.
#if HWY_TARGET == HWY_SCALAR
HWY_INLINE Set parts_from(const RivalTable& table, std::size_t rank) {
  // Eight ranks a word, compared with `first` as bytes: by their lower seven bits where the upper
  // ones are the same.
  constexpr std::uint64_t upper = 0x8080808080808080;
  const std::uint64_t first = (rank - 1) * 0x0101010101010101;
  Set result;
  for (std::size_t word = 0; word < set_words; ++word) {
    std::uint64_t bits = 0;
    for (std::size_t bit = 8; bit-- > 0;) {
      std::uint64_t ranks = 0;
      std::memcpy(&ranks, table.ranks + bit * set_bytes + word * 8, 8);
      ranks ^= upper;
      const std::uint64_t not_above = (first | upper) - (ranks & ~upper);
      const std::uint64_t above = (ranks & ~first) | (~(ranks ^ first) & ~not_above);
      bits = bits * 2 + ((above & upper) >> 7);
    }
    result.parts[word] = hn::Set(SetWords(), bits);
  }
  return result;
}
#else
HWY_INLINE Set parts_from(const RivalTable& table, std::size_t rank) {
  const hn::Repartition<std::int8_t, SetWords> d;
  const auto last = hn::Set(d, static_cast<std::int8_t>(static_cast<int>(rank) - 129));
  Set result;
  for (std::size_t v = 0; v < set_vectors; ++v) {
    auto bits = hn::Zero(d);
    for (std::size_t bit = 8; bit-- > 0;) {
      const auto ranks = hn::Load(d, table.ranks + bit * set_bytes + v * hn::Lanes(d));
      bits = hn::Sub(hn::Add(bits, bits), hn::VecFromMask(d, hn::Gt(ranks, last)));
    }
    result.parts[v] = hn::BitCast(SetWords(), bits);
  }
  return result;
}
#endif

// How many of `count` keys are at most x.
template <std::size_t count>
HWY_INLINE std::size_t count_up_to(const std::int32_t* keys, std::int32_t x) {
  const Keys d;
  const auto limit = hn::Set(d, x);
  std::size_t above = 0;
  for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
    above += hn::CountTrue(d, hn::Gt(hn::Load(d, keys + i), limit));
  }
  return count - above;
}

// How many of the low parts' sums are at most x.
HWY_INLINE std::size_t rank_of(const RivalTable& table, std::int32_t x) {
  const std::size_t first = 16 * count_up_to<16>(table.last_sums, x);
  return first + count_up_to<16>(table.sums + first_sum + first, x);
}

// The places whose sums are above x.
HWY_INLINE std::uint64_t places_above(const RivalTable& table, std::int32_t x) {
  const std::size_t first = 8 * count_up_to<8>(table.last_place_sums, x);
  return table.place_sets[first + count_up_to<8>(table.place_sums + first, x)];
}

// The places where one rival does not surely lose with every low part; those where it surely wins
// with every one leave `maybe`.
HWY_INLINE std::uint64_t undecided_places(const RivalTable& table, std::int32_t outer,
                                          std::int32_t doubt, std::uint64_t& maybe) {
  const std::int32_t least = outer + table.least;
  const std::int32_t most = outer + table.most;
  const std::int32_t win = HWY_MAX(doubt, 0);
  if (least + table.least_place > win) return 0;
  if (most + table.most_place < -doubt) {
    maybe = 0;
    return 0;
  }
  maybe &= places_above(table, -doubt - 1 - most);
  return ~places_above(table, win - least);
}

// The low parts that surely win together with the high part at `place`.
HWY_INLINE Set winning_parts(const RivalTable& table, std::int32_t outer, std::size_t place,
                             std::int32_t doubt, std::uint64_t& near) {
  const std::int32_t high = outer + table.inner[place];
  const std::size_t rank = rank_of(table, HWY_MAX(doubt, 0) - high);
  // The largest sum that does not surely win.
  near |= std::uint64_t{table.sums[first_sum - 1 + rank] + high >= -doubt} << place;
  return parts_from(table, rank);
}

HWY_INLINE std::size_t first_place(std::uint64_t places) {
  return static_cast<std::size_t>(std::countr_zero(places));
}

ChunkAnswer find_right_here(std::span<const RivalTable> rivals, std::size_t chunk,
                            std::int32_t doubt, std::uint64_t places, SetLists& lists,
                            std::uint64_t* undecided) {
  std::uint64_t maybe = places;
  std::uint64_t open = 0;
  for (std::size_t rival = 0; rival < rivals.size(); ++rival) {
    undecided[rival] = undecided_places(rivals[rival], rivals[rival].outer[chunk], doubt, maybe);
    if (maybe == 0) return {};
    open |= undecided[rival];
  }
  ChunkAnswer answer{.right = maybe & ~open, .open = maybe & open, .near = 0};
  std::uint64_t fresh = answer.open;  // Their sets are not appended yet.
  for (std::size_t rival = 0; rival < rivals.size() && answer.open != 0; ++rival) {
    const RivalTable& table = rivals[rival];
    const std::int32_t outer = table.outer[chunk];
    const std::uint64_t here = undecided[rival] & maybe;
    for (std::uint64_t bits = here & fresh; bits != 0; bits &= bits - 1) {
      const std::size_t place = first_place(bits);
      store_set(winning_parts(table, outer, place, doubt, answer.near),
                lists.sets[place][lists.counts[place]++]);
    }
    for (std::uint64_t bits = here & ~fresh; bits != 0; bits &= bits - 1) {
      const std::size_t place = first_place(bits);
      std::uint64_t* const words = lists.sets[place][lists.counts[place] - 1];
      Set set = load_set(words);
      intersect(set, winning_parts(table, outer, place, doubt, answer.near));
      store_set(set, words);
    }
    fresh &= ~here;
  }
  return answer;
}

Certainty find_doubtful_here(std::span<const RivalTable> rivals, std::size_t chunk,
                             std::size_t place, std::int32_t doubt) {
  Set surely = all_parts();
  Set maybe = surely;
  for (const RivalTable& table : rivals) {
    const std::int32_t high = table.outer[chunk] + table.inner[place];
    const std::size_t not_sure = rank_of(table, doubt - high);
    const std::size_t losing = rank_of(table, -doubt - 1 - high);
    if (not_sure > 0) intersect(surely, parts_from(table, not_sure));
    if (losing > 0) intersect(maybe, parts_from(table, losing));
  }
  HWY_ALIGN std::uint64_t words[2][set_words];
  store_set(surely, words[0]);
  store_set(maybe, words[1]);
  Certainty result;
  std::copy_n(words[0], set_words, result.surely.begin());
  std::copy_n(words[1], set_words, result.maybe.begin());
  return result;
}

// a + b + c = a' + 2 carry, bit by bit.
HWY_INLINE SetVector add_three(SetVector& a, SetVector b, SetVector c) {
  const auto either = hn::Xor(a, b);
  const auto carry = hn::Or(hn::And(a, b), hn::And(either, c));
  a = hn::Xor(either, c);
  return carry;
}

// Adds `carry` at `plane` and above; stops where nothing is left to carry.
HWY_INLINE void ripple(SetVector carry, std::uint64_t* plane) {
  const SetWords d;
  while (true) {
    const auto before = hn::Load(d, plane);
    hn::Store(hn::Xor(before, carry), d, plane);
    carry = hn::And(before, carry);
    if (hn::AllTrue(d, hn::Eq(carry, hn::Zero(d)))) return;
    plane += set_words;
  }
}

HWY_INLINE void count_eight(const std::uint64_t* sets, std::uint64_t* planes) {
  const SetWords d;
  for (std::size_t w = 0; w < set_words; w += hn::Lanes(d)) {
    const auto set = [&](std::size_t i) HWY_ATTR { return hn::Load(d, sets + i * set_words + w); };
    auto ones = hn::Load(d, planes + w);
    auto twos = hn::Load(d, planes + set_words + w);
    auto fours = hn::Load(d, planes + 2 * set_words + w);
    const auto two_a = add_three(ones, set(0), set(1));
    const auto two_b = add_three(ones, set(2), set(3));
    const auto two_c = add_three(ones, set(4), set(5));
    const auto two_d = add_three(ones, set(6), set(7));
    const auto four_a = add_three(twos, two_a, two_b);
    const auto four_b = add_three(twos, two_c, two_d);
    const auto eight = add_three(fours, four_a, four_b);
    hn::Store(ones, d, planes + w);
    hn::Store(twos, d, planes + set_words + w);
    hn::Store(fours, d, planes + 2 * set_words + w);
    ripple(eight, planes + 3 * set_words + w);
  }
}

void count_lists_here(SetLists& lists, std::size_t levels, std::uint64_t* planes) {
  for (std::size_t place = 0; place < chunk_size; ++place) {
    const std::size_t count = lists.counts[place];
    if (count == 0) continue;
    std::uint64_t* sets = lists.sets[place][0];
    const std::size_t whole = (count + 7) / 8 * 8;
    for (std::size_t i = count; i < whole; ++i) {
      store_set(empty_set(), sets + i * set_words);
    }
    for (std::size_t i = 0; i < whole; i += 8) {
      count_eight(sets + i * set_words, planes + place * levels * set_words);
    }
  }
}

void count_set_here(const std::uint64_t* set, std::uint32_t weight, std::uint64_t* planes) {
  const SetWords d;
  for (; weight != 0; weight &= weight - 1) {
    const auto level = static_cast<std::size_t>(std::countr_zero(weight));
    for (std::size_t w = 0; w < set_words; w += hn::Lanes(d)) {
      ripple(hn::Load(d, set + w), planes + level * set_words + w);
    }
  }
}

void add_weight_here(std::uint64_t places, std::uint32_t weight, std::uint32_t* numbers) {
  const hn::CappedTag<std::uint32_t, 8> d;
  const auto bits = hn::Shl(hn::Set(d, 1), hn::Iota(d, 0));
  const auto weights = hn::Set(d, weight);
  for (std::size_t i = 0; i < chunk_size; i += hn::Lanes(d)) {
    const auto here = hn::Set(d, static_cast<std::uint32_t>(places >> i));
    const auto added = hn::IfThenElseZero(hn::TestBit(here, bits), weights);
    hn::Store(hn::Add(hn::Load(d, numbers + i), added), d, numbers + i);
  }
}

void add_counters_here(const std::uint64_t* planes, std::size_t levels, std::size_t places,
                       std::uint32_t* counts) {
  const hn::CappedTag<std::uint32_t, 8> d;
  const hn::Rebind<std::uint8_t, decltype(d)> bytes;
  const auto one = hn::Set(d, 1);
  for (std::size_t place = 0; place < places; ++place) {
    const auto* own = reinterpret_cast<const std::uint8_t*>(planes + place * levels * set_words);
    for (std::size_t part = 0; part < most_low_parts; part += hn::Lanes(d)) {
      const int bit = static_cast<int>(part / set_bytes);
      auto sum = hn::Zero(d);
      for (std::size_t level = 0; level < levels; ++level) {
        const auto byte = hn::LoadU(bytes, own + level * set_bytes + part % set_bytes);
        const auto here = hn::And(hn::ShiftRightSame(hn::PromoteTo(d, byte), bit), one);
        sum = hn::Add(sum, hn::ShiftLeftSame(here, static_cast<int>(level)));
      }
      std::uint32_t* to = counts + place * most_low_parts + part;
      hn::StoreU(hn::Add(hn::LoadU(d, to), sum), d, to);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace hqe
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hqe {
HWY_EXPORT(find_right_here);
HWY_EXPORT(find_doubtful_here);
HWY_EXPORT(count_lists_here);
HWY_EXPORT(count_set_here);
HWY_EXPORT(add_weight_here);
HWY_EXPORT(add_counters_here);

ChunkAnswer find_right(std::span<const RivalTable> rivals, std::size_t chunk, std::int32_t doubt,
                       std::uint64_t places, SetLists& lists, std::uint64_t* undecided) {
  return HWY_DYNAMIC_DISPATCH(find_right_here)(rivals, chunk, doubt, places, lists, undecided);
}

Certainty find_doubtful(std::span<const RivalTable> rivals, std::size_t chunk, std::size_t place,
                        std::int32_t doubt) {
  return HWY_DYNAMIC_DISPATCH(find_doubtful_here)(rivals, chunk, place, doubt);
}

void count_lists(SetLists& lists, std::size_t levels, std::uint64_t* planes) {
  HWY_DYNAMIC_DISPATCH(count_lists_here)(lists, levels, planes);
}

void count_set(const std::uint64_t* set, std::uint32_t weight, std::uint64_t* planes) {
  HWY_DYNAMIC_DISPATCH(count_set_here)(set, weight, planes);
}

void add_weight(std::uint64_t places, std::uint32_t weight, std::uint32_t* numbers) {
  HWY_DYNAMIC_DISPATCH(add_weight_here)(places, weight, numbers);
}

void add_counters(const std::uint64_t* planes, std::size_t levels, std::size_t places,
                  std::uint32_t* counts) {
  HWY_DYNAMIC_DISPATCH(add_counters_here)(planes, levels, places, counts);
}

}  // namespace hqe
#endif  // HWY_ONCE
