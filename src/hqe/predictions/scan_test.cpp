// SPDX-License-Identifier: MIT
#include "hqe/predictions/scan.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <mutex>
#include <string>
#include <vector>

#include "hqe/base/elementary.h"
#include "hqe/base/error.h"
#include "hqe/base/random.h"
#include "hqe/bits/target.h"
#include "tests/support/arrays.h"

namespace hqe {
namespace {

using testing::all_layouts;
using testing::Layout;
using testing::matrix;
using testing::model;

/// Everything a scan says of a pool, in sample order.
struct Findings {
  std::vector<std::int32_t> truth;
  std::vector<std::vector<std::int32_t>> predicted;  ///< Per model.
  std::vector<std::vector<std::int32_t>> rivals;     ///< Per sample.
  bool operator==(const Findings&) const = default;
};

/// Collects the blocks, and checks what is promised of their order and shape.
class Collector : public BlockConsumer {
 public:
  void start(const Pool& pool, int worker_count) override {
    ++starts;
    worker_count_ = worker_count;
    findings.truth.assign(pool.sample_count, -7);
    findings.predicted.assign(pool.models.size(), findings.truth);
    findings.rivals.assign(has_scores(pool.kind) ? pool.sample_count : 0, {});
  }
  void consume(const Block& block, int worker) override {
    const std::scoped_lock lock(mutex_);
    const auto count = static_cast<std::size_t>(block.count);
    CHECK(worker < worker_count_);
    CHECK(block.first % 64 == 0);
    CHECK(block.count <= Block::max_count);
    REQUIRE(block.truth.size() == count);
    REQUIRE(block.predicted.size() == count * findings.predicted.size());
    for (std::size_t i = 0; i < count; ++i) {
      CHECK(findings.truth[block.first + i] == -7);
      findings.truth[block.first + i] = block.truth[i];
      for (std::size_t m = 0; m < findings.predicted.size(); ++m) {
        findings.predicted[m][block.first + i] = block.predicted[m * count + i];
      }
      if (findings.rivals.empty()) continue;
      findings.rivals[block.first + i].assign(block.rivals.begin() + block.rival_begin[i],
                                              block.rivals.begin() + block.rival_begin[i + 1]);
    }
  }
  void finish() override { ++finishes; }

  Findings findings;
  int starts = 0, finishes = 0;

 private:
  std::mutex mutex_;
  int worker_count_ = 0;
};

/// Forces each available target in turn, and the best one again at the end.
template <class Function>
void on_every_target(Function function) {
  for (const std::string& target : available_targets()) {
    force_target(target);
    REQUIRE(active_target() == target);
    function();
  }
}

Findings findings_of(Pool pool, int threads) {
  Collector collector;
  BlockConsumer* const consumers[] = {&collector};
  scan(pool, consumers, {.threads = threads});
  CHECK(collector.starts == 1);
  CHECK(collector.finishes == 1);
  return collector.findings;
}

/// The same said plainly: sample by sample, from class_scores() alone.
Findings plain_findings(const Pool& pool) {
  Findings findings;
  const auto class_count = static_cast<std::size_t>(pool.class_count);
  const double widening = pool.model_count() * 0x1p-50;
  std::vector<double> scores(class_count);
  findings.predicted.resize(pool.models.size());
  for (std::uint64_t sample = 0; sample < pool.sample_count; ++sample) {
    const std::int32_t truth = pool.true_label(sample);
    findings.truth.push_back(truth);
    std::vector<char> is_rival(class_count);
    for (std::size_t m = 0; m < pool.models.size(); ++m) {
      const auto id = static_cast<ModelId>(m);
      findings.predicted[m].push_back(predicted_label(pool, id, sample));
      if (!has_scores(pool.kind)) continue;
      class_scores(pool, id, sample, scores);
      const double own = scores[static_cast<std::size_t>(truth)];
      for (std::size_t k = 0; k < class_count; ++k) {
        if (scores[k] > 0 && (own == 0 || scores[k] > own * (1 - widening))) is_rival[k] = 1;
      }
    }
    if (!has_scores(pool.kind)) continue;
    auto& rivals = findings.rivals.emplace_back();
    for (std::size_t k = 0; k < class_count; ++k) {
      if (is_rival[k] != 0 && static_cast<std::int32_t>(k) != truth) {
        rivals.push_back(static_cast<std::int32_t>(k));
      }
    }
  }
  return findings;
}

struct Shape {
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
  for (double& value : row) sum += value = exact_exp(value);
  for (double& value : row) value /= sum;
  if (random.below(3) == 0) {
    // A few exact zeros, at no more cost to the sum than half precision has itself.
    for (double& value : row) {
      if (value < 1e-4 / classes) value = 0;
    }
  }
  return row;
}

Pool random_pool(Shape shape, Kind kind, DType dtype, Layout layout, std::uint64_t seed) {
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
  const Shape shapes[] = {{3, 1, 2},   {2, 65, 1000}, {3, 63, 3},   {2, 64, 10},  {3, 65, 17},
                          {2, 511, 4}, {3, 512, 10},  {3, 513, 33}, {2, 5000, 3}, {3, 130, 1000}};
  std::uint64_t seed = 1;
  for (const Shape shape : shapes) {
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
        on_every_target([&] {
          CAPTURE(active_target());
          for (const int threads : {1, 2, 7}) CHECK((findings_of(pool, threads) == expected));
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

TEST_CASE("rows of many classes are summed and judged like short ones") {
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

Pool two_models(std::vector<double> first, std::vector<double> second, std::optional<Kind> kind,
                DType dtype = DType::float32) {
  PoolParts parts;
  parts.kind = kind;
  const auto rows = static_cast<std::int64_t>(first.size()) / 2;
  parts.models = {model("a", matrix(rows, 2, first, dtype)),
                  model("b", matrix(rows, 2, second, dtype))};
  parts.labels = testing::vector(std::vector<double>(static_cast<std::size_t>(rows), 1.0));
  return make_pool(parts);
}

std::vector<double> repeat(std::vector<double> row, int times) {
  std::vector<double> all;
  for (int i = 0; i < times; ++i) all.insert(all.end(), row.begin(), row.end());
  return all;
}

std::string refusal(const Pool& pool, int threads = 1) {
  try {
    (void)findings_of(pool, threads);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("NaN and infinity are refused with row and column in every float type and kind") {
  for (const DType dtype : {DType::float16, DType::bfloat16, DType::float32, DType::float64}) {
    for (const Kind kind : {Kind::probabilities, Kind::logits}) {
      for (const double bad :
           {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
            -std::numeric_limits<double>::infinity()}) {
        for (const std::size_t column : {0u, 1u}) {
          std::vector<double> values = repeat({0.25, 0.75}, 100);
          values[2 * 70 + column] = bad;
          const std::string text =
              refusal(two_models(repeat({0.5, 0.5}, 100), values, kind, dtype));
          CHECK(says(text, "b.npy: row 70, column " + std::to_string(column) +
                               " (counting from 0): " + (std::isnan(bad) ? "NaN" : "infinity") +
                               " found"));
        }
      }
    }
  }
}

TEST_CASE("the first offence is the lowest model's lowest row, whatever the threads") {
  std::vector<double> first = repeat({0.5, 0.5}, 20000);
  std::vector<double> second = first;
  second[2 * 3] = -1;
  second[2 * 3 + 1] = 2;
  first[2 * 19000 + 1] = std::numeric_limits<double>::quiet_NaN();
  first[2 * 17000] = 0.75;
  for (const int threads : {1, 2, 7}) {
    for (int repetition = 0; repetition < 5; ++repetition) {
      CHECK(refusal(two_models(first, second, Kind::probabilities), threads) ==
            "a.npy: row 17000 (counting from 0): the probabilities sum to 1.25, not to 1 within "
            "0.001. Normalise the rows, or declare kind = \"logits\" if these are logits");
    }
  }
}

TEST_CASE("a declared probability below 0 or above 1 is refused") {
  std::vector<double> values = repeat({0.5, 0.5}, 10);
  values[4] = -0.5;
  values[5] = 1.5;
  const std::string text = refusal(two_models(values, values, Kind::probabilities));
  CHECK(says(text, "a.npy: row 2, column 0 (counting from 0): -0.5 is not a probability"));
  values[4] = 1.5;
  values[5] = -0.5;
  CHECK(says(refusal(two_models(values, values, Kind::probabilities)), "1.5 is not a probability"));
}

TEST_CASE("sums are judged at their tolerance, on either side") {
  for (const double off : {-1.0, 1.0}) {
    std::vector<double> values = repeat({0.25, 0.75}, 10);
    values[8] += off * 0.0009999;
    CHECK(refusal(two_models(values, values, Kind::probabilities, DType::float64)) == "accepted");
    values[8] = 0.25 + off * 0.0010001;
    CHECK(says(refusal(two_models(values, values, Kind::probabilities, DType::float64)), "row 4"));
  }
}

TEST_CASE("a late value outside [0,1] makes a detected probability pool one of logits") {
  std::vector<double> values = repeat({0.25, 0.75}, 1000);
  values[1998] = 3;
  Pool pool = two_models(values, values, std::nullopt);
  CHECK(pool.kind == Kind::probabilities);
  Collector collector;
  BlockConsumer* const consumers[] = {&collector};
  scan(pool, consumers, {.threads = 2});
  CHECK(pool.kind == Kind::logits);
  CHECK(collector.starts == 2);
  CHECK(collector.finishes == 1);
  CHECK((collector.findings == plain_findings(pool)));
}

TEST_CASE("files that turn out to differ in kind, or to be neither, are refused") {
  std::vector<double> values = repeat({0.25, 0.75}, 1000);
  const std::vector<double> good = values;
  values[1998] = 3;
  CHECK(says(refusal(two_models(good, values, std::nullopt)), "b.npy: holds logits"));
  values[1998] = 0.75;
  CHECK(says(refusal(two_models(good, values, std::nullopt)),
             "b.npy: row 999 (counting from 0): all values lie in [0,1], but the row sums to 1.5"));
  values[1998] = std::numeric_limits<double>::quiet_NaN();
  CHECK(says(refusal(two_models(good, values, std::nullopt)), "b.npy: row 999, column 0"));
}

TEST_CASE("a label that is no class is refused with its row") {
  PoolParts parts;
  parts.models = {model("a", testing::vector({0, 1, -1, 2})),
                  model("b", testing::vector({0, 1, 1, -0x1p40}, DType::int64))};
  parts.labels = testing::vector({0, 1, 1, 0});
  CHECK(says(refusal(make_pool(parts)),
             "b.npy: row 3 (counting from 0): -1099511627776 is not one of the 3 classes"));
  parts.class_names = {"cat", "dog"};
  CHECK(says(refusal(make_pool(parts)), "a.npy: row 3 (counting from 0): 2 is not one of the 2"));
  parts.kind = Kind::correctness;
  CHECK(says(refusal(make_pool(parts)), "a.npy: row 2 (counting from 0): -1 is neither 0"));
}

TEST_CASE("class scores of logits are their softmax, also where exp would overflow") {
  const Pool pool = two_models({1000, 1000, 0, -2000}, {-1, 1, 0, 0.5}, Kind::logits);
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

TEST_CASE("what a consumer throws reaches the caller") {
  struct Thrower : Collector {
    void consume(const Block&, int) override { throw Cancelled("enough"); }
  } thrower;
  Pool pool = two_models(repeat({0.5, 0.5}, 1000), repeat({0.5, 0.5}, 1000), std::nullopt);
  BlockConsumer* const consumers[] = {&thrower};
  CHECK_THROWS_AS(scan(pool, consumers, {.threads = 2}), Cancelled);
}

}  // namespace
}  // namespace hqe
