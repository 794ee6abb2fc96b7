// SPDX-License-Identifier: MIT
// Every verb gives the same document for some samples of a pool and for a copy of these samples.
#include <doctest/doctest.h>

#include <numeric>
#include <string>
#include <vector>

#include "hqe/base/random.h"
#include "hqe/documents/answers.h"
#include "hqe/documents/json.h"
#include "hqe/predictions/samples.h"
#include "hqe/saved/saved.h"
#include "tests/support/copied_pool.h"
#include "tests/support/strange_pools.h"

namespace hqe {
namespace {

std::vector<std::string> documents_of(const Pool& pool) {
  const Run run{.threads = 2};
  const PruneOptions options{.size = 3, .detail = true};
  std::vector<std::string> documents;
  Study study = prune(pool, options, run);
  if (study.detail) study.detail->deciding_samples.clear();  // They have the stored numbers.
  documents.push_back(to_json(study));
  documents.push_back(to_json(prune(pool, {.sample = SampleOptions{.seed = 3}}, run, pool)));
  documents.push_back(to_json(sweep(pool, {2, 3}, {0.1, 0.3}, {}, run)));
  documents.push_back(to_json(explain(pool, {{0, 1}, {1, 2, 3}}, options, run)));
  documents.push_back(to_json(score(pool, {.size_max = 3, .focal = true}, run)));
  documents.push_back(to_json(evaluate(pool, {}, run)));
  documents.push_back(to_json(inspect(pool, run)));
  const Combined combined = apply(pool, {0, 2, 3}, {}, run);
  std::string labels;
  for (const std::int32_t label : combined.labels) labels += std::to_string(label) + ",";
  for (const double value : combined.scores) labels += std::to_string(value) + ",";
  documents.push_back(to_json(combined) + labels);
  return documents;
}

void check_verbs(Kind kind, DType dtype, testing::Layout layout) {
  CAPTURE(to_string(kind));
  CAPTURE(to_string(dtype));
  std::vector<std::uint64_t> everything(200);
  std::iota(everything.begin(), everything.end(), std::uint64_t{0});
  const Pool pool = testing::copied_pool(
      testing::strange_pool({.kind = kind, .dtype = dtype, .sample_count = 200, .grid = 8}),
      everything, layout);
  Random random(5);
  std::vector<std::uint64_t> samples;
  for (int i = 0; i < 150; ++i) samples.push_back(random.below(pool.sample_count));
  const auto some = documents_of(samples_of(pool, samples));
  const auto copied = documents_of(testing::copied_pool(pool, samples));
  for (std::size_t i = 0; i < some.size(); ++i) {
    CAPTURE(i);
    CHECK(some[i] == copied[i]);
  }
}

TEST_CASE("every verb treats some samples of a pool like a pool of their own") {
  for (const testing::Layout layout : {testing::Layout::plain, testing::Layout::transposed}) {
    for (const DType dtype : {DType::float16, DType::bfloat16, DType::float32, DType::float64}) {
      check_verbs(Kind::probabilities, dtype, layout);
      check_verbs(Kind::logits, dtype, layout);
    }
    check_verbs(Kind::labels, DType::int32, layout);
    check_verbs(Kind::correctness, DType::uint8, layout);
  }
}

TEST_CASE("trust is the same bytes for any number of threads") {
  for (const Kind kind : {Kind::probabilities, Kind::labels}) {
    const Pool pool = testing::strange_pool({.kind = kind, .model_count = 8, .sample_count = 300});
    const PruneOptions folds{.size = 3, .folds = 3, .stability = 3};
    const PruneOptions holdout{.size = 3, .merit = Merit::balanced, .holdout = 0.5};
    for (const PruneOptions& options : {folds, holdout}) {
      const std::string one = to_json(prune(pool, options, {.threads = 1}));
      CHECK(one == to_json(prune(pool, options, {.threads = 2})));
      CHECK(one == to_json(prune(pool, options, {.threads = 7})));
      CHECK(one == to_json(study_from_json(one, "f")));
    }
  }
}

}  // namespace
}  // namespace hqe
