// SPDX-License-Identifier: MIT
#include "tests/reference/pool.h"

namespace hqe::reference {

ReferencePool from_pool(const Pool& pool) {
  ReferencePool result{.model_count = pool.model_count(),
                       .sample_count = static_cast<int>(pool.sample_count),
                       .class_count = pool.class_count};
  const auto samples = static_cast<std::int64_t>(pool.sample_count);
  for (std::int64_t x = 0; x < samples; ++x) {
    result.truth.push_back(static_cast<int>(read_integer(pool.truth, x)));
  }
  for (const Model& model : pool.models) {
    auto& labels = result.predictions.emplace_back();
    if (!has_scores(pool.kind)) {
      for (std::int64_t x = 0; x < samples; ++x) {
        labels.push_back(static_cast<int>(read_integer(model.predictions, x)));
      }
      continue;
    }
    auto& scores = result.probabilities.emplace_back();
    for (std::int64_t x = 0; x < samples; ++x) {
      std::vector<double> row(static_cast<std::size_t>(pool.class_count));
      read_row(model.predictions, x, row);
      labels.push_back(argmax(row));
      scores.push_back(pool.kind == Kind::logits ? softmax(row) : row);
    }
  }
  return result;
}

}  // namespace hqe::reference
