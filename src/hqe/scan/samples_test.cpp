// SPDX-License-Identifier: MIT
#include "hqe/predictions/samples.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "hqe/base/error.h"
#include "hqe/base/random.h"
#include "hqe/bits/target.h"
#include "tests/support/arrays.h"
#include "tests/support/copied_pool.h"
#include "tests/support/findings.h"

namespace hqe {
namespace {

using testing::all_layouts;
using testing::copied_pool;
using testing::findings_of;
using testing::Layout;
using testing::matrix;
using testing::model;

using Samples = std::vector<std::uint64_t>;

Samples random_samples(Random& random, std::uint64_t below, std::size_t count) {
  Samples samples(count);
  for (std::uint64_t& sample : samples) sample = random.below(below);
  return samples;
}

struct Shape {
  Kind kind = Kind::labels;
  DType dtype = DType::int32;
  Layout layout = Layout::plain;
  int samples = 300, classes = 9;
};

Pool random_pool(const Shape& shape, Random& random) {
  PoolParts parts{.kind = shape.kind};
  std::vector<double> truth;
  for (int i = 0; i < shape.samples; ++i) {
    truth.push_back(static_cast<double>(random.below(static_cast<std::uint64_t>(shape.classes))));
  }
  if (shape.kind != Kind::correctness) {
    parts.labels = testing::vector(truth, DType::uint16, shape.layout);
  }
  const int columns = has_scores(shape.kind) ? shape.classes : 1;
  for (int m = 0; m < 3; ++m) {
    std::vector<double> values;
    for (int i = 0; i < shape.samples; ++i) {
      // Eighths are exact in every float, and a row of them sums to 1 exactly.
      std::vector<double> row(static_cast<std::size_t>(columns), 0.0);
      if (has_scores(shape.kind)) {
        for (int grain = 0; grain < 8; ++grain) {
          row[random.below(row.size())] += shape.kind == Kind::logits ? -0.5 : 0.125;
        }
      } else {
        row[0] = static_cast<double>(random.below(shape.kind == Kind::correctness ? 2 : 9));
      }
      values.insert(values.end(), row.begin(), row.end());
    }
    Array array = matrix(shape.samples, columns, values, shape.dtype, shape.layout);
    array.rank = has_scores(shape.kind) ? 2 : 1;
    parts.models.push_back(model("m" + std::to_string(m), array));
  }
  return make_pool(parts);
}

TEST_CASE("a scan of some samples finds what it finds in a copy of them") {
  Random random(3);
  const auto check = [&](const Shape& shape) {
    CAPTURE(to_string(shape.kind));
    CAPTURE(to_string(shape.dtype));
    CAPTURE(static_cast<int>(shape.layout));
    const Pool pool = random_pool(shape, random);
    const Samples samples = random_samples(random, pool.sample_count, 500);
    const Pool some = samples_of(pool, samples);
    CHECK((findings_of(some, 2) == findings_of(copied_pool(pool, samples), 1)));
    // Some of some: the rows are those of the first pool.
    const Samples again = random_samples(random, samples.size(), 70);
    const Pool fewer = samples_of(some, again);
    CHECK((findings_of(fewer, 1) == findings_of(copied_pool(some, again), 1)));
    CHECK(fewer.stored_sample(7) == samples[again[7]]);
  };
  for (const Layout layout : all_layouts) {
    for (const DType dtype : {DType::float16, DType::bfloat16, DType::float32, DType::float64}) {
      check({Kind::probabilities, dtype, layout});
      check({Kind::logits, dtype, layout, 200, 40});
    }
    for (const DType dtype : {DType::int8, DType::int16, DType::int32, DType::int64, DType::uint8,
                              DType::uint16, DType::uint32, DType::uint64}) {
      check({Kind::labels, dtype, layout});
      check({Kind::correctness, dtype, layout});
    }
    check({Kind::correctness, DType::boolean, layout});
  }
}

TEST_CASE("a pool of some samples names the rows as they are stored") {
  PoolParts parts{.kind = Kind::probabilities};
  parts.models = {model("a", matrix(4, 2, {1, 0, 0, 1, 0.5, 0.7, 1, 0})),
                  model("b", matrix(4, 2, {1, 0, 0, 1, 1, 0, 1, 0}))};
  parts.labels = testing::vector({0, 1, 0, 1});
  const Pool pool = make_pool(parts);
  CHECK_NOTHROW(findings_of(samples_of(pool, {3, 1, 0}), 1));
  CHECK_THROWS_WITH_AS(findings_of(samples_of(pool, {3, 2, 0}), 1),
                       doctest::Contains("row 2 (counting from 0)"), InputError);
  CHECK_THROWS_AS(samples_of(pool, {}), UsageError);
  CHECK_THROWS_AS(samples_of(pool, {0, 4}), UsageError);
}

/// Classes 0, 1, 2 with 10, 101 and 3 samples, mixed.
Pool uneven_pool() {
  std::vector<double> truth(114, 1);
  for (const std::size_t i : {1u, 7u, 8u, 30u, 31u, 32u, 60u, 61u, 99u, 113u}) truth[i] = 0;
  for (const std::size_t i : {0u, 50u, 100u}) truth[i] = 2;
  PoolParts parts{.kind = Kind::labels};
  parts.labels = testing::vector(truth);
  parts.models = {model("a", testing::vector(truth))};
  return make_pool(parts);
}

std::vector<std::uint64_t> class_sizes(const Pool& pool, const Samples& samples) {
  std::vector<std::uint64_t> sizes(static_cast<std::size_t>(pool.class_count));
  for (const std::uint64_t sample : samples) {
    ++sizes[static_cast<std::size_t>(pool.true_label(sample))];
  }
  return sizes;
}

Samples joined(const SampleSplit& split) {
  Samples all = split.selection;
  all.insert(all.end(), split.held_out.begin(), split.held_out.end());
  std::sort(all.begin(), all.end());
  return all;
}

TEST_CASE("a split depends on the order of the classes only, few or many") {
  const auto split_of = [](const std::vector<double>& truth) {
    PoolParts parts{.kind = Kind::labels};
    parts.models.push_back(testing::model("same", testing::vector(truth, DType::int32)));
    parts.models.push_back(testing::model("again", testing::vector(truth, DType::int32)));
    parts.labels = testing::vector(truth);
    return split_samples(make_pool(std::move(parts)), 0.5, 3).held_out;
  };
  std::vector<double> few, many;
  for (int x = 0; x < 60; ++x) {
    few.push_back(x * x % 7);
    many.push_back(x * x % 7 * 100);
  }
  CHECK(split_of(few) == split_of(many));
}

TEST_CASE("a split holds out its share of every class, and every sample is on one side") {
  const Pool pool = uneven_pool();
  Samples everything(pool.sample_count);
  for (std::uint64_t i = 0; i < pool.sample_count; ++i) everything[i] = i;
  for (const double share : {0.1, 0.3, 0.5, 0.9}) {
    for (std::uint64_t seed = 1; seed < 20; ++seed) {
      const SampleSplit split = split_samples(pool, share, seed);
      CHECK(joined(split) == everything);
      CHECK(std::is_sorted(split.selection.begin(), split.selection.end()));
      CHECK(std::is_sorted(split.held_out.begin(), split.held_out.end()));
      const auto sizes = class_sizes(pool, split.held_out);
      const double wanted[] = {10 * share, 101 * share, 3 * share};
      for (std::size_t k = 0; k < 3; ++k) {
        CHECK(std::abs(static_cast<double>(sizes[k]) - wanted[k]) <= 1);
      }
      CHECK(split.held_out == split_samples(pool, share, seed).held_out);
    }
  }
  CHECK(split_samples(pool, 0.5, 1).held_out != split_samples(pool, 0.5, 2).held_out);
  CHECK_THROWS_AS(split_samples(pool, 0, 1), UsageError);
  CHECK_THROWS_AS(split_samples(pool, 1, 1), UsageError);
  CHECK_THROWS_AS(split_samples(pool, 1e-3, 1), UsageError);
}

TEST_CASE("classes far apart are split as those side by side") {
  const Pool near = uneven_pool();
  std::vector<double> truth;
  for (std::uint64_t i = 0; i < near.sample_count; ++i) {
    truth.push_back(1'000'000.0 * near.true_label(i));
  }
  PoolParts parts{.kind = Kind::labels};
  parts.labels = testing::vector(truth);
  parts.models = {model("a", testing::vector(truth))};
  const Pool far = make_pool(parts);
  REQUIRE(far.class_count > 2'000'000);
  for (std::uint64_t seed = 1; seed < 5; ++seed) {
    CHECK(split_samples(far, 0.3, seed).held_out == split_samples(near, 0.3, seed).held_out);
  }
}

TEST_CASE("folds hold out every sample once, and classes in equal numbers") {
  const Pool pool = uneven_pool();
  for (const int count : {2, 5, 114}) {
    const std::vector<SampleSplit> folds = fold_samples(pool, count, 4);
    std::vector<int> held_out(pool.sample_count);
    for (const SampleSplit& fold : folds) {
      CHECK(joined(fold).size() == pool.sample_count);
      for (const std::uint64_t sample : fold.held_out) ++held_out[sample];
      const auto sizes = class_sizes(pool, fold.held_out);
      const auto first = class_sizes(pool, folds.front().held_out);
      for (std::size_t k = 0; k < 3; ++k)
        CHECK((sizes[k] <= first[k] + 1 && first[k] <= sizes[k] + 1));
    }
    CHECK(std::all_of(held_out.begin(), held_out.end(), [](int times) { return times == 1; }));
  }
  CHECK_THROWS_AS(fold_samples(pool, 1, 4), UsageError);
  CHECK_THROWS_AS(fold_samples(pool, 115, 4), UsageError);
}

}  // namespace
}  // namespace hqe
