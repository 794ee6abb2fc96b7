// SPDX-License-Identifier: MIT
#include "hqe/predictions/samples.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <utility>

#include "hqe/base/error.h"
#include "hqe/base/option_name.h"
#include "hqe/base/random.h"
#include "hqe/predictions/columns.h"

namespace hqe {
namespace {

/// Each fold is a choice of its own, and a list of all samples.
constexpr int most_folds = 1'000;

using RowMap = std::shared_ptr<const std::vector<std::int64_t>>;

/// Class after class, each in the order it has. By counting where classes are few against samples.
void sort_by_class(std::vector<std::uint64_t>& line, const std::vector<std::int32_t>& truth) {
  if (line.empty()) return;
  const auto [low, high] = std::minmax_element(truth.begin(), truth.end());
  if (*low < 0 || static_cast<std::size_t>(*high) >= line.size()) {
    std::stable_sort(line.begin(), line.end(),
                     [&](std::uint64_t a, std::uint64_t b) { return truth[a] < truth[b]; });
    return;
  }
  std::vector<std::size_t> next(static_cast<std::size_t>(*high) + 2);  // Of each class, its place.
  for (const std::int32_t label : truth) ++next[static_cast<std::size_t>(label) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<std::uint64_t> sorted(line.size());
  for (const std::uint64_t sample : line) {
    sorted[next[static_cast<std::size_t>(truth[sample])]++] = sample;
  }
  line = std::move(sorted);
}

/// All samples, class after class, each class in an order of its own chance. What comes at regular
/// steps along this line has every class in its share.
std::vector<std::uint64_t> line_up(const Pool& pool, std::uint64_t seed) {
  std::vector<std::int32_t> truth(pool.sample_count);
  read_labels(pool.truth, 0, truth);
  std::vector<std::uint64_t> line(pool.sample_count);
  std::iota(line.begin(), line.end(), std::uint64_t{0});
  Random random(seed);
  for (std::size_t i = line.size(); i > 1; --i) std::swap(line[i - 1], line[random.below(i)]);
  sort_by_class(line, truth);
  return line;
}

/// `is_held_out(place)` decides by the place along the line.
template <class Predicate>
SampleSplit split_line(const std::vector<std::uint64_t>& line, Predicate is_held_out) {
  std::vector<std::uint8_t> held_out(line.size());  // By sample: lists in order need no sorting.
  for (std::size_t place = 0; place < line.size(); ++place) {
    held_out[line[place]] = is_held_out(place) ? 1 : 0;
  }
  SampleSplit split;
  for (std::uint64_t sample = 0; sample < line.size(); ++sample) {
    (held_out[sample] != 0 ? split.held_out : split.selection).push_back(sample);
  }
  return split;
}

RowMap map_rows(const Array& array, const std::vector<std::uint64_t>& samples) {
  auto rows = std::make_shared<std::vector<std::int64_t>>(samples.size());
  std::transform(samples.begin(), samples.end(), rows->begin(), [&](std::uint64_t sample) {
    return array.stored_row(static_cast<std::int64_t>(sample));
  });
  return rows;
}

}  // namespace

Pool samples_of(const Pool& pool, const std::vector<std::uint64_t>& samples) {
  if (samples.empty()) throw UsageError("A pool needs at least one sample");
  const std::uint64_t largest = *std::max_element(samples.begin(), samples.end());
  if (largest >= pool.sample_count) {
    throw UsageError(fmt::format("There is no sample {}: the pool has {} (counting from 0)",
                                 largest, pool.sample_count));
  }
  Pool part = pool;
  part.sample_count = samples.size();
  // Arrays that lie alike share one map.
  std::map<RowMap, RowMap> known;
  const auto keep = [&](Array& array) {
    RowMap& rows = known[array.row_map];
    if (!rows) rows = map_rows(array, samples);
    array.row_map = rows;
    array.shape[0] = static_cast<std::int64_t>(samples.size());
  };
  for (Model& model : part.models) keep(model.predictions);
  keep(part.truth);
  return part;
}

std::uint64_t Pool::stored_sample(std::uint64_t sample) const {
  return static_cast<std::uint64_t>(truth.stored_row(static_cast<std::int64_t>(sample)));
}

SampleSplit split_samples(const Pool& pool, double share, std::uint64_t seed) {
  if (!(share > 0 && share < 1)) {
    throw UsageError(message("The share to hold out ({}) must lie between 0 and 1, not {}",
                             option("holdout"), share));
  }
  const auto before = [share](std::size_t place) {
    return std::floor(share * static_cast<double>(place) + 0.5);
  };
  SampleSplit split = split_line(
      line_up(pool, seed), [&](std::size_t place) { return before(place + 1) > before(place); });
  if (split.selection.empty() || split.held_out.empty()) {
    throw UsageError(message("Holding out {} of {} samples ({}) leaves nothing to {}", share,
                             pool.sample_count, option("holdout"),
                             split.selection.empty() ? "choose on" : "judge on"));
  }
  return split;
}

void check_folds(const Pool& pool, int count) {
  if (count < 2 || static_cast<std::uint64_t>(count) > pool.sample_count) {
    throw UsageError(
        fmt::format("The number of folds must lie between 2 and the number of samples ({}), not {}",
                    pool.sample_count, count));
  }
  if (count > most_folds) {
    throw UsageError(
        fmt::format("The number of folds must lie between 2 and {}, not {}", most_folds, count));
  }
}

std::vector<SampleSplit> fold_samples(const Pool& pool, int count, std::uint64_t seed) {
  check_folds(pool, count);
  const std::vector<std::uint64_t> line = line_up(pool, seed);
  std::vector<SampleSplit> splits;
  for (std::size_t fold = 0; fold < static_cast<std::size_t>(count); ++fold) {
    splits.push_back(split_line(
        line, [&](std::size_t place) { return place % static_cast<std::size_t>(count) == fold; }));
  }
  return splits;
}

}  // namespace hqe
