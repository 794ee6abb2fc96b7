// SPDX-License-Identifier: MIT
#include "hqe/evaluation/all_teams_kernel.h"

#include <algorithm>

#include "hqe/bits/target.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hqe/evaluation/all_teams_kernel.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace hqe {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Words = hn::CappedTag<std::uint64_t, set_words>;
using WordVector = hn::Vec<Words>;
using Keys = hn::CappedTag<std::int32_t, 8>;

// One set in registers.
constexpr std::size_t set_vectors = set_words / hn::MaxLanes(Words());
struct Set {
  WordVector parts[set_vectors];
};

HWY_INLINE Set load_set(const std::uint64_t* words) {
  const Words d;
  Set result;
  for (std::size_t v = 0; v < set_vectors; ++v) {
    result.parts[v] = hn::Load(d, words + v * hn::Lanes(d));
  }
  return result;
}

HWY_INLINE void store_set(const Set& set, std::uint64_t* words) {
  const Words d;
  for (std::size_t v = 0; v < set_vectors; ++v) {
    hn::Store(set.parts[v], d, words + v * hn::Lanes(d));
  }
}

HWY_INLINE void intersect(Set& set, const std::uint64_t* words) {
  const Words d;
  for (std::size_t v = 0; v < set_vectors; ++v) {
    set.parts[v] = hn::And(set.parts[v], hn::Load(d, words + v * hn::Lanes(d)));
  }
}

// How many of eight ascending keys are at most x.
HWY_INLINE std::size_t count_up_to(const std::int32_t* keys, std::int32_t x) {
  const Keys d;
  const auto limit = hn::Set(d, x);
  std::size_t above = 0;
  for (std::size_t i = 0; i < 8; i += hn::Lanes(d)) {
    above += hn::CountTrue(d, hn::Gt(hn::LoadU(d, keys + i), limit));
  }
  return 8 - above;
}

// How many of the low parts' sums are at most x.
HWY_INLINE std::size_t rank_of(const RivalTable& table, std::int32_t x) {
  const std::size_t top = count_up_to(table.top, x);
  const std::size_t middle = count_up_to(table.middle + top * 8, x);
  const std::size_t first = top * 81 + middle * 9;
  return first + count_up_to(table.sums + 1 + first, x);
}

template <bool doubtful>
HWY_INLINE std::uint32_t find_right_of(std::span<const RivalTable> rivals, std::size_t chunk,
                                       std::int32_t doubt, std::uint64_t* sets) {
  std::uint32_t open = 0;
  for (std::size_t place = 0; place < chunk_size; ++place) {
    Set set;
    bool near = false;
    for (std::size_t rival = 0; rival < rivals.size(); ++rival) {
      const RivalTable& table = rivals[rival];
      const std::int32_t high = table.outer[chunk] + table.inner[place];
      const std::size_t rank = rank_of(table, (doubtful ? doubt : 0) - high);
      if (rival == 0) {
        set = load_set(table.sets[rank]);
      } else {
        intersect(set, table.sets[rank]);
      }
      // The largest sum that does not surely win.
      if (doubtful) near |= table.sums[rank] + high >= -doubt;
    }
    store_set(set, sets + place * set_words);
    open |= std::uint32_t{near} << place;
  }
  return open;
}

std::uint32_t find_right_here(std::span<const RivalTable> rivals, std::size_t chunk,
                              std::int32_t doubt, std::uint64_t* sets) {
  return doubt < 0 ? find_right_of<false>(rivals, chunk, doubt, sets)
                   : find_right_of<true>(rivals, chunk, doubt, sets);
}

Certainty find_doubtful_here(std::span<const RivalTable> rivals, std::size_t chunk,
                             std::size_t place, std::int32_t doubt) {
  Set surely = load_set(rivals[0].sets[0]);
  Set maybe = surely;
  for (const RivalTable& table : rivals) {
    const std::int32_t high = table.outer[chunk] + table.inner[place];
    intersect(surely, table.sets[rank_of(table, doubt - high)]);
    intersect(maybe, table.sets[rank_of(table, -doubt - 1 - high)]);
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
HWY_INLINE WordVector add_three(WordVector& a, WordVector b, WordVector c) {
  const auto either = hn::Xor(a, b);
  const auto carry = hn::Or(hn::And(a, b), hn::And(either, c));
  a = hn::Xor(either, c);
  return carry;
}

// Adds `carry` at `level` and above; stops where nothing is left to carry.
HWY_INLINE void ripple(WordVector carry, std::uint64_t* plane) {
  const Words d;
  while (true) {
    const auto before = hn::Load(d, plane);
    hn::Store(hn::Xor(before, carry), d, plane);
    carry = hn::And(before, carry);
    if (hn::AllTrue(d, hn::Eq(carry, hn::Zero(d)))) return;
    plane += chunk_words;
  }
}

void count_batch_here(const std::uint64_t* sets, std::uint64_t* planes) {
  const Words d;
  for (std::size_t w = 0; w < chunk_words; w += hn::Lanes(d)) {
    const auto set = [&](std::size_t i)
                         HWY_ATTR { return hn::Load(d, sets + i * chunk_words + w); };
    auto ones = hn::Load(d, planes + w);
    auto twos = hn::Load(d, planes + chunk_words + w);
    auto fours = hn::Load(d, planes + 2 * chunk_words + w);
    const auto two_a = add_three(ones, set(0), set(1));
    const auto two_b = add_three(ones, set(2), set(3));
    const auto two_c = add_three(ones, set(4), set(5));
    const auto two_d = add_three(ones, set(6), set(7));
    const auto four_a = add_three(twos, two_a, two_b);
    const auto four_b = add_three(twos, two_c, two_d);
    const auto eight = add_three(fours, four_a, four_b);
    hn::Store(ones, d, planes + w);
    hn::Store(twos, d, planes + chunk_words + w);
    hn::Store(fours, d, planes + 2 * chunk_words + w);
    ripple(eight, planes + 3 * chunk_words + w);
  }
}

void count_sets_here(const std::uint64_t* sets, int level, std::uint64_t* planes) {
  const Words d;
  std::uint64_t* plane = planes + static_cast<std::size_t>(level) * chunk_words;
  for (std::size_t w = 0; w < chunk_words; w += hn::Lanes(d)) {
    ripple(hn::Load(d, sets + w), plane + w);
  }
}

void add_counters_here(const std::uint64_t* planes, int levels, const Halves& halves,
                       std::uint32_t* counts) {
  const hn::CappedTag<std::uint32_t, 8> d;
  const auto numbers = hn::Iota(d, 0);
  const auto one = hn::Set(d, 1);
  const std::size_t low_parts = std::size_t{1} << halves.low;
  for (std::size_t place = 0; place < (std::size_t{1} << halves.inner); ++place) {
    for (std::size_t part = 0; part < low_parts; part += hn::Lanes(d)) {
      const std::size_t word = place * set_words + part / 64;
      auto sum = hn::Zero(d);
      for (int level = 0; level < levels; ++level) {
        const std::uint64_t bits =
            planes[static_cast<std::size_t>(level) * chunk_words + word] >> (part % 64);
        const auto here =
            hn::And(hn::Shr(hn::Set(d, static_cast<std::uint32_t>(bits)), numbers), one);
        sum = hn::Add(sum, hn::ShiftLeftSame(here, level));
      }
      HWY_ALIGN std::uint32_t lanes[8];
      hn::Store(sum, d, lanes);
      const std::size_t count = HWY_MIN(hn::Lanes(d), low_parts - part);
      for (std::size_t i = 0; i < count; ++i) counts[place * low_parts + part + i] += lanes[i];
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
HWY_EXPORT(count_batch_here);
HWY_EXPORT(count_sets_here);
HWY_EXPORT(add_counters_here);

std::uint32_t find_right(std::span<const RivalTable> rivals, std::size_t chunk, std::int32_t doubt,
                         std::uint64_t* sets) {
  return HWY_DYNAMIC_DISPATCH(find_right_here)(rivals, chunk, doubt, sets);
}

Certainty find_doubtful(std::span<const RivalTable> rivals, std::size_t chunk, std::size_t place,
                        std::int32_t doubt) {
  return HWY_DYNAMIC_DISPATCH(find_doubtful_here)(rivals, chunk, place, doubt);
}

void count_batch(const std::uint64_t* sets, std::uint64_t* planes) {
  HWY_DYNAMIC_DISPATCH(count_batch_here)(sets, planes);
}

void count_sets(const std::uint64_t* sets, int level, std::uint64_t* planes) {
  HWY_DYNAMIC_DISPATCH(count_sets_here)(sets, level, planes);
}

void add_counters(const std::uint64_t* planes, int levels, const Halves& halves,
                  std::uint32_t* counts) {
  HWY_DYNAMIC_DISPATCH(add_counters_here)(planes, levels, halves, counts);
}

}  // namespace hqe
#endif  // HWY_ONCE
