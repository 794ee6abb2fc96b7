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
std::uint64_t key_of(std::uint32_t value) { return value; }
std::uint64_t key_of(double value) {
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);  // -0 is 0.
  return (bits & sign) != 0 ? ~bits : bits | sign;
}

/// The leading bits of a value's key beside its place: sorting places alone would look up a value
/// at every step.
struct Entry {
  std::uint32_t leading = 0;
  std::uint32_t place = 0;
};

constexpr int leading_bits = 32;
constexpr int digit_bits = 11;
constexpr std::size_t digit_values = std::size_t{1} << digit_bits;

/// Sorts by one digit; equals stay as they stand. Nothing where all have the same.
void sort_by_digit(std::vector<Entry>& entries, std::vector<Entry>& scratch, int shift) {
  const auto digit = [&](const Entry& entry) {
    return entry.leading >> shift & (digit_values - 1);
  };
  std::vector<std::size_t> place(digit_values + 1, 0);
  for (const Entry& entry : entries) ++place[digit(entry) + 1];
  if (place[digit(entries.front()) + 1] == entries.size()) return;
  std::partial_sum(place.begin(), place.end(), place.begin());
  for (const Entry& entry : entries) scratch[place[digit(entry)]++] = entry;
  entries.swap(scratch);
}

/// Values in order: few are sorted by comparing, many by the leading bits of their keys, and by
/// comparing where these agree.
template <typename Value>
class Sorted {
 public:
  explicit Sorted(std::span<const Value> values) : values_(values), entries_(values.size()) {
    if (values.empty()) return;
    std::uint64_t lowest = key_of(values[0]), highest = lowest;
    for (const Value value : values) {
      lowest = std::min(lowest, key_of(value));
      highest = std::max(highest, key_of(value));
    }
    const int width = static_cast<int>(std::bit_width(highest - lowest));
    const int ignored = std::max(0, width - leading_bits);
    tells_all_ = ignored == 0;
    for (std::uint32_t i = 0; i < entries_.size(); ++i) {
      entries_[i] = {static_cast<std::uint32_t>((key_of(values[i]) - lowest) >> ignored), i};
    }
    if (entries_.size() < digit_values) {
      std::ranges::stable_sort(entries_, {}, [this](const Entry& entry) { return key(entry); });
      return;
    }
    std::vector<Entry> scratch(entries_.size());
    for (int shift = 0; shift < width - ignored; shift += digit_bits) {
      sort_by_digit(entries_, scratch, shift);
    }
    if (!tells_all_) sort_rest();
  }

  [[nodiscard]] std::uint32_t place(std::size_t at) const { return entries_[at].place; }
  /// Whether two neighbours are equal.
  [[nodiscard]] bool equal(std::size_t left, std::size_t right) const {
    return entries_[left].leading == entries_[right].leading &&
           (tells_all_ || key(entries_[left]) == key(entries_[right]));
  }

 private:
  [[nodiscard]] std::uint64_t key(const Entry& entry) const { return key_of(values_[entry.place]); }

  void sort_rest() {
    for (auto begin = entries_.begin(); begin != entries_.end();) {
      auto end = begin + 1;
      bool is_sorted = true;
      for (; end != entries_.end() && end->leading == begin->leading; ++end) {
        is_sorted &= key(*(end - 1)) <= key(*end);
      }
      if (!is_sorted) {
        std::ranges::stable_sort(begin, end, {}, [this](const Entry& entry) { return key(entry); });
      }
      begin = end;
    }
  }

  std::span<const Value> values_;
  std::vector<Entry> entries_;
  bool tells_all_ = true;  ///< The leading bits are all that differ.
};

template <typename Value>
Ranking ranked(std::span<const Value> values) {
  const Sorted<Value> sorted(values);
  const std::size_t count = values.size();
  Ranking result{.order = std::vector<std::uint32_t>(count),
                 .twice_ranks = std::vector<std::uint32_t>(count)};
  for (std::size_t begin = 0, end = 0; begin < count; begin = end) {
    for (end = begin + 1; end < count && sorted.equal(begin, end);) ++end;
    // The ranks begin + 1 to end have this mean.
    const auto twice = static_cast<std::uint32_t>(begin + end + 1);
    for (std::size_t i = begin; i < end; ++i) {
      result.order[i] = sorted.place(i);
      result.twice_ranks[result.order[i]] = twice;
    }
  }
  return result;
}

}  // namespace

Ranking ranking_of(std::span<const double> values) { return ranked(values); }

Ranking ranking_of(std::span<const std::uint64_t> values) { return ranked(values); }

Ranking ranking_of(std::span<const std::uint32_t> values) { return ranked(values); }

std::vector<double> ranks_of(const std::vector<double>& values) {
  std::vector<double> ranks;
  for (const std::uint32_t twice : ranking_of(values).twice_ranks) {
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
