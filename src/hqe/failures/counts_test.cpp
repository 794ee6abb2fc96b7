// SPDX-License-Identifier: MIT
#include "hqe/failures/counts.h"

#include <doctest/doctest.h>

#include <array>
#include <map>

#include "hqe/base/random.h"
#include "tests/reference/blocks.h"

namespace hqe {
namespace {

using reference::ReferencePool;

struct Blocks {
  int largest = 100;
  int workers = 1;
};

Counts counts_of(const ReferencePool& pool, CountOptions options = {}, Blocks blocks = {}) {
  CountBuilder builder(options);
  const std::array<BlockConsumer*, 1> consumers{&builder};
  reference::hand_on(pool, consumers, blocks.largest, blocks.workers, 3);
  return builder.counts();
}

/// Pools that differ in what they need: two classes with and without abstentions, many classes, a
/// model that never fails, models that always do.
std::vector<ReferencePool> pools() {
  std::vector<ReferencePool> result;
  for (const int samples : {1, 64, 129, 700}) {
    for (const int classes : {2, 3, 70'000}) {
      for (const double abstain : {0.0, 0.2}) {
        result.push_back(reference::random_pool({.model_count = 5,
                                                 .sample_count = samples,
                                                 .class_count = classes,
                                                 .abstain = abstain,
                                                 .seed = result.size()}));
      }
    }
    result.back().predictions[2] = result.back().truth;
    result.back().predictions[3].assign(static_cast<std::size_t>(samples), -1);
  }
  return result;
}

std::uint64_t same_labels(const ReferencePool& pool, int i, int j, const std::vector<int>& at) {
  std::uint64_t same = 0;
  for (const int x : at) same += pool.predictions[i][x] == pool.predictions[j][x];
  return same;
}

std::uint64_t chance(const ReferencePool& pool, int i, int j, const std::vector<int>& at) {
  std::map<int, std::uint64_t> n_i, n_j;
  for (const int x : at) {
    ++n_i[pool.predictions[i][x]];
    ++n_j[pool.predictions[j][x]];
  }
  std::uint64_t sum = 0;
  for (const auto& [label, count] : n_i) sum += count * n_j[label];
  return sum;
}

void check_counts(const ReferencePool& pool, const Counts& counts) {
  const auto models = static_cast<ModelId>(pool.model_count);
  REQUIRE(counts.sample_count() == static_cast<std::uint64_t>(pool.sample_count));
  for (ModelId f = 0; f < models; ++f) {
    const auto negatives = pool.negative_samples(f);
    CHECK(counts.failures(f) == negatives.size());
    CHECK(counts.correct(f) == static_cast<std::uint64_t>(pool.correct(f)));
    std::uint64_t abstentions = 0;
    for (const int label : pool.predictions[f]) abstentions += label == -1;
    CHECK(counts.abstentions(f) == abstentions);
    for (ModelId i = 0; i < models; ++i) {
      std::uint64_t pair = 0;
      for (const int x : negatives) pair += pool.fails(i, x);
      CHECK(counts.co_failures(f, i) == pair);
      CHECK(counts.agreements(f, i) == same_labels(pool, f, i, pool.all_samples()));
      CHECK(counts.chance_agreements(f, i) == chance(pool, f, i, pool.all_samples()));
      for (ModelId j = 0; j < models; ++j) {
        CAPTURE(f);
        CAPTURE(i);
        CAPTURE(j);
        std::uint64_t triple = 0;
        for (const int x : negatives) triple += pool.fails(i, x) && pool.fails(j, x);
        CHECK(counts.co_failures(f, i, j) == triple);
        CHECK(counts.agreements_given(f, i, j) == same_labels(pool, i, j, negatives));
      }
    }
  }
}

TEST_CASE("counts are what counting sample by sample gives") {
  for (const ReferencePool& pool : pools()) {
    CAPTURE(pool.sample_count);
    CAPTURE(pool.class_count);
    check_counts(pool, counts_of(pool));
  }
}

TEST_CASE("counts that do not fit in tables are counted on demand, and are the same") {
  for (const ReferencePool& pool : pools()) {
    // 5 models: 40 bytes of triples, then 25 (C + 1) labels, then 200 bytes of pairs that differ.
    for (const std::size_t limit : {0, 100, 240, 1000}) {
      CAPTURE(limit);
      check_counts(pool, counts_of(pool, {.table_limit = limit}));
    }
  }
}

TEST_CASE("a pool that is split in any way and merged has the counts of the whole") {
  Random random(5);
  for (const ReferencePool& pool : pools()) {
    for (const std::size_t limit : {std::size_t{0}, std::size_t{1} << 20}) {
      const CountOptions options{.table_limit = limit};
      const Counts whole = counts_of(pool, options);
      for (const std::uint64_t parts : {1, 2, 3, 7}) {
        std::vector<std::vector<int>> split(parts);
        for (int x = 0; x < pool.sample_count; ++x) split[random.below(parts)].push_back(x);
        Counts merged = counts_of(reference::samples_of(pool, split[0]), options);
        for (std::size_t p = 1; p < parts; ++p) {
          merged = merged.merge(counts_of(reference::samples_of(pool, split[p]), options));
        }
        CHECK(merged == whole);
        if (pool.sample_count == 129) check_counts(pool, merged);
      }
    }
  }
}

TEST_CASE("counts of different samples differ") {
  const ReferencePool pool = reference::random_pool({.sample_count = 200});
  std::vector<int> most = pool.all_samples();
  most.pop_back();
  CHECK_FALSE(counts_of(pool) == counts_of(reference::samples_of(pool, most)));
}

TEST_CASE("neither blocks nor workers change a count") {
  const ReferencePool pool = reference::random_pool(
      {.model_count = 11, .sample_count = 5000, .class_count = 5, .abstain = 0.05});
  const Counts counts = counts_of(pool);
  check_counts(pool, counts);
  for (const int workers : {1, 2, 7}) {
    for (const int largest : {1, 64, 3000}) {
      CHECK(counts_of(pool, {}, {.largest = largest, .workers = workers}) == counts);
    }
  }
}

// Many models leave room for few gathered samples, so that they are counted in several goes.
TEST_CASE("a wide pool is counted in several goes") {
  const ReferencePool pool = reference::random_pool(
      {.model_count = 150, .sample_count = 30'000, .class_count = 3, .accuracy = 0.5});
  const Counts counts = counts_of(pool, {}, {.largest = 4096, .workers = 2});
  for (const auto& three : {std::array{0, 1, 2}, {3, 70, 149}, {147, 148, 149}, {0, 75, 149}}) {
    std::uint64_t triple = 0, same = 0;
    for (const int x : pool.negative_samples(three[0])) {
      triple += pool.fails(three[1], x) && pool.fails(three[2], x);
      same += pool.predictions[three[1]][x] == pool.predictions[three[2]][x];
    }
    const auto id = [&](int place) { return static_cast<ModelId>(three[place]); };
    CHECK(counts.co_failures(id(0), id(1), id(2)) == triple);
    CHECK(counts.agreements_given(id(0), id(1), id(2)) == same);
  }
}

TEST_CASE("what is left out is not asked for: pairs need neither triples nor agreements") {
  const ReferencePool pool = reference::random_pool({.sample_count = 300, .class_count = 4});
  const Counts counts = counts_of(pool, {.triples = false, .agreements = false});
  for (ModelId i = 0; i < 5; ++i) {
    for (ModelId j = 0; j < 5; ++j) {
      CHECK(counts.agreements(i, j) == same_labels(pool, i, j, pool.all_samples()));
    }
  }
}

}  // namespace
}  // namespace hqe
