// SPDX-License-Identifier: MIT
#include "hqe/predictions/copied_rows.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <mutex>
#include <string>
#include <vector>

#include "hqe/base/random.h"
#include "hqe/bits/target.h"
#include "hqe/scan/sample_scores.h"
#include "tests/support/arrays.h"
#include "tests/support/findings.h"
#include "tests/support/lent_arrays.h"

namespace hqe {
namespace {

using testing::findings_of;
using testing::Layout;
using testing::lent;
using testing::likeliest_of;
using testing::matrix;
using testing::TestLender;

struct LendableShape {
  int models, samples, classes;
  Kind kind = Kind::probabilities;
  DType dtype = DType::float32;
};

/// Two classes of a row have nearly all of it, so that models differ.
Pool lendable_pool(const LendableShape& shape, std::uint64_t seed) {
  Random random(seed);
  const auto classes = static_cast<std::size_t>(shape.classes);
  PoolParts parts{.kind = shape.kind};
  std::vector<double> labels;
  for (int i = 0; i < shape.samples; ++i) {
    labels.push_back(static_cast<double>(random.below(classes)));
  }
  for (int m = 0; m < shape.models; ++m) {
    std::vector<double> values;
    for (int i = 0; i < shape.samples; ++i) {
      std::vector<double> row(classes, 0.0);
      const double share = 0.25 * static_cast<double>(random.below(5));
      const auto truth = static_cast<std::size_t>(labels[static_cast<std::size_t>(i)]);
      row[random.below(2) == 0 ? truth : random.below(classes)] += share;
      row[random.below(classes)] += 1 - share;
      values.insert(values.end(), row.begin(), row.end());
    }
    parts.models.push_back(testing::model(
        "m" + std::to_string(m), matrix(shape.samples, shape.classes, values, shape.dtype)));
  }
  parts.labels = testing::vector(labels);
  return make_pool(std::move(parts));
}

/// What consumers see of every class of every block, model after model.
class ScoreReader : public BlockConsumer {
 public:
  void start(const Pool& pool, int) override {
    classes_ = static_cast<std::size_t>(pool.class_count);
    scores.assign(pool.sample_count * pool.models.size() * classes_, -1);
  }
  void consume(const Block& block, int) override {
    const std::scoped_lock lock(mutex_);
    std::vector<std::int32_t> labels(classes_);
    for (std::size_t k = 0; k < classes_; ++k) labels[k] = static_cast<std::int32_t>(k);
    std::vector<double> row;
    const std::size_t models = block.pool->models.size();
    for (std::uint64_t i = block.first; i < block.first + static_cast<std::uint64_t>(block.count);
         ++i) {
      scores_of_models(*block.pool, i, labels, scores.data() + i * models * classes_, row);
    }
  }
  void finish() override {}

  std::vector<double> scores;

 private:
  std::size_t classes_ = 0;
  std::mutex mutex_;
};

std::vector<double> scores_in_blocks(Pool pool, int threads) {
  ScoreReader reader;
  BlockConsumer* const consumers[] = {&reader};
  scan(pool, consumers, {.threads = threads});
  return reader.scores;
}

const LendableShape lendable_shapes[] = {
    {3, 1, 256},
    {3, 130, 300},
    {2, 700, 1000},
    {2, 65, 513, Kind::probabilities, DType::float16},
    {2, 65, 300, Kind::probabilities, DType::float64},
    {3, 130, 300, Kind::logits, DType::float32},
    {1, 5000, 128, Kind::probabilities, DType::float64},
};

TEST_CASE("rows that are lent are copied, and nobody looks where they seem to lie") {
  std::uint64_t seed = 0;
  for (const LendableShape& shape : lendable_shapes) {
    CAPTURE(shape.samples);
    CAPTURE(shape.classes);
    const Pool plain = lendable_pool(shape, ++seed);
    const Pool copied = lent(plain);
    for (const std::string& target : available_targets()) {
      force_target(target);
      for (const int threads : {1, 2, 7}) {
        CHECK((findings_of(copied, threads) == findings_of(plain, 1)));
        CHECK((likeliest_of(copied, threads) == likeliest_of(plain, 1)));
      }
    }
    for (const int threads : {1, 3}) {
      CHECK((scores_in_blocks(copied, threads) == scores_in_blocks(plain, 1)));
    }
  }
}

TEST_CASE("parts of lent rows are copied in any order, and repeated") {
  const Pool plain = lendable_pool({2, 300, 300}, 5);
  const Pool copied = lent(plain);
  std::vector<std::uint64_t> some;
  for (std::uint64_t i = 40; i < 290; ++i) some.push_back(i);
  CHECK((findings_of(samples_of(copied, some), 2) == findings_of(samples_of(plain, some), 1)));
  Random random(3);
  for (std::uint64_t& sample : some) sample = random.below(300);
  CHECK((findings_of(samples_of(copied, some), 2) == findings_of(samples_of(plain, some), 1)));
  CHECK((scores_in_blocks(samples_of(copied, some), 2) ==
         scores_in_blocks(samples_of(plain, some), 1)));
}

TEST_CASE("each row of a pool is copied once by a scan") {
  const Pool copied = lent(lendable_pool({2, 300, 300}, 6));
  static_cast<void>(findings_of(copied, 2));
  for (const Model& each : copied.models) {
    const auto& lender = dynamic_cast<const TestLender&>(*each.predictions.witness);
    CHECK(lender.copied() == 300 * 300 * sizeof(float));
  }
}

TEST_CASE("a row of any length is read as it is lent") {
  for (const int classes : {128, 1024, 1025, 5000}) {
    const Pool plain = lendable_pool({1, 3, classes, Kind::probabilities, DType::float64}, 7);
    const Array copied = lent(plain.models[0].predictions);
    std::vector<double> expected(static_cast<std::size_t>(classes)), row = expected;
    for (const std::int64_t i : {0, 2}) {
      read_row(plain.models[0].predictions, i, expected);
      read_row(copied, i, row);
      CHECK((row == expected));
    }
  }
}

TEST_CASE("short rows, rows in pieces and pools too wide for a cache are read where they lie") {
  const Array array = matrix(4, 300, std::vector<double>(1200, 0.5));
  CHECK(lender_of_rows(array) == nullptr);
  CHECK(lender_of_rows(lent(array)) != nullptr);
  CHECK(lender_of_rows(lent(matrix(4, 255, std::vector<double>(1020, 0.5)))) == nullptr);
  Array sparse = lent(array);
  sparse.shape[1] = 280;
  CHECK(lender_of_rows(sparse) == nullptr);
  sparse = lent(array);
  sparse.strides[1] = 0;
  CHECK(lender_of_rows(sparse) == nullptr);
  const Pool pool = lent(lendable_pool({2, 4, 300}, 8));
  CHECK(BlockRows(pool, 64).copies());
  CHECK_FALSE(BlockRows(pool, 4096).copies());
}

}  // namespace
}  // namespace hqe
