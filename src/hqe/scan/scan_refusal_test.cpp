// SPDX-License-Identifier: MIT
// What the scan refuses, where it says the offence is, and when it changes its mind about the kind.
#include <doctest/doctest.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "hqe/base/error.h"
#include "hqe/scan/scan.h"
#include "tests/support/arrays.h"
#include "tests/support/findings.h"

namespace hqe {
namespace {

using testing::Collector;
using testing::findings_of;
using testing::matrix;
using testing::model;
using testing::plain_findings;
using testing::says;

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

TEST_CASE("sums are checked at their tolerance, on either side") {
  for (const double off : {-1.0, 1.0}) {
    std::vector<double> values = repeat({0.25, 0.75}, 10);
    values[8] += off * 0.0009999;
    CHECK(refusal(two_models(values, values, Kind::probabilities, DType::float64)) == "accepted");
    values[8] = 0.25 + off * 0.0010001;
    CHECK(says(refusal(two_models(values, values, Kind::probabilities, DType::float64)), "row 4"));
  }
}

TEST_CASE("rows of rounded probabilities may be off by half a decimal a class, with a note") {
  const auto note_of = [](const std::vector<double>& values, DType dtype) {
    Pool pool = two_models(values, values, std::nullopt, dtype);
    scan(pool, {}, {.threads = 2});
    return pool.notes.empty() ? std::string() : pool.notes.front().text();
  };
  for (const DType dtype : {DType::float32, DType::float64}) {
    std::vector<double> values = repeat({0.25, 0.75}, 10);
    CHECK(note_of(values, dtype).empty());
    values[8] = 0.26;  // 0.255 and 0.745, say.
    CHECK(says(note_of(values, dtype), "rounded to two or three decimals"));
    values[8] = 0.27;
    CHECK(says(refusal(two_models(values, values, Kind::probabilities, dtype)), "row 4"));
    values[8] = 0.2612;
    CHECK(says(refusal(two_models(values, values, Kind::probabilities, dtype)), "row 4"));
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

TEST_CASE("what a consumer throws reaches the caller") {
  struct Thrower : Collector {
    void consume(const Block&, int) override { throw Cancelled("enough"); }
  } thrower;
  Pool pool = two_models(repeat({0.5, 0.5}, 1000), repeat({0.5, 0.5}, 1000), std::nullopt);
  BlockConsumer* const consumers[] = {&thrower};
  CHECK_THROWS_AS(scan(pool, consumers, {.threads = 2}), Cancelled);
}

/// Counts the samples that came.
class SampleCounter : public BlockConsumer {
 public:
  void start(const Pool&, int) override { samples = 0; }
  void consume(const Block& block, int) override {
    samples += static_cast<std::uint64_t>(block.count);
  }
  void finish() override {}

  std::atomic<std::uint64_t> samples = 0;
};

TEST_CASE("after an offence nothing more is handed on, and the first is found all the same") {
  constexpr int rows = 200'000;
  std::vector<double> first = repeat({0.25, 0.75}, rows), second = first;
  second[0] = std::numeric_limits<double>::quiet_NaN();
  first[2 * (rows - 1)] = -5;
  Pool pool = two_models(first, second, Kind::probabilities);
  for (const int threads : {1, 3}) {
    SampleCounter counter;
    BlockConsumer* const consumers[] = {&counter};
    std::string text;
    try {
      scan(pool, consumers, {.threads = threads});
    } catch (const InputError& error) {
      text = error.what();
    }
    CHECK(says(text, "row 199999, column 0"));
    if (threads == 1) CHECK(counter.samples == 0);
  }
}

}  // namespace
}  // namespace hqe
