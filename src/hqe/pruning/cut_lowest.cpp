// SPDX-License-Identifier: MIT
#include "hqe/pruning/cut_lowest.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <utility>

#include "hqe/pruning/hierarchical.h"

namespace hqe {
namespace {

constexpr std::string_view cutting = "cutting a tier";
/// Whole words of bits, so that no two threads write one.
constexpr std::uint64_t scores_a_range = 1 << 15;
constexpr std::size_t bucket_count = 1 << 12;

/// Scores sorted into buckets that follow each other as the scores do.
class Buckets {
 public:
  Buckets(std::span<const double> scores, const Run& run) : scores_(scores), run_(run) {
    std::vector<std::pair<double, double>> extents(ranges(), {scores[0], scores[0]});
    for_each_range([&](std::size_t range, std::span<const double> part, int) {
      const auto [lowest, highest] = std::ranges::minmax(part);
      extents[range] = {lowest, highest};
    });
    lowest_ = std::ranges::min(extents).first;
    const double highest = std::ranges::max(extents, {}, [](auto& e) { return e.second; }).second;
    scale_ = bucket_count / (highest - lowest_);
    if (!std::isfinite(scale_)) scale_ = 0;  // All in one bucket, which is right, if slow.
  }

  /// The score that `place` others stand before, when they are sorted.
  [[nodiscard]] double score_at(std::uint64_t place) const {
    std::vector<std::array<std::uint32_t, bucket_count>> counts(workers());
    for_each_range([&](std::size_t, std::span<const double> part, int worker) {
      auto& own = counts[static_cast<std::size_t>(worker)];
      for (const double score : part) ++own[bucket_of(score)];
    });
    std::size_t bucket = 0;
    for (;; ++bucket) {
      std::uint64_t in_it = 0;
      for (const auto& own : counts) in_it += own[bucket];
      if (place < in_it) break;
      place -= in_it;
    }
    std::vector<double> inside;
    std::vector<std::vector<double>> found(ranges());
    for_each_range([&](std::size_t range, std::span<const double> part, int) {
      for (const double score : part) {
        if (bucket_of(score) == bucket) found[range].push_back(score);
      }
    });
    for (const auto& some : found) inside.insert(inside.end(), some.begin(), some.end());
    const auto wanted = inside.begin() + static_cast<std::ptrdiff_t>(place);
    std::ranges::nth_element(inside, wanted);
    return *wanted;
  }

 private:
  [[nodiscard]] std::size_t ranges() const {
    return (scores_.size() + scores_a_range - 1) / scores_a_range;
  }
  [[nodiscard]] std::size_t workers() const {
    return static_cast<std::size_t>(run_.thread_count());
  }
  // Subtracting and multiplying never change the order of two scores.
  [[nodiscard]] std::size_t bucket_of(double score) const {
    return std::min(static_cast<std::size_t>((score - lowest_) * scale_), bucket_count - 1);
  }
  template <class Body>
  void for_each_range(const Body& body) const {
    parallel_for(run_, cutting, scores_.size(), scores_a_range,
                 [&](std::uint64_t begin, std::uint64_t end, int worker) {
                   body(begin / scores_a_range, scores_.subspan(begin, end - begin), worker);
                 });
  }

  std::span<const double> scores_;
  const Run& run_;
  double lowest_ = 0;
  double scale_ = 0;
};

/// The score that `place` others stand before, when they are sorted.
double score_at(std::span<const double> scores, std::uint64_t place, const Run& run) {
  if (scores.size() > bucket_count) return Buckets(scores, run).score_at(place);
  std::vector<double> sorted(scores.begin(), scores.end());
  const auto wanted = sorted.begin() + static_cast<std::ptrdiff_t>(place);
  std::ranges::nth_element(sorted, wanted);
  return *wanted;
}

}  // namespace

std::vector<bool> all_but_lowest(std::span<const double> scores, std::uint64_t pruned,
                                 const Run& run) {
  const std::size_t count = scores.size();
  // The fewer are written one by one.
  const bool mostly_kept = 2 * pruned < count;
  std::vector<bool> kept(count, mostly_kept);
  if (pruned == 0) return kept;

  // Rounding keeps the order, so that only scores close to the last one pruned need to be rounded.
  const double last = score_at(scores, pruned - 1, run);
  const double close = 1e-9 * std::max(1.0, std::abs(last));
  struct Part {
    std::uint64_t below = 0;
    std::vector<std::size_t> close;
  };
  std::vector<Part> parts((count + scores_a_range - 1) / scores_a_range);
  parallel_for(run, cutting, count, scores_a_range,
               [&](std::uint64_t begin, std::uint64_t end, int) {
                 Part& part = parts[begin / scores_a_range];
                 for (std::size_t i = begin; i < end; ++i) {
                   if (scores[i] < last - close) {
                     ++part.below;
                     if (mostly_kept) kept[i] = false;
                   } else if (scores[i] > last + close) {
                     if (!mostly_kept) kept[i] = true;
                   } else {
                     part.close.push_back(i);
                   }
                 }
               });

  const double highest_pruned = rounded_score(last);
  std::uint64_t equals_to_prune = pruned;
  for (const Part& part : parts) {
    equals_to_prune -= part.below;
    for (const std::size_t i : part.close) {
      equals_to_prune -= rounded_score(scores[i]) < highest_pruned ? 1 : 0;
    }
  }
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    for (auto i = part->close.rbegin(); i != part->close.rend(); ++i) {
      const double score = rounded_score(scores[*i]);
      const bool is_pruned_equal = score == highest_pruned && equals_to_prune > 0;
      if (is_pruned_equal) --equals_to_prune;
      kept[*i] = score >= highest_pruned && !is_pruned_equal;
    }
  }
  return kept;
}

}  // namespace hqe
