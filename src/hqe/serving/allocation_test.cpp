// SPDX-License-Identifier: MIT
// A server's loop must not wait for memory: every allocation of this program is counted. Not under
// a sanitizer, which has operators of its own and wants memory back through the one that gave it.
#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <new>

#include "hqe/serving/voter.h"

namespace {

std::atomic<std::uint64_t> allocations{0};
#ifdef HQE_SANITIZED
constexpr bool is_counted = false;
#else
constexpr bool is_counted = true;
#endif

}  // namespace

#ifndef HQE_SANITIZED
// Not inlined: the compiler would see memory of malloc() handed to delete, and warn.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
#endif

namespace hqe {
namespace {

TEST_CASE("a voter allocates when it is made, and never again" * doctest::skip(!is_counted) *
          doctest::description("a sanitizer has an allocator of its own")) {
  constexpr int members = 5, classes = 4;
  const std::vector<std::uint64_t> correct{9, 8, 7, 6, 5};
  const std::array<double, classes> row{0.4, 0.3, 0.2, 0.1};
  for (const VoteRow& kind : vote_rows) {
    for (const bool has_scores : {false, true}) {
      if (has_scores ? kind.of_scores == nullptr : kind.of_labels == nullptr) continue;
      CAPTURE(kind.name);
      TeamVote vote{.vote = kind.vote, .class_count = classes, .has_scores = has_scores};
      vote.correct = correct;
      if (kind.has_weights) vote.weights = {1, 2, 3, 2, 1};
      const std::uint64_t before = allocations;
      Voter voter(vote);
      const std::uint64_t made = allocations;
      std::array<double, classes> scores{};
      int decided = 0;
      for (int sample = 0; sample < 50; ++sample) {
        voter.clear();
        for (int place = 0; place < members; ++place) {
          const int member = (place + sample) % members;
          if (has_scores) {
            voter.add(member, row);
          } else {
            voter.add(member, (member * sample) % (classes + 1) - 1);
          }
          if (voter.is_decided() && voter.answer() >= -1) ++decided;
        }
        if (has_scores) voter.scores(scores);
      }
      const std::uint64_t after = allocations;  // Before a check may allocate.
      CHECK(made > before);
      CHECK(after == made);
      CHECK(decided > 0);
    }
  }
}

}  // namespace
}  // namespace hqe
