// SPDX-License-Identifier: MIT
#include "hqe/digest/layout.h"

#include <algorithm>
#include <atomic>
#include <cstddef>

#include "hqe/digest/tensors.h"
#include "hqe/predictions/columns.h"

namespace hqe {
namespace {

/// The narrowest type of labels of which these are the first and the last.
DType label_type(std::int64_t least, std::int64_t most) {
  if (least >= -128 && most <= 127) return DType::int8;
  if (least >= 0 && most <= 255) return DType::uint8;
  if (least >= -32768 && most <= 32767) return DType::int16;
  return least >= 0 && most <= 65535 ? DType::uint16 : DType::int32;
}

DigestLayout layout_of_labels(const Pool& pool, const Run& run) {
  struct Range {
    std::int64_t least = 0, most = 0;
  };
  std::vector<Range> ranges(pool.models.size());
  parallel_for(run, "looking at the labels", ranges.size(), 1,
               [&](std::uint64_t begin, std::uint64_t end, int) {
                 for (std::uint64_t m = begin; m < end; ++m) {
                   const Array& labels = pool.models[m].predictions;
                   ranges[m] = {smallest_integer(labels), largest_integer(labels)};
                 }
               });
  const DType common = label_type(std::ranges::min(ranges, {}, &Range::least).least,
                                  std::ranges::max(ranges, {}, &Range::most).most);
  DigestLayout layout;
  layout.is_packed = ranges.size() * size_of(common) > bytes_as_given(pool);
  for (const Range& range : ranges) {
    layout.numbers.push_back({layout.is_packed ? label_type(range.least, range.most) : common});
  }
  return layout;
}

/// What was found of one model that gives two classes something.
struct TwoClasses {
  std::atomic<bool> alone = true;   ///< Class 0 follows from class 1.
  std::atomic<bool> half = true;    ///< Every number of class 1 is exact in float16,
  std::atomic<bool> bfloat = true;  ///< in bfloat16,
  std::atomic<bool> single = true;  ///< in float32.

  [[nodiscard]] StoredNumbers stored(DType dtype) const {
    if (!alone) return {dtype, false};
    return {half     ? DType::float16
            : bfloat ? DType::bfloat16
            : single ? DType::float32
                     : dtype,
            true};
  }
};

/// Numbers are probabilities for certain: no logits are like that.
void look_at(const Array& array, std::uint64_t begin, std::uint64_t end, TwoClasses& found) {
  bool half = true, bfloat = true, single = true;
  double row[2];
  for (std::uint64_t i = begin; found.alone && i < end; ++i) {
    read_row(array, static_cast<std::int64_t>(i), row);
    const bool is_share = row[1] >= 0 && row[1] <= 1;
    if (!is_share || row[0] != complement_of(row[1], array.dtype)) found.alone = false;
    half = half && is_exact(row[1], DType::float16);
    bfloat = bfloat && is_exact(row[1], DType::bfloat16);
    single = single && is_exact(row[1], DType::float32);
  }
  if (!half) found.half = false;
  if (!bfloat) found.bfloat = false;
  if (!single) found.single = false;
}

/// One type that all of them are exact in.
DType common_type(const std::vector<StoredNumbers>& numbers) {
  DType common = numbers.front().dtype;
  for (const StoredNumbers& one : numbers) {
    if (one.dtype == common) continue;
    const bool has_doubles = one.dtype == DType::float64 || common == DType::float64;
    common = has_doubles ? DType::float64 : DType::float32;
  }
  return common;
}

DigestLayout layout_of_two(const Pool& pool, const Run& run) {
  std::vector<TwoClasses> found(pool.models.size());
  for (std::size_t m = 0; m < found.size(); ++m) {
    const DType dtype = pool.models[m].predictions.dtype;
    found[m].alone = dtype == DType::float32 || dtype == DType::float64;
  }
  constexpr std::uint64_t grain = 1 << 16;
  parallel_for(run, "comparing both classes", pool.sample_count, grain,
               [&](std::uint64_t begin, std::uint64_t end, int) {
                 for (std::size_t m = 0; m < found.size(); ++m) {
                   look_at(pool.models[m].predictions, begin, end, found[m]);
                 }
               });
  DigestLayout layout;
  for (std::size_t m = 0; m < found.size(); ++m) {
    layout.numbers.push_back(found[m].stored(pool.models[m].predictions.dtype));
    layout.complements = layout.complements || layout.numbers[m].alone;
  }
  if (!layout.complements) return layout;
  const DType common = common_type(layout.numbers);
  layout.is_packed =
      !layout.is_all_alone() || found.size() * size_of(common) > bytes_as_given(pool);
  if (layout.is_packed) return layout;
  for (StoredNumbers& numbers : layout.numbers) numbers.dtype = common;
  return layout;
}

}  // namespace

std::uint64_t bytes_as_given(const Pool& pool) {
  std::uint64_t bytes = 0;
  for (const Model& model : pool.models) bytes += model.predictions.row_bytes_as_given();
  return bytes;
}

std::uint64_t DigestLayout::width() const {
  std::uint64_t bytes = 0;
  for (std::size_t m = 0; m < numbers.size(); ++m) bytes += count(m) * size_of(numbers[m].dtype);
  return bytes;
}

bool DigestLayout::is_all_alone() const {
  return std::ranges::all_of(numbers, &StoredNumbers::alone);
}

bool DigestLayout::is_told(const Pool& pool) const {
  if (!is_packed) return false;
  const auto is_as_held = [](const StoredNumbers& stored, const Model& model) {
    return stored == StoredNumbers{model.predictions.dtype, true};
  };
  return !has_scores(pool.kind) || !std::ranges::equal(numbers, pool.models, is_as_held);
}

DigestLayout layout_of(const Pool& pool, const Run& run) {
  if (!has_scores(pool.kind)) return layout_of_labels(pool, run);
  if (pool.kind == Kind::probabilities && pool.class_count == 2) return layout_of_two(pool, run);
  DigestLayout layout;
  for (const Model& model : pool.models) layout.numbers.push_back({model.predictions.dtype});
  return layout;
}

}  // namespace hqe
