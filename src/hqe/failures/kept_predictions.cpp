// SPDX-License-Identifier: MIT
#include "hqe/failures/kept_predictions.h"

#include "hqe/bits/count.h"
#include "hqe/predictions/pool.h"

namespace hqe {

void KeptPredictions::start(const Pool& pool, int worker_count) {
  failures_.start(pool, worker_count);
  if (!with_labels_) return;
  const std::size_t labels = static_cast<std::size_t>(pool.model_count()) * pool.sample_count;
  if (pool.class_count < 0xFFFF) {
    narrow_.resize(labels);
  } else {
    wide_.resize(labels);
  }
}

void KeptPredictions::consume(const Block& block, int worker) {
  failures_.consume(block, worker);
  if (!with_labels_) return;
  const auto count = static_cast<std::size_t>(block.count);
  for (int m = 0; m < block.pool->model_count(); ++m) {
    const auto labels = block.predicted.subspan(static_cast<std::size_t>(m) * count, count);
    std::size_t at = static_cast<std::size_t>(m) * block.pool->sample_count + block.first;
    for (const std::int32_t label : labels) {
      if (wide_.empty()) {
        narrow_[at++] = static_cast<std::uint16_t>(label + 1);
      } else {
        wide_[at++] = label;
      }
    }
  }
}

void KeptPredictions::finish() { failures_.finish(); }

std::uint64_t KeptPredictions::co_failures(int f, int i, int j) const {
  const auto row = [&](int model) { return failures_.row(static_cast<ModelId>(model)); };
  return count_and(row(f), row(i), row(j));
}

std::uint64_t KeptPredictions::differing(int f, int i, int j) const {
  const auto row_i = failures_.row(static_cast<ModelId>(i));
  const auto row_j = failures_.row(static_cast<ModelId>(j));
  std::uint64_t result = 0;
  for_each_failure(f, [&](std::uint64_t sample) {
    const bool both = (row_i[sample / 64] & row_j[sample / 64]) >> (sample % 64) & 1;
    result += both && label(i, sample) != label(j, sample);
  });
  return result;
}

}  // namespace hqe
