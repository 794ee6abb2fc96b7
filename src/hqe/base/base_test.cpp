// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "hqe/base/do_both.h"
#include "hqe/base/elementary.h"
#include "hqe/base/error.h"
#include "hqe/base/largest.h"
#include "hqe/base/random.h"
#include "hqe/base/run.h"

namespace hqe {
namespace {

TEST_CASE("an input error names file, place, reason and advice in one sentence") {
  const InputError error("a.npy", "row 3", "NaN found", "Remove it");
  CHECK(std::string(error.what()) == "a.npy: row 3: NaN found. Remove it");
  CHECK(std::string(InputError("", "", "no labels", "").what()) == "no labels");
}

TEST_CASE("parallel_for visits every item once, for any number of threads") {
  for (const int threads : {1, 2, 7}) {
    std::vector<std::atomic<int>> visits(1001);
    parallel_for({.threads = threads}, "test", visits.size(), 10,
                 [&](std::uint64_t begin, std::uint64_t end, int worker) {
                   CHECK(worker < threads);
                   for (; begin < end; ++begin) ++visits[begin];
                 });
    for (const auto& count : visits) CHECK(count == 1);
  }
}

TEST_CASE("an exception in a worker reaches the caller") {
  CHECK_THROWS_AS(parallel_for({.threads = 2}, "test", 100, 1,
                               [](std::uint64_t begin, std::uint64_t, int) {
                                 if (begin == 50) throw std::runtime_error("fifty");
                               }),
                  std::runtime_error);
}

TEST_CASE("a progress callback that throws cancels the work") {
  std::atomic<int> ranges = 0;
  Run run{.threads = 1, .on_progress = [](const Progress&) { throw Cancelled("stop"); }};
  CHECK_THROWS_AS(
      parallel_for(run, "test", 100, 1, [&](std::uint64_t, std::uint64_t, int) { ++ranges; }),
      Cancelled);
  CHECK(ranges == 1);
}

TEST_CASE("both of two things are done, and only the first reports") {
  for (const int threads : {1, 2}) {
    const auto caller = std::this_thread::get_id();
    std::atomic<int> done = 0;
    const Run run{.threads = threads, .on_progress = [&](const Progress&) {
                    CHECK(std::this_thread::get_id() == caller);
                  }};
    const auto work = [&](const Run& given) {
      CHECK(given.thread_count() == threads);
      parallel_for(given, "test", 100, 1, [&](std::uint64_t, std::uint64_t, int) { ++done; });
    };
    do_both(run, work, work);
    CHECK(done == 200);
  }
}

TEST_CASE("of two things at once, the first one's exception reaches the caller") {
  for (const int threads : {1, 2}) {
    const Run run{.threads = threads};
    const auto nothing = [](const Run&) {};
    const auto fail = [](const Run&) { throw std::logic_error("fails"); };
    const auto refuse = [](const Run&) { throw InputError("", "", "refuses", ""); };
    CHECK_THROWS_AS(do_both(run, refuse, fail), InputError);
    CHECK_THROWS_AS(do_both(run, fail, refuse), std::logic_error);
    CHECK_THROWS_AS(do_both(run, nothing, refuse), InputError);
  }
}

TEST_CASE("cancelling the first of two things stops the second") {
  std::atomic<bool> waits = true;
  const auto cancel = [](const Run&) { throw Cancelled("stop"); };
  const auto wait = [&](const Run& run) {
    // Ends only where somebody says so.
    while (waits) parallel_for(run, "test", 1, 1, [](std::uint64_t, std::uint64_t, int) {});
  };
  CHECK_THROWS_AS(do_both({.threads = 2}, cancel, wait), Cancelled);
}

TEST_CASE("the first of the largest is found, and the largest of the others") {
  CHECK(largest_of({}) == 0);
  Random random(11);
  for (std::size_t count = 1; count < 40; ++count) {
    for (const std::uint64_t values : {1, 2, 50}) {
      std::vector<double> numbers;
      for (std::size_t i = 0; i < count; ++i) {
        numbers.push_back(static_cast<double>(random.below(values)) / 8);
      }
      const auto first = std::ranges::max_element(numbers);
      CHECK(largest_of(numbers) == *first);
      CHECK(place_of_largest(numbers) == static_cast<std::size_t>(first - numbers.begin()));
      for (std::size_t place = 0; place < count; ++place) {
        std::vector<double> others = numbers;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(place));
        CHECK(largest_but(numbers, place) == (others.empty() ? 0 : std::ranges::max(others)));
      }
    }
  }
}

TEST_CASE("portable_exp stays within two units of the C library and never decreases") {
  double previous = 0;
  for (double x = -745; x < 709; x += 0.0137) {
    const double value = portable_exp(x);
    CHECK(std::abs(value - std::exp(x)) <= std::exp(x) * 4.5e-16 + 1e-323);
    CHECK(value >= previous);
    previous = value;
  }
  CHECK(portable_exp(0) == 1);
  CHECK(portable_exp(-1000) == 0);
  CHECK(std::isinf(portable_exp(710)));
}

TEST_CASE("portable_log stays within two units of the C library") {
  for (double x = 1e-300; x < 1e300; x *= 1.37) {
    CHECK(std::abs(portable_log(x) - std::log(x)) <= std::abs(std::log(x)) * 4.5e-16 + 2e-16);
  }
  CHECK(portable_log(1) == 0);
}

TEST_CASE("the generator's numbers are pinned: a change here changes every seeded result") {
  Random random(1);
  const std::uint64_t first = random.bits();
  CHECK(first == Random(1).bits());
  CHECK(first != Random(2).bits());
  CHECK(first != Random(1, 1).bits());
}

TEST_CASE("below is uniform over a small range") {
  Random random(7);
  std::vector<int> histogram(10);
  for (int i = 0; i < 100000; ++i) ++histogram[random.below(10)];
  for (const int count : histogram) CHECK(std::abs(count - 10000) < 500);
}

TEST_CASE("normal has mean 0 and variance 1") {
  Random random(3);
  double sum = 0, squares = 0;
  for (int i = 0; i < 100000; ++i) {
    const double x = random.normal();
    sum += x;
    squares += x * x;
  }
  CHECK(std::abs(sum / 1e5) < 0.02);
  CHECK(std::abs(squares / 1e5 - 1) < 0.02);
}

}  // namespace
}  // namespace hqe
