// SPDX-License-Identifier: MIT
#include "hqe/failures/failure_bits.h"

#include <doctest/doctest.h>

#include <array>

#include "tests/reference/blocks.h"

namespace hqe {
namespace {

using reference::ReferencePool;

FailureBits bits_of(const ReferencePool& pool, int largest, int workers) {
  FailureBits bits;
  const std::array<BlockConsumer*, 1> consumers{&bits};
  reference::hand_on(pool, consumers, largest, workers, 7);
  return bits;
}

TEST_CASE("a bit is set where a model fails, however the samples come in blocks") {
  for (const int samples : {1, 63, 64, 65, 200}) {
    const ReferencePool pool = reference::random_pool(
        {.model_count = 3, .sample_count = samples, .class_count = 4, .abstain = 0.1});
    for (const int largest : {1, 10, 64, 100}) {
      const FailureBits bits = bits_of(pool, largest, 2);
      for (ModelId m = 0; m < 3; ++m) {
        const auto row = bits.row(m);
        REQUIRE(row.size() == static_cast<std::size_t>((samples + 63) / 64));
        for (int x = 0; x < static_cast<int>(row.size()) * 64; ++x) {
          const bool fails = x < samples && pool.fails(m, x);
          CHECK((row[x / 64] >> (x % 64) & 1) == fails);
        }
      }
    }
  }
}

TEST_CASE("the histogram counts samples by the number of failing members") {
  const ReferencePool pool =
      reference::random_pool({.model_count = 9, .sample_count = 130, .accuracy = 0.4});
  const FailureBits bits = bits_of(pool, 50, 1);
  for (int size = 1; size <= 9; ++size) {
    for (const auto& members : reference::all_teams(9, size)) {
      std::vector<std::uint64_t> expected(members.size() + 1);
      for (int x = 0; x < pool.sample_count; ++x) {
        std::size_t k = 0;
        for (const int m : members) k += pool.fails(m, x);
        ++expected[k];
      }
      CHECK(bits.histogram(Team(std::vector<ModelId>(members.begin(), members.end())).view()) ==
            expected);
    }
  }
}

}  // namespace
}  // namespace hqe
