// SPDX-License-Identifier: MIT
/// Small seeded pools that are hard to count: near-ties, duplicates, abstentions. For tests.

#pragma once

#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "hqe/base/random.h"
#include "hqe/predictions/pool.h"
#include "tests/support/arrays.h"

namespace hqe::testing {

struct StrangeOptions {
  Kind kind = Kind::probabilities;
  DType dtype = DType::float64;
  int model_count = 5;
  int sample_count = 60;
  int class_count = 4;
  int grid = 0;             ///< Probabilities are multiples of 1/grid; 0: any.
  bool nudged = false;      ///< Then moved by at most one unit in the last place.
  bool duplicates = false;  ///< Every second model repeats the one before.
  double abstain = 0;
  std::uint64_t seed = 1;
};

/// One row of probabilities, sometimes all equal, sometimes with zeros.
inline std::vector<double> strange_row(const StrangeOptions& options, std::int32_t truth,
                                       Random& random) {
  const auto classes = static_cast<std::size_t>(options.class_count);
  std::vector<double> row(classes, 0.0);
  if (random.below(8) == 0) return std::vector<double>(classes, 1.0 / options.class_count);
  if (options.grid > 0) {
    // Grains fall on classes, a little more often on the true one.
    for (int grain = 0; grain < options.grid; ++grain) {
      const std::uint64_t k = random.below(classes + 1);
      row[k == classes ? static_cast<std::size_t>(truth) : k] += 1.0 / options.grid;
    }
  } else {
    for (double& p : row) p = random.unit();
    row[static_cast<std::size_t>(truth)] += random.unit();
    const double sum = std::accumulate(row.begin(), row.end(), 0.0);
    for (double& p : row) p /= sum;
  }
  if (options.nudged) {
    for (double& p : row) {
      const std::uint64_t way = random.below(3);
      if (p > 0 && p < 1 && way < 2) p = std::nextafter(p, way == 0 ? 0.0 : 1.0);
    }
  }
  return row;
}

inline Array strange_scores(const StrangeOptions& options, const std::vector<double>& truth,
                            Random& random) {
  std::vector<double> values;
  for (const double label : truth) {
    auto row = strange_row(options, static_cast<std::int32_t>(label), random);
    if (options.kind == Kind::logits) {
      for (double& p : row) p = options.grid > 0 ? std::round(p * options.grid) : 9 * p - 4;
    }
    values.insert(values.end(), row.begin(), row.end());
  }
  return matrix(options.sample_count, options.class_count, values, options.dtype);
}

inline Array strange_labels(const StrangeOptions& options, const std::vector<double>& truth,
                            Random& random) {
  std::vector<double> values;
  for (const double label : truth) {
    const auto other =
        static_cast<double>(random.below(static_cast<std::uint64_t>(options.class_count)));
    values.push_back(random.unit() < options.abstain ? -1 : random.below(5) < 2 ? label : other);
  }
  return vector(values, DType::int32);
}

inline Array strange_correctness(const StrangeOptions& options, Random& random) {
  std::vector<double> values;
  for (int i = 0; i < options.sample_count; ++i) {
    values.push_back(static_cast<double>(random.below(2)));
  }
  return vector(values, DType::uint8);
}

inline Pool strange_pool(const StrangeOptions& options) {
  Random random(options.seed);
  std::vector<double> truth;
  for (int i = 0; i < options.sample_count; ++i) {
    truth.push_back(
        static_cast<double>(random.below(static_cast<std::uint64_t>(options.class_count))));
  }
  PoolParts parts{.kind = options.kind};
  for (int m = 0; m < options.model_count; ++m) {
    Array array;
    if (options.duplicates && m % 2 == 1) {
      array = parts.models.back().predictions;
    } else if (has_scores(options.kind)) {
      array = strange_scores(options, truth, random);
    } else if (options.kind == Kind::labels) {
      array = strange_labels(options, truth, random);
    } else {
      array = strange_correctness(options, random);
    }
    parts.models.push_back(model("model_" + std::to_string(m), std::move(array)));
  }
  if (options.kind != Kind::correctness) parts.labels = vector(truth);
  if (options.kind == Kind::labels) {
    for (int k = 0; k < options.class_count; ++k) parts.class_names.push_back(std::to_string(k));
  }
  return make_pool(std::move(parts));
}

/// The pool of one sample of `pool`.
inline Pool sample_of(Pool pool, std::uint64_t sample) {
  const auto keep = [&](Array& array) {
    array.data += static_cast<std::int64_t>(sample) * array.strides[0];
    array.shape[0] = 1;
  };
  for (Model& each : pool.models) keep(each.predictions);
  keep(pool.truth);
  pool.sample_count = 1;
  return pool;
}

}  // namespace hqe::testing
