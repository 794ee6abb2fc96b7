// SPDX-License-Identifier: MIT
#include "hqe/bits/count.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>

#include "hqe/bits/target.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hqe/bits/count.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace hqe {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Words = hn::ScalableTag<std::uint64_t>;
using WordVector = hn::Vec<Words>;

#if HWY_TARGET == HWY_SCALAR
// Without an instruction for it the compiler calls a table look-up, three times slower than this.
HWY_INLINE std::uint64_t ones(std::uint64_t x) {
  x -= (x >> 1) & 0x5555555555555555u;
  x = (x & 0x3333333333333333u) + ((x >> 2) & 0x3333333333333333u);
  x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0Fu;
  return (x * 0x0101010101010101u) >> 56;
}
#else
HWY_INLINE std::uint64_t ones(std::uint64_t x) { return hwy::PopCount(x); }
#endif

// Adds, lane by lane, the ones of `load(0)`..`load(length - 1)` to totals. `load` returns
// `vectors` vectors at once, so that several sums run side by side.
template <std::size_t vectors, class Load>
HWY_INLINE void add_ones(std::size_t length, const Load& load, WordVector (&totals)[vectors]) {
  [[maybe_unused]] const Words d;
#if HWY_TARGET == HWY_SCALAR
  for (std::size_t w = 0; w < length; ++w) {
    for (std::size_t v = 0; v < vectors; ++v) {
      totals[v] = hn::Add(totals[v], hn::Set(d, ones(hn::GetLane(load(w, v)))));
    }
  }
#elif HWY_TARGET == HWY_AVX3_DL
  for (std::size_t w = 0; w < length; ++w) {
    for (std::size_t v = 0; v < vectors; ++v) {
      totals[v] = hn::Add(totals[v], hn::PopulationCount(load(w, v)));
    }
  }
#else
  // Bytes count up to 8 a word, so 31 words fit before they must be summed.
  const hn::Repartition<std::uint8_t, Words> bytes;
  for (std::size_t begin = 0; begin < length; begin += 31) {
    const std::size_t end = begin + 31 < length ? begin + 31 : length;
    hn::Vec<decltype(bytes)> partial[vectors];
    for (std::size_t v = 0; v < vectors; ++v) partial[v] = hn::Zero(bytes);
    for (std::size_t w = begin; w < end; ++w) {
      for (std::size_t v = 0; v < vectors; ++v) {
        partial[v] = hn::Add(partial[v], hn::PopulationCount(hn::BitCast(bytes, load(w, v))));
      }
    }
    for (std::size_t v = 0; v < vectors; ++v) {
      totals[v] = hn::Add(totals[v], hn::SumsOf8(partial[v]));
    }
  }
#endif
}

#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_AVX3_DL
// a + b + c = a' + 2 carry, bit by bit.
HWY_INLINE WordVector carry_ones(WordVector& a, WordVector b, WordVector c) {
  const auto either = hn::Xor(a, b);
  const auto carry = hn::Or(hn::And(a, b), hn::And(either, c));
  a = hn::Xor(either, c);
  return carry;
}
#endif

// The same as add_ones() for one sum, of as many vectors as it takes; returns how many. Where ones
// are counted byte by byte, eight vectors are added bit by bit first, and only what they carry
// further is counted (Harley and Seal).
template <class Load>
HWY_INLINE std::size_t add_ones_by_eights(std::size_t length, const Load& load,
                                          WordVector (&totals)[1]) {
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_AVX3_DL
  const Words d;
  const std::size_t whole = length / 8 * 8;
  if (whole < 16) return 0;
  auto one = hn::Zero(d), two = one, four = one;
  const auto next = [&](std::size_t w) HWY_ATTR {
    const auto two_a = carry_ones(one, load(w), load(w + 1));
    const auto two_b = carry_ones(one, load(w + 2), load(w + 3));
    const auto four_a = carry_ones(two, two_a, two_b);
    const auto two_c = carry_ones(one, load(w + 4), load(w + 5));
    const auto two_d = carry_ones(one, load(w + 6), load(w + 7));
    return carry_ones(four, four_a, carry_ones(two, two_c, two_d));
  };
  WordVector parts[1] = {hn::Zero(d)};
  add_ones(whole / 8, [&](std::size_t w, std::size_t) HWY_ATTR { return next(8 * w); }, parts);
  for (const auto& rest : {four, two, one}) {
    parts[0] = hn::Add(parts[0], parts[0]);
    add_ones(1, [&](std::size_t, std::size_t) HWY_ATTR { return rest; }, parts);
  }
  totals[0] = hn::Add(totals[0], parts[0]);
  return whole;
#else
  (void)length, (void)load, (void)totals;
  return 0;
#endif
}

// The ones of the words that `load` (a vector) and `word` (a single one) tell of.
template <class Load, class Word>
HWY_INLINE std::uint64_t count_words(std::size_t length, const Load& load, const Word& word) {
  const Words d;
  const std::size_t lanes = hn::Lanes(d);
  WordVector totals[1] = {hn::Zero(d)};
  const std::size_t whole = length / lanes;
  const auto vector = [&](std::size_t w) HWY_ATTR { return load(w * lanes); };
  const std::size_t done = add_ones_by_eights(whole, vector, totals);
  add_ones(
      whole - done, [&](std::size_t w, std::size_t) HWY_ATTR { return vector(done + w); }, totals);
  std::uint64_t result = hn::GetLane(hn::SumOfLanes(d, totals[0]));
  for (std::size_t w = whole * lanes; w < length; ++w) result += ones(word(w));
  return result;
}

std::uint64_t count_one(const std::uint64_t* a, std::size_t length) {
  const Words d;
  return count_words(
      length, [&](std::size_t w) HWY_ATTR { return hn::LoadU(d, a + w); },
      [&](std::size_t w) HWY_ATTR { return a[w]; });
}

std::uint64_t count_two(const std::uint64_t* a, const std::uint64_t* b, std::size_t length) {
  const Words d;
  return count_words(
      length,
      [&](std::size_t w) HWY_ATTR { return hn::And(hn::LoadU(d, a + w), hn::LoadU(d, b + w)); },
      [&](std::size_t w) HWY_ATTR { return a[w] & b[w]; });
}

std::uint64_t count_three(const std::uint64_t* a, const std::uint64_t* b, const std::uint64_t* c,
                          std::size_t length) {
  const Words d;
  return count_words(
      length,
      [&](std::size_t w) HWY_ATTR {
        return hn::And(hn::And(hn::LoadU(d, a + w), hn::LoadU(d, b + w)), hn::LoadU(d, c + w));
      },
      [&](std::size_t w) HWY_ATTR { return a[w] & b[w] & c[w]; });
}

// One stripe of `vectors` vectors of columns; only the first `columns` of them are wanted.
template <std::size_t vectors>
HWY_INLINE void count_stripe(const std::uint64_t* row, std::size_t length,
                             const std::uint64_t* words, std::size_t pitch, std::size_t columns,
                             std::uint32_t* counts) {
  const Words d;
  const std::size_t lanes = hn::Lanes(d);
  WordVector totals[vectors];
  for (std::size_t v = 0; v < vectors; ++v) totals[v] = hn::Zero(d);
  add_ones(
      length,
      [&](std::size_t w, std::size_t v) HWY_ATTR {
        return hn::And(hn::Set(d, row[w]), hn::LoadU(d, words + w * pitch + v * lanes));
      },
      totals);
  HWY_ALIGN std::uint64_t sums[vectors * HWY_LANES(std::uint64_t)];
  for (std::size_t v = 0; v < vectors; ++v) hn::Store(totals[v], d, sums + v * lanes);
  for (std::size_t m = 0; m < columns; ++m) counts[m] += static_cast<std::uint32_t>(sums[m]);
}

void count_each(const std::uint64_t* row, std::size_t length, const std::uint64_t* words,
                std::size_t pitch, std::size_t columns, std::uint32_t* counts) {
  const std::size_t lanes = hn::Lanes(Words());
  const auto stripe = [&](auto vectors, std::size_t m, std::size_t wanted) HWY_ATTR {
    count_stripe<decltype(vectors)::value>(row, length, words + m, pitch, wanted, counts + m);
  };
  std::size_t m = 0;
  for (; m + 4 * lanes <= columns; m += 4 * lanes) {
    stripe(std::integral_constant<std::size_t, 4>(), m, 4 * lanes);
  }
  for (; m < columns; m += lanes) {
    const std::size_t wanted = columns - m < lanes ? columns - m : lanes;
    stripe(std::integral_constant<std::size_t, 1>(), m, wanted);
  }
}

// Which of 64 labels differ.
HWY_INLINE std::uint64_t find_differing_of_64(const std::int32_t* a, const std::int32_t* b) {
  const hn::ScalableTag<std::int32_t> d;
  const std::size_t lanes = hn::Lanes(d);
  std::uint64_t equal = 0;
  if (lanes % 8 == 0) {
    // Whole bytes, one after another; eight may be written each time.
    std::uint8_t bytes[16];
    for (std::size_t i = 0; i < 64; i += lanes) {
      hn::StoreMaskBits(d, hn::Eq(hn::LoadU(d, a + i), hn::LoadU(d, b + i)), bytes + i / 8);
    }
    std::memcpy(&equal, bytes, 8);
  } else {
    for (std::size_t i = 0; i < 64; i += lanes) {
      std::uint8_t bits[8] = {};
      hn::StoreMaskBits(d, hn::Eq(hn::LoadU(d, a + i), hn::LoadU(d, b + i)), bits);
      equal |= std::uint64_t{bits[0]} << i;
    }
  }
  return ~equal;
}

void find_differing(const std::int32_t* a, const std::int32_t* b, std::size_t length,
                    std::uint64_t* out, std::size_t stride) {
  for (std::size_t begin = 0; begin < length; begin += 64) {
    std::uint64_t word = 0;
    if (begin + 64 <= length) {
      word = find_differing_of_64(a + begin, b + begin);
    } else {
      for (std::size_t i = begin; i < length; ++i) {
        word |= std::uint64_t{a[i] != b[i]} << (i - begin);
      }
    }
    out[begin / 64 * stride] = word;
  }
}

std::uint64_t multiply_and_add(const std::uint32_t* a, const std::uint32_t* b, std::size_t length) {
  std::uint64_t result = 0;
  std::size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::ScalableTag<std::uint32_t> d;
  const Words wide;
  const std::size_t lanes = hn::Lanes(d);
  WordVector even = hn::Zero(wide), odd = hn::Zero(wide);
  for (; i + lanes <= length; i += lanes) {
    const auto x = hn::LoadU(d, a + i), y = hn::LoadU(d, b + i);
    even = hn::Add(even, hn::MulEven(x, y));
    const auto x_odd = hn::BitCast(d, hn::ShiftRight<32>(hn::BitCast(wide, x)));
    const auto y_odd = hn::BitCast(d, hn::ShiftRight<32>(hn::BitCast(wide, y)));
    odd = hn::Add(odd, hn::MulEven(x_odd, y_odd));
  }
  result = hn::GetLane(hn::SumOfLanes(wide, hn::Add(even, odd)));
#endif
  for (; i < length; ++i) result += std::uint64_t{a[i]} * b[i];
  return result;
}

}  // namespace HWY_NAMESPACE
}  // namespace hqe
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hqe {
HWY_EXPORT(count_one);
HWY_EXPORT(count_two);
HWY_EXPORT(count_three);
HWY_EXPORT(count_each);
HWY_EXPORT(find_differing);
HWY_EXPORT(multiply_and_add);

namespace {

// The library has no start of its own at which to ask the environment.
void settle_target() {
  static const bool settled = (apply_target_from_environment(), true);
  static_cast<void>(settled);
}

}  // namespace

std::uint64_t count(std::span<const std::uint64_t> a) {
  settle_target();
  return HWY_DYNAMIC_DISPATCH(count_one)(a.data(), a.size());
}

std::uint64_t count_and(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
  assert(a.size() == b.size());
  settle_target();
  return HWY_DYNAMIC_DISPATCH(count_two)(a.data(), b.data(), a.size());
}

std::uint64_t count_and(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b,
                        std::span<const std::uint64_t> c) {
  assert(a.size() == b.size() && a.size() == c.size());
  settle_target();
  return HWY_DYNAMIC_DISPATCH(count_three)(a.data(), b.data(), c.data(), a.size());
}

void count_and_each(std::span<const std::uint64_t> row, const BitColumns& columns,
                    std::size_t begin, std::size_t end, std::span<std::uint32_t> counts) {
  assert(counts.size() == end - begin);
  settle_target();
  HWY_DYNAMIC_DISPATCH(count_each)
  (row.data(), row.size(), columns.words + begin, columns.pitch, end - begin, counts.data());
}

void differing_bits(std::span<const std::int32_t> a, std::span<const std::int32_t> b,
                    std::uint64_t* out, std::size_t stride) {
  assert(a.size() == b.size());
  settle_target();
  HWY_DYNAMIC_DISPATCH(find_differing)(a.data(), b.data(), a.size(), out, stride);
}

std::uint64_t sum_of_products(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
  assert(a.size() == b.size());
  settle_target();
  return HWY_DYNAMIC_DISPATCH(multiply_and_add)(a.data(), b.data(), a.size());
}

}  // namespace hqe
#endif  // HWY_ONCE
