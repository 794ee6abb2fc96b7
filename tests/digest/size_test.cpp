// SPDX-License-Identifier: MIT
// A digest is never larger than what it was made of, whatever types that has.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "hqe/base/random.h"
#include "hqe/hqe.h"
#include "tests/digest/answers.h"
#include "tests/support/io.h"
#include "tests/support/strange_pools.h"

namespace hqe::testing {
namespace {

using NumberOf = std::function<double(double truth, Random& random)>;

/// A model of a pool in the making, as a column of numbers of some type.
struct Given {
  DType dtype = DType::int8;
  NumberOf number;
};

constexpr int sample_count = 30000;

Pool pool_of_columns(Kind kind, int classes, const std::vector<Given>& columns, int rows) {
  Random random(3);
  std::vector<double> truth;
  for (int i = 0; i < rows; ++i) {
    truth.push_back(static_cast<double>(random.below(static_cast<std::uint64_t>(classes))));
  }
  PoolParts parts{.kind = kind, .labels = vector(truth, DType::int32)};
  for (const Given& given : columns) {
    std::vector<double> numbers;
    for (const double label : truth) numbers.push_back(given.number(label, random));
    std::string name = "model_";
    name += std::to_string(parts.models.size());
    parts.models.push_back(model(name, vector(numbers, given.dtype)));
  }
  return make_pool(std::move(parts));
}

/// Labels up to `most`, often right.
Given labels_to(DType dtype, int most, double wrong = 0) {
  return {dtype, [most, wrong](double truth, Random& random) {
            if (random.below(3) == 0) return wrong;
            return std::min(truth, static_cast<double>(most));
          }};
}

/// P(class 1) in steps of 2^-bits.
Given shares_of(DType dtype, int bits) {
  return {dtype, [bits](double truth, Random& random) {
            const double share = 0.3 * truth + 0.65 * random.unit();
            return std::ldexp(std::round(std::ldexp(share, bits)), -bits);
          }};
}

std::uint64_t bytes_of(const std::vector<Given>& columns) {
  std::uint64_t bytes = 0;
  for (const Given& given : columns) bytes += sample_count * size_of(given.dtype);
  return bytes;
}

/// Its size, what it says of the predictions' size, and its answers in a smaller pool.
void check_size(Kind kind, int classes, const std::vector<Given>& columns, char version) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "a.digest";
  const DigestSummary summary =
      write_digest(pool_of_columns(kind, classes, columns, sample_count), path);
  CHECK(summary.prediction_bytes == bytes_of(columns));
  // True labels take a byte or two in every test here.
  CHECK(static_cast<double>(summary.bytes) <=
        1.01 * static_cast<double>(bytes_of(columns) + sample_count * (classes > 256 ? 2 : 1)) +
            4096);
  const std::string written = content(path);
  CHECK(contains(written, std::string(R"("version":)") + version));
  CHECK(contains(written, std::string(R"("version":")") + version));

  const Pool small = pool_of_columns(kind, classes, columns, 80);
  write_digest(small, folder.path() / "b.digest");
  check_same_answers(small, open_pool({.files = {folder.path() / "b.digest"}}));
  std::filesystem::create_directory(folder.path() / "parts");
  write_digest(small, folder.path() / "parts/1.digest", {.rows = RowRange{0, 33}});
  write_digest(small, folder.path() / "parts/0.digest", {.rows = RowRange{33, 80}});
  check_same_answers(small, open_pool({.folder = folder.path() / "parts"}));
}

TEST_CASE(
    "a digest of labels takes no more than labels of any types, one type a model if need be") {
  const Given byte = labels_to(DType::int8, 127, -1), whole = labels_to(DType::uint8, 199);
  const Given wide = labels_to(DType::int16, 199, -1), large = labels_to(DType::uint16, 299);
  check_size(Kind::labels, 200, {byte, byte, byte, byte}, '1');
  check_size(Kind::labels, 200, {whole, whole, whole, byte}, '2');
  check_size(Kind::labels, 200, {whole, whole, whole, whole, whole, whole, whole, whole, wide},
             '2');
  check_size(Kind::labels, 200, {wide, wide, wide, wide}, '1');
  check_size(Kind::labels, 300, {large, large, byte, large}, '2');
}

TEST_CASE("a digest of P(class 1) takes no more than files of it alone, of any types") {
  const Given half = shares_of(DType::float16, 9), brain = shares_of(DType::bfloat16, 7);
  const Given tiny{DType::bfloat16, [](double truth, Random& random) {
                     return truth == 1 ? 0.75
                                       : std::ldexp(1.0, -static_cast<int>(random.below(60)));
                   }};
  const Given single = shares_of(DType::float32, 24), wide = shares_of(DType::float64, 52);
  check_size(Kind::probabilities, 2, {half, half, half, half}, '1');
  check_size(Kind::probabilities, 2, {brain, half, brain, brain}, '1');
  check_size(Kind::probabilities, 2, {tiny, tiny, tiny, tiny}, '1');
  check_size(Kind::probabilities, 2, {single, single, single, single}, '1');
  check_size(Kind::probabilities, 2, {wide, wide, wide, wide}, '1');
  check_size(Kind::probabilities, 2, {wide, single, wide, wide}, '1');
  check_size(Kind::probabilities, 2, {half, single, half, wide}, '2');
  check_size(Kind::probabilities, 2, {tiny, half, tiny, tiny}, '2');
}

TEST_CASE("a digest of files of one column and of two keeps one and two") {
  Pool pool = pool_of_columns(
      Kind::probabilities, 2,
      {shares_of(DType::float16, 9), shares_of(DType::float32, 24), shares_of(DType::float32, 24)},
      sample_count);
  for (const DType dtype : {DType::float16, DType::float32}) {
    Pool two = strange_pool({.dtype = dtype,
                             .model_count = 1,
                             .sample_count = sample_count,
                             .class_count = 2,
                             .grid = dtype == DType::float16 ? 8 : 0});
    pool.models[2] = two.models[0];
    pool.models[2].name = "two columns";
    const TemporaryFolder folder;
    const DigestSummary summary = write_digest(pool, folder.path() / "a.digest");
    CHECK(summary.prediction_bytes == sample_count * (2 + 4 + 2 * size_of(dtype)));
    CHECK(static_cast<double>(summary.bytes) <=
          1.01 * static_cast<double>(summary.prediction_bytes + sample_count) + 4096);
    const Pool opened = open_pool({.files = {folder.path() / "a.digest"}});
    CHECK(to_json(evaluate(opened, {})) == to_json(evaluate(pool, {})));
    CHECK(to_json(inspect(opened)) == to_json(inspect(pool)));
  }
}

TEST_CASE("labels that were numbered anew count as they were given") {
  // 1 to 200 in bytes; 0 to 199 and possible abstentions take two.
  PoolParts parts{.kind = Kind::labels};
  std::vector<double> truth;
  for (int i = 0; i < sample_count; ++i) truth.push_back(1 + i % 200);
  parts.labels = vector(truth, DType::uint8);
  for (const char* name : {"a", "b", "c"}) {
    parts.models.push_back(model(name, vector(truth, DType::uint8)));
    truth[static_cast<std::size_t>(parts.models.size())] = 1;
  }
  const TemporaryFolder folder;
  const DigestSummary summary =
      write_digest(make_pool(std::move(parts)), folder.path() / "a.digest");
  CHECK(summary.prediction_bytes == 3 * sample_count);
  CHECK(static_cast<double>(summary.bytes) <= 1.01 * 4 * sample_count + 4096);
}

/// Tells a digest's description otherwise than it is.
std::string refusal_with(const std::string& whole, const std::string& from, const std::string& to) {
  REQUIRE(from.size() == to.size());
  std::string changed = whole;
  const std::size_t at = changed.find(from);
  REQUIRE(at != std::string::npos);
  changed.replace(at, from.size(), to);
  const TemporaryFolder folder;
  const auto path = folder.write("b.digest", changed);
  return refusal([&] { static_cast<void>(open_pool({.files = {path}})); });
}

TEST_CASE("how numbers are stored is checked as a stranger's word") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "a.digest";
  const Given half = shares_of(DType::float16, 9), single = shares_of(DType::float32, 24);
  write_digest(pool_of_columns(Kind::probabilities, 2, {half, single, half}, 40), path);
  const std::string two = content(path);
  CHECK(contains(refusal_with(two, R"("version":2)", R"("version":3)"), "versions 1 and 2"));
  CHECK(contains(refusal_with(two, R"("version":2)", R"("version":1)"), "tensor values"));
  CHECK(contains(refusal_with(two, R"("stored":"float16")", R"("stored":"float32")"),
                 "tensor values"));
  CHECK(contains(refusal_with(two, R"("stored":"float16")", R"("stored":"float64")"),
                 "float64 is wider than float32"));
  CHECK(contains(refusal_with(two, R"("stored":"float16")", R"("stored": "uint16")"),
                 "is no type of probabilities"));
  CHECK(contains(refusal_with(two, R"("alone":true)", R"("alone":1234)"), "neither true nor"));
  CHECK(contains(refusal_with(two, R"("alone":true)", R"("along":true)"), "tensor values"));
  CHECK(contains(refusal_with(two, R"("complements":true)", R"("complement_":true)"),
                 "are no complements"));
  CHECK(contains(refusal_with(two, R"("values":{"dtype":"U8")", R"("values":{"dtype":"I8")"),
                 "tensor values"));
  write_digest(pool_of_columns(Kind::labels, 200,
                               {labels_to(DType::uint8, 199), labels_to(DType::int8, 127, -1)}, 40),
               path);
  const std::string labels = content(path);
  CHECK(contains(refusal_with(labels, R"("stored":"uint8")", R"("stored":"int16")"), "is wider"));
  CHECK(contains(refusal_with(labels, R"("stored":"uint8")", R"("stares":"uint8")"), "stored"));
}

}  // namespace
}  // namespace hqe::testing
