// SPDX-License-Identifier: MIT
#include "hqe/statistics/ranks.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <numeric>

namespace hqe {
namespace {

std::vector<std::size_t> sorted_places(std::size_t count, auto before) {
  std::vector<std::size_t> places(count);
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::ranges::stable_sort(places, before);
  return places;
}

/// A whole number that stands among others as the value does.
std::uint64_t key_of(std::uint64_t value) { return value; }
std::uint64_t key_of(double value) {
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);  // -0 is 0.
  return (bits & sign) != 0 ? ~bits : bits | sign;
}

/// A value beside its place: sorting places alone would look up a value at every step.
struct Entry {
  std::uint64_t key = 0;
  std::uint32_t place = 0;
};

constexpr int digit_bits = 11;
constexpr std::size_t digit_values = std::size_t{1} << digit_bits;
/// Three digits tell nearly all keys apart.
constexpr int most_sorted_bits = 3 * digit_bits;

/// Sorts by one digit of the keys, less the lowest; equals stay as they stand. Nothing where all
/// have the same.
void sort_by_digit(std::vector<Entry>& entries, std::vector<Entry>& scratch, std::uint64_t lowest,
                   int shift) {
  const auto digit = [&](const Entry& entry) {
    return (entry.key - lowest) >> shift & (digit_values - 1);
  };
  std::vector<std::size_t> place(digit_values + 1, 0);
  for (const Entry& entry : entries) ++place[digit(entry) + 1];
  if (place[digit(entries.front()) + 1] == entries.size()) return;
  std::partial_sum(place.begin(), place.end(), place.begin());
  for (const Entry& entry : entries) scratch[place[digit(entry)]++] = entry;
  entries.swap(scratch);
}

/// Few are sorted by comparing, many by their leading digits, and by comparing where these agree.
void sort_entries(std::vector<Entry>& entries) {
  if (entries.size() < digit_values) {
    std::ranges::stable_sort(entries, {}, &Entry::key);
    return;
  }
  std::vector<Entry> scratch(entries.size());
  const auto [lowest, highest] = std::ranges::minmax(entries, {}, &Entry::key);
  const int width = static_cast<int>(std::bit_width(highest.key - lowest.key));
  const int ignored = std::max(0, width - most_sorted_bits);
  for (int shift = ignored; shift < width; shift += digit_bits) {
    sort_by_digit(entries, scratch, lowest.key, shift);
  }
  if (ignored == 0) return;
  const auto leading = [&, low = lowest.key](const Entry& entry) {
    return (entry.key - low) >> ignored;
  };
  for (auto begin = entries.begin(); begin != entries.end();) {
    auto end = begin + 1;
    bool is_sorted = true;
    for (; end != entries.end() && leading(*end) == leading(*begin); ++end) {
      is_sorted &= (end - 1)->key <= end->key;
    }
    if (!is_sorted) std::ranges::stable_sort(begin, end, {}, &Entry::key);
    begin = end;
  }
}

template <typename Value>
Ranking ranked(std::span<const Value> values) {
  std::vector<Entry> sorted(values.size());
  for (std::uint32_t i = 0; i < sorted.size(); ++i) sorted[i] = {key_of(values[i]), i};
  sort_entries(sorted);
  Ranking result{.order = std::vector<std::uint32_t>(values.size()),
                 .twice_ranks = std::vector<std::uint64_t>(values.size())};
  for (std::size_t begin = 0; begin < sorted.size();) {
    std::size_t end = begin;
    while (end < sorted.size() && sorted[end].key == sorted[begin].key) ++end;
    const auto twice = static_cast<std::uint64_t>(
        2 * mean_rank(static_cast<double>(begin), static_cast<double>(end - begin)));
    for (std::size_t i = begin; i < end; ++i) {
      result.order[i] = sorted[i].place;
      result.twice_ranks[sorted[i].place] = twice;
    }
    begin = end;
  }
  return result;
}

}  // namespace

Ranking ranking_of(std::span<const double> values) { return ranked(values); }

Ranking ranking_of(std::span<const std::uint64_t> values) { return ranked(values); }

std::vector<double> ranks_of(const std::vector<double>& values) {
  std::vector<double> ranks;
  for (const std::uint64_t twice : ranking_of(values).twice_ranks) {
    // Counted from the other end, the ranks of a value sum to n + 1.
    ranks.push_back(static_cast<double>(2 * (values.size() + 1) - twice) / 2);
  }
  return ranks;
}

std::vector<double> holm_adjusted(const std::vector<double>& p_values) {
  const auto places =
      sorted_places(p_values.size(), [&](auto a, auto b) { return p_values[a] < p_values[b]; });
  std::vector<double> adjusted(p_values.size());
  double largest = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const double times = static_cast<double>(places.size() - i);
    largest = std::max(largest, std::min(1.0, times * p_values[places[i]]));
    adjusted[places[i]] = largest;
  }
  return adjusted;
}

std::vector<double> holm_factors(const std::vector<double>& p_values, double level) {
  const auto places =
      sorted_places(p_values.size(), [&](auto a, auto b) { return p_values[a] < p_values[b]; });
  std::vector<double> factors(p_values.size());
  std::size_t steps = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    factors[places[i]] = static_cast<double>(places.size() - steps);
    if (steps == i && factors[places[i]] * p_values[places[i]] < level) ++steps;
  }
  return factors;
}

}  // namespace hqe
