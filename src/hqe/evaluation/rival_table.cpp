// SPDX-License-Identifier: MIT
#include "hqe/evaluation/rival_table.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace hqe {
namespace {

// Low parts by ascending sum: sum * 2^16 + part, so that one comparison orders them and no two are
// equal. Each model doubles the list: merge it with a copy that the model joined.
using SortedParts = std::array<std::int64_t, most_low_parts>;

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

void write_places(const SortedParts& parts, std::size_t count, RivalTable& table) {
  constexpr std::int32_t above_all = std::numeric_limits<std::int32_t>::max();
  table.place_sets[0] = ~std::uint64_t{0};
  for (std::size_t i = 0; i < count; ++i) {
    table.place_sums[i] = static_cast<std::int32_t>(parts[i] >> 16);
    table.place_sets[i + 1] = table.place_sets[i] & ~(std::uint64_t{1} << (parts[i] & 0xFFFF));
  }
  std::fill(table.place_sums + count, std::end(table.place_sums), above_all);
  for (std::size_t node = 0; node < 8; ++node) {
    table.last_place_sums[node] = table.place_sums[node * 8 + 7];
  }
  table.least_place = table.place_sums[0];
  table.most_place = table.place_sums[count - 1];
}

}  // namespace

Halves::Halves(int model_count)
    : low(std::min(model_count, most_low_models)),
      inner(std::min(model_count - low, chunk_models)),
      outer(model_count - low - inner) {}

void build_table(RivalTable& table, const Halves& halves, std::span<const std::int32_t> margins,
                 std::int32_t start) {
  constexpr std::int32_t above_all = std::numeric_limits<std::int32_t>::max();
  SortedParts parts;
  const auto low = static_cast<std::size_t>(halves.low);
  sort_parts(margins.first(low), parts);
  // Half of the range, so that adding a high part's sum cannot overflow.
  std::fill_n(table.sums, first_sum, std::numeric_limits<std::int32_t>::min() / 2);
  std::int32_t* const sums = table.sums + first_sum;
  for (std::size_t i = 0; i < most_low_parts; ++i) {
    sums[i] = static_cast<std::int32_t>(parts[i] >> 16);
    table.ranks[parts[i] & 0xFFFF] = static_cast<std::int8_t>(static_cast<int>(i) - 128);
  }
  std::fill(sums + most_low_parts, std::end(table.sums), above_all);
  for (std::size_t node = 0; node < 16; ++node) table.last_sums[node] = sums[node * 16 + 15];
  table.least = sums[0];
  table.most = sums[most_low_parts - 1];

  const auto inner = static_cast<std::size_t>(halves.inner);
  std::fill(std::begin(table.inner), std::end(table.inner), 0);
  write_sums(margins.subspan(low, inner), 0, table.inner);
  write_sums(margins.subspan(low + inner), start, table.outer);
  sort_parts(margins.subspan(low, inner), parts);
  write_places(parts, std::size_t{1} << inner, table);
}

}  // namespace hqe
