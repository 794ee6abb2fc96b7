// SPDX-License-Identifier: MIT
#include "hqe/scan/scan_record.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "hqe/base/random.h"
#include "hqe/predictions/samples.h"
#include "tests/support/arrays.h"
#include "tests/support/findings.h"

namespace hqe {
namespace {

/// Four models that put halves and quarters on random classes, so that rivals and ties abound.
Pool recorded_pool(Kind kind, int samples, int classes, Random& random) {
  const auto below = static_cast<std::uint64_t>(classes);
  std::vector<double> truth;
  for (int i = 0; i < samples; ++i) truth.push_back(static_cast<double>(random.below(below)));
  PoolParts parts{.kind = kind, .labels = testing::vector(truth)};
  for (int m = 0; m < 4; ++m) {
    std::vector<double> values;
    for (int i = 0; i < samples; ++i) {
      std::vector<double> row(below, 0.0);
      row[static_cast<std::size_t>(truth[static_cast<std::size_t>(i)])] += 0.25;
      row[random.below(below)] += 0.25;
      row[random.below(below)] += 0.5;
      values.insert(values.end(), row.begin(), row.end());
    }
    parts.models.push_back(
        testing::model("m" + std::to_string(m), testing::matrix(samples, classes, values)));
  }
  return make_pool(parts);
}

bool records(Pool pool, ScanRecord& record, int threads = 2) {
  BlockConsumer* const consumers[] = {&record};
  scan(pool, consumers, {.threads = threads});
  return record.has_samples();
}

testing::Findings findings_of_part(const ScanRecord& record, Pool part,
                                   const std::vector<std::uint64_t>& samples) {
  testing::Collector collector;
  BlockConsumer* const consumers[] = {&collector};
  record.scan_part(part, samples, consumers, {.threads = 2});
  CHECK(collector.starts == 1);
  CHECK(collector.finishes == 1);
  return collector.findings;
}

TEST_CASE("a part of a recorded pool is what a scan of the part finds") {
  Random random(7);
  const auto check = [&](Kind kind, int samples, int classes) {
    CAPTURE(classes);
    const Pool pool = recorded_pool(kind, samples, classes, random);
    ScanRecord record;
    REQUIRE(records(pool, record));
    std::vector<std::uint64_t> some;
    for (int i = 0; i < 2 * samples; ++i) some.push_back(random.below(pool.sample_count));
    for (const auto& chosen : {some, split_samples(pool, 0.5, 3).held_out}) {
      const Pool part = samples_of(pool, chosen);
      CHECK((findings_of_part(record, part, chosen) == testing::findings_of(part, 1)));
    }
  };
  // The last class number that a byte holds, and the first that it does not.
  check(Kind::probabilities, 1500, 127);
  check(Kind::probabilities, 300, 128);
  check(Kind::logits, 700, 5);
  // Two bytes are too few.
  check(Kind::probabilities, 3, 32'768);
}

TEST_CASE("a record starts again where a scan does") {
  Random random(8);
  const Pool first = recorded_pool(Kind::probabilities, 200, 300, random);
  const Pool second = recorded_pool(Kind::probabilities, 90, 4, random);
  ScanRecord record;
  REQUIRE(records(first, record));
  REQUIRE(records(second, record, 1));
  const std::vector<std::uint64_t> all = split_samples(second, 0.3, 1).selection;
  const Pool part = samples_of(second, all);
  CHECK((findings_of_part(record, part, all) == testing::findings_of(part, 1)));
}

TEST_CASE("nothing is recorded of what is as quick to read, too large or rounded") {
  Random random(9);
  const Pool pool = recorded_pool(Kind::probabilities, 400, 10, random);
  ScanRecord tight(400 * 4 + 400 * 4);  // Labels and places, but no rivals.
  CHECK_FALSE(records(pool, tight));
  ScanRecord none(100);
  CHECK_FALSE(records(pool, none));

  PoolParts labels{.kind = Kind::labels, .labels = testing::vector({0, 1, 0})};
  labels.models = {testing::model("a", testing::vector({0, 1, 1}))};
  ScanRecord of_labels;
  CHECK_FALSE(records(make_pool(labels), of_labels));

  PoolParts rounded{.kind = Kind::probabilities, .labels = testing::vector({0, 1})};
  rounded.models = {testing::model("a", testing::matrix(2, 3, {0.33, 0.33, 0.33, 0.2, 0.5, 0.3}))};
  ScanRecord of_rounded;
  CHECK_FALSE(records(make_pool(rounded), of_rounded));
}

}  // namespace
}  // namespace hqe
