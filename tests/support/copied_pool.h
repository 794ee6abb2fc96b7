// SPDX-License-Identifier: MIT
/// A pool of some samples, made the slow way, for tests.

#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "hqe/predictions/pool.h"
#include "tests/support/arrays.h"

namespace hqe::testing {

/// The rows copied one by one into memory of their own.
inline Array copied_rows(const Array& array, const std::vector<std::uint64_t>& rows,
                         Layout layout) {
  std::vector<double> values;
  for (const std::uint64_t row : rows) {
    for (std::int64_t column = 0; column < array.columns(); ++column) {
      values.push_back(read_number(array, static_cast<std::int64_t>(row), column));
    }
  }
  Array copy =
      matrix(static_cast<std::int64_t>(rows.size()), array.columns(), values, array.dtype, layout);
  copy.rank = array.rank;
  return copy;
}

inline Pool copied_pool(Pool pool, const std::vector<std::uint64_t>& samples,
                        Layout layout = Layout::plain) {
  for (Model& model : pool.models) {
    model.predictions = copied_rows(model.predictions, samples, layout);
  }
  pool.truth = copied_rows(pool.truth, samples, layout);
  pool.sample_count = samples.size();
  return pool;
}

}  // namespace hqe::testing
