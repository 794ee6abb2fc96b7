// SPDX-License-Identifier: MIT
#include "hqe/evaluation/rival_table.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "hqe/bits/target.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hqe/evaluation/rival_table.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace hqe {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Words = hn::CappedTag<std::uint64_t, set_words>;

// sets[i] from sets[i - 1]: the part at order[i - 1] leaves. The set stays in registers: writing a
// word of it and reading it back as a vector would stall.
void write_sets(const std::int64_t* order, std::size_t count, RivalTable& table) {
  const Words d;
  constexpr std::size_t vectors = set_words / hn::MaxLanes(Words());
  HWY_ALIGN std::uint64_t all[set_words];
  for (std::size_t word = 0; word < set_words; ++word) {
    const std::size_t bits = count > word * 64 ? HWY_MIN(count - word * 64, std::size_t{64}) : 0;
    all[word] = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  }
  hn::Vec<Words> set[vectors];
  hn::Vec<Words> numbers[vectors];
  for (std::size_t v = 0; v < vectors; ++v) {
    numbers[v] = hn::Iota(d, v * hn::Lanes(d));
    set[v] = hn::Load(d, all + v * hn::Lanes(d));
    hn::Store(set[v], d, table.sets[0] + v * hn::Lanes(d));
  }
  for (std::size_t i = 0; i < count; ++i) {
    const auto part = static_cast<std::uint64_t>(order[i]) & 0xFFFF;
    const auto word = hn::Set(d, part / 64);
    const auto bit = hn::Set(d, std::uint64_t{1} << (part % 64));
    for (std::size_t v = 0; v < vectors; ++v) {
      const auto here = hn::IfThenElseZero(hn::Eq(numbers[v], word), bit);
      set[v] = hn::AndNot(here, set[v]);
      hn::Store(set[v], d, table.sets[i + 1] + v * hn::Lanes(d));
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace hqe
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hqe {
HWY_EXPORT(write_sets);

namespace {

// Low parts by ascending sum: sum * 2^16 + part, so that one comparison orders them and no two are
// equal. Each model doubles the list: merge it with a copy that the model joined.
using SortedParts = std::array<std::int64_t, std::size_t{1} << most_low_models>;

void sort_parts(std::span<const std::int32_t> margins, SortedParts& parts) {
  SortedParts other;
  SortedParts* from = &parts;
  SortedParts* to = &other;
  parts[0] = 0;
  for (std::size_t model = 0; model < margins.size(); ++model) {
    const std::ptrdiff_t count = std::ptrdiff_t{1} << model;
    const std::int64_t joined = std::int64_t{margins[model]} * 65536 + count;
    // From both ends at once: two chains of dependent steps run side by side, and neither can run
    // out of its list, since each takes half of all.
    const std::int64_t* list = from->data();
    std::int64_t* out = to->data();
    std::ptrdiff_t i = 0, j = 0, k = count - 1, l = count - 1;
    for (std::ptrdiff_t step = 0; step < count; ++step) {
      const std::int64_t a = list[i], b = list[j] + joined;
      const bool first = a < b;
      out[step] = first ? a : b;
      i += first;
      j += !first;
      const std::int64_t c = list[k], e = list[l] + joined;
      const bool second = c > e;
      out[2 * count - 1 - step] = second ? c : e;
      k -= second;
      l -= !second;
    }
    std::swap(from, to);
  }
  if (from != &parts) parts = other;
}

// All sums of subsets of `margins`, by bit mask.
void write_sums(std::span<const std::int32_t> margins, std::int32_t start, std::int32_t* sums) {
  sums[0] = start;
  for (std::size_t model = 0; model < margins.size(); ++model) {
    const std::size_t count = std::size_t{1} << model;
    for (std::size_t i = 0; i < count; ++i) sums[count + i] = sums[i] + margins[model];
  }
}

}  // namespace

Halves::Halves(int model_count)
    : low(std::min(model_count, most_low_models)),
      inner(std::min(model_count - low, chunk_models)),
      outer(model_count - low - inner) {}

void build_table(RivalTable& table, const Halves& halves, std::span<const std::int32_t> margins,
                 std::int32_t start) {
  apply_target_from_environment();
  SortedParts parts;
  const auto low = static_cast<std::size_t>(halves.low);
  sort_parts(margins.first(low), parts);
  const std::size_t count = std::size_t{1} << low;
  HWY_DYNAMIC_DISPATCH(write_sets)(parts.data(), count, table);

  std::fill(std::begin(table.sums), std::end(table.sums), std::numeric_limits<std::int32_t>::max());
  // Half of the range, so that adding a high part's sum cannot overflow.
  table.sums[0] = std::numeric_limits<std::int32_t>::min() / 2;
  std::int32_t* const sums = table.sums + 1;
  for (std::size_t i = 0; i < count; ++i) sums[i] = static_cast<std::int32_t>(parts[i] >> 16);
  for (std::size_t node = 0; node < 9; ++node) {
    for (std::size_t key = 0; key < 8; ++key) {
      table.middle[node * 8 + key] = sums[node * 81 + key * 9 + 8];
    }
  }
  for (std::size_t key = 0; key < 8; ++key) table.top[key] = sums[key * 81 + 80];

  const auto inner = static_cast<std::size_t>(halves.inner);
  std::fill(std::begin(table.inner), std::end(table.inner), 0);
  write_sums(margins.subspan(low, inner), 0, table.inner);
  write_sums(margins.subspan(low + inner), start, table.outer);
}

}  // namespace hqe
#endif  // HWY_ONCE
