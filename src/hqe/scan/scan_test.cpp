// SPDX-License-Identifier: MIT
#include "hqe/scan/scan.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "hqe/base/elementary.h"
#include "hqe/base/error.h"
#include "hqe/base/random.h"
#include "hqe/bits/target.h"
#include "tests/support/arrays.h"
#include "tests/support/findings.h"

namespace hqe {
namespace {

using testing::all_layouts;
using testing::Findings;
using testing::findings_of;
using testing::Layout;
using testing::likeliest_of;
using testing::matrix;
using testing::model;
using testing::plain_findings;
using testing::plain_likeliest;

/// Forces each available target in turn, and the best one again at the end.
template <class Function>
void on_every_target(Function function) {
  for (const std::string& target : available_targets()) {
    force_target(target);
    REQUIRE(active_target() == target);
    function();
  }
}

struct PoolSize {
  int models, samples, classes;
};

/// Rows with a story: most are plain, some hold ties, zeros, near ties or one sure class.
std::vector<double> random_row(Random& random, int classes, Kind kind) {
  const auto count = static_cast<std::size_t>(classes);
  std::vector<double> row(count);
  for (double& value : row) value = random.normal() * 2;
  const std::size_t one = random.below(count), two = random.below(count);
  switch (random.below(6)) {
    case 0:
      row[two] = row[one];
      break;
    case 1:
      std::fill(row.begin(), row.end(), 0.25);
      break;
    case 2:
      row[one] = kind == Kind::logits ? 800 : 40;
      break;
    case 3:
      row[one] = row[two] = 9;
      break;
    default:
      row[one] += 6;
  }
  if (kind == Kind::logits) return row;
  double sum = 0;
  for (double& value : row) sum += value = portable_exp(value);
  for (double& value : row) value /= sum;
  if (random.below(3) == 0) {
    // A few exact zeros, at no more cost to the sum than half precision has itself.
    for (double& value : row) {
      if (value < 1e-4 / classes) value = 0;
    }
  }
  return row;
}

Pool random_pool(PoolSize shape, Kind kind, DType dtype, Layout layout, std::uint64_t seed) {
  Random random(seed);
  PoolParts parts;
  parts.kind = kind;
  std::vector<double> labels;
  for (int i = 0; i < shape.samples; ++i) {
    labels.push_back(static_cast<double>(random.below(static_cast<std::uint64_t>(shape.classes))));
  }
  parts.labels = testing::vector(labels, DType::int64, layout);
  for (int m = 0; m < shape.models; ++m) {
    std::vector<double> values;
    for (int i = 0; i < shape.samples; ++i) {
      if (has_scores(kind)) {
        const auto row = random_row(random, shape.classes, kind);
        values.insert(values.end(), row.begin(), row.end());
      } else {
        const int lowest = kind == Kind::labels && dtype != DType::uint8 ? -1 : 0;
        values.push_back(
            static_cast<double>(random.below(static_cast<std::uint64_t>(shape.classes - lowest))) +
            lowest);
      }
    }
    const std::int64_t columns = has_scores(kind) ? shape.classes : 1;
    Array array = matrix(shape.samples, columns, values, dtype, layout);
    array.rank = has_scores(kind) ? 2 : 1;
    parts.models.push_back(model("m" + std::to_string(m), array));
  }
  return make_pool(parts);
}

TEST_CASE("a scan of scores finds what a plain look at every value finds") {
  const PoolSize shapes[] = {{3, 1, 2},    {2, 65, 1000}, {3, 63, 3},   {2, 64, 10},
                             {3, 65, 17},  {2, 511, 4},   {3, 512, 10}, {3, 513, 33},
                             {2, 5000, 3}, {3, 130, 1000}};
  std::uint64_t seed = 1;
  for (const PoolSize shape : shapes) {
    for (const Kind kind : {Kind::probabilities, Kind::logits}) {
      for (const DType dtype : {DType::float16, DType::bfloat16, DType::float32, DType::float64}) {
        // The few bits of bfloat16 cannot make a thousand probabilities sum to 1.
        if (kind == Kind::probabilities && dtype == DType::bfloat16 && shape.classes > 2) continue;
        const Layout layout = all_layouts[seed % std::size(all_layouts)];
        const Pool pool = random_pool(shape, kind, dtype, layout, ++seed);
        CAPTURE(shape.samples);
        CAPTURE(shape.classes);
        CAPTURE(to_string(kind));
        CAPTURE(to_string(dtype));
        CAPTURE(static_cast<int>(layout));
        const Findings expected = plain_findings(pool);
        const auto likeliest = plain_likeliest(pool);
        on_every_target([&] {
          CAPTURE(active_target());
          for (const int threads : {1, 2, 7}) CHECK((findings_of(pool, threads) == expected));
          CHECK((likeliest_of(pool, 2) == likeliest));
        });
      }
    }
  }
}

TEST_CASE("rows of every short length are surveyed alike, vectors whole or overlapping") {
  for (int classes = 2; classes <= 36; ++classes) {
    for (const Kind kind : {Kind::probabilities, Kind::logits}) {
      for (const DType dtype : {DType::float32, DType::float64}) {
        CAPTURE(classes);
        CAPTURE(to_string(kind));
        CAPTURE(to_string(dtype));
        const auto seed = static_cast<std::uint64_t>(classes);
        const Pool pool = random_pool({3, 130, classes}, kind, dtype, Layout::plain, seed);
        const Findings expected = plain_findings(pool);
        const auto likeliest = plain_likeliest(pool);
        on_every_target([&] {
          CAPTURE(active_target());
          CHECK((findings_of(pool, 1) == expected));
          CHECK((likeliest_of(pool, 1) == likeliest));
        });
      }
    }
  }
}

TEST_CASE("every layout of the same numbers gives the same findings") {
  for (const Kind kind : {Kind::probabilities, Kind::logits}) {
    const Findings plain =
        findings_of(random_pool({3, 200, 21}, kind, DType::float32, Layout::plain, 5), 1);
    for (const Layout layout : all_layouts) {
      const Pool pool = random_pool({3, 200, 21}, kind, DType::float32, layout, 5);
      CHECK((findings_of(pool, 2) == plain));
    }
  }
}

/// One sample of true class 1, whose scores by one model are given.
Pool one_row(const std::vector<double>& row, Kind kind, DType dtype) {
  PoolParts parts;
  parts.kind = kind;
  parts.models = {model("a", matrix(1, static_cast<std::int64_t>(row.size()), row, dtype))};
  parts.labels = testing::vector({1});
  return make_pool(parts);
}

TEST_CASE("a class within rounding below the true one is a rival, one further below is not") {
  const auto rivals = [](double other, double own, Kind kind) {
    std::vector<std::int32_t> found;
    on_every_target([&] {
      found =
          findings_of(one_row({other, own, 1 - other - own}, kind, DType::float64), 1).rivals[0];
    });
    return found;
  };
  const double r = 0x1p-50;
  CHECK(rivals(0.45, 0.45, Kind::probabilities) == std::vector<std::int32_t>{0});
  CHECK(rivals(0.45 * (1 - r / 2), 0.45, Kind::probabilities) == std::vector<std::int32_t>{0});
  CHECK(rivals(0.45 * (1 - 8 * r), 0.45, Kind::probabilities).empty());
  CHECK(rivals(3 - 0x1p-42, 3, Kind::logits) == std::vector<std::int32_t>{0});
  CHECK(rivals(3 - 0x1p-39, 3, Kind::logits).empty());
}

TEST_CASE("where the true class has no chance at all, every class with one is a rival") {
  using Labels = std::vector<std::int32_t>;
  for (const DType dtype : {DType::float32, DType::float64}) {
    on_every_target([&] {
      const auto rivals = [&](const std::vector<double>& row, Kind kind) {
        return findings_of(one_row(row, kind, dtype), 1).rivals[0];
      };
      CHECK(rivals({0, 0, 1, 0x1p-140, 0}, Kind::probabilities) == Labels{2, 3});
      CHECK(rivals({-600, -1000, 0, -745, -747}, Kind::logits) == Labels{0, 2, 3});
      // The softmax of these two may tie although their logits differ: both are denormal.
      CHECK(rivals({-744.5, -744.4, 0}, Kind::logits) == Labels{0, 2});
    });
  }
}

TEST_CASE("rows of many classes are summed and surveyed like short ones") {
  constexpr int classes = 20011;
  std::vector<double> row(classes, 1.0 / classes);
  on_every_target([&] {
    for (const std::size_t best : {std::size_t{0}, std::size_t{4096}, std::size_t{classes - 1}}) {
      auto uneven = row;
      uneven[best] *= 3;
      const Pool pool = one_row(uneven, Kind::probabilities, DType::float32);
      const Findings findings = findings_of(pool, 1);
      CHECK((findings == plain_findings(pool)));
      CHECK(findings.rivals[0].size() == classes - 1);
    }
    auto surplus = row;
    for (double& value : surplus) value *= 1.0012;
    CHECK_THROWS_AS(findings_of(one_row(surplus, Kind::probabilities, DType::float32), 1),
                    InputError);
  });
}

TEST_CASE("a scan of labels finds what is in the files, whatever their integers") {
  std::uint64_t seed = 1;
  for (const DType dtype : {DType::boolean, DType::int8, DType::int16, DType::int32, DType::int64,
                            DType::uint8, DType::uint16, DType::uint32, DType::uint64}) {
    for (const Layout layout : all_layouts) {
      for (const int samples : {1, 65, 5000}) {
        const Kind kind = dtype == DType::boolean || dtype == DType::uint16 ||
                                  dtype == DType::uint32 || dtype == DType::uint64
                              ? Kind::correctness
                              : Kind::labels;
        const int classes = kind == Kind::correctness ? 2 : 100;
        const Pool pool = random_pool({2, samples, classes}, kind, dtype, layout, ++seed);
        CHECK((findings_of(pool, 2) == plain_findings(pool)));
      }
    }
  }
}

TEST_CASE("class scores of logits are their softmax, also where exp would overflow") {
  PoolParts parts;
  parts.kind = Kind::logits;
  parts.models = {model("a", matrix(2, 2, {1000, 1000, 0, -2000})),
                  model("b", matrix(2, 2, {-1, 1, 0, 0.5}))};
  parts.labels = testing::vector({1, 1});
  const Pool pool = make_pool(parts);
  std::vector<double> scores(2);
  class_scores(pool, 0, 0, scores);
  CHECK(scores == std::vector<double>{0.5, 0.5});
  class_scores(pool, 0, 1, scores);
  CHECK(scores == std::vector<double>{1, 0});
  class_scores(pool, 1, 0, scores);
  CHECK(scores[1] == doctest::Approx(1 / (1 + std::exp(-2.0))).epsilon(1e-15));
  CHECK(predicted_label(pool, 0, 0) == 0);
  CHECK(predicted_label(pool, 1, 0) == 1);
}

TEST_CASE("class scores of floats are their shares one by one, on every target") {
  for (const std::string& target : available_targets()) {
    CAPTURE(target);
    force_target(target);
    for (const std::int64_t classes : {2, 7, 8, 9, 17, 300}) {
      Random random(static_cast<std::uint64_t>(classes));
      std::vector<double> values(static_cast<std::size_t>(3 * classes));
      for (double& value : values) value = random.unit();
      // What a caller's array may have become since it was scanned.
      values[0] = NAN;
      values[1] = 2;
      values.back() = -0.5;
      PoolParts parts{.kind = Kind::probabilities};
      parts.models = {model("a", matrix(3, classes, values))};
      parts.labels = testing::vector({0, 1, 1});
      const Pool pool = make_pool(parts);
      std::vector<double> scores(static_cast<std::size_t>(classes));
      for (std::uint64_t sample = 0; sample < 3; ++sample) {
        class_scores(pool, 0, sample, scores);
        for (std::int64_t c = 0; c < classes; ++c) {
          const double expected = as_share(
              read_number(pool.models[0].predictions, static_cast<std::int64_t>(sample), c));
          CHECK(scores[static_cast<std::size_t>(c)] == expected);
        }
      }
    }
  }
  force_target(available_targets().back());
}

}  // namespace
}  // namespace hqe
