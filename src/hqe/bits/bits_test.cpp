// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <string>
#include <vector>

#include "hqe/base/error.h"
#include "hqe/base/random.h"
#include "hqe/bits/count.h"
#include "hqe/bits/divide.h"
#include "hqe/bits/target.h"

namespace hqe {
namespace {

/// Runs a check on each target and goes back to the best one.
template <class Check>
void on_every_target(const Check& check) {
  for (const std::string& target : available_targets()) {
    CAPTURE(target);
    force_target(target);
    check();
  }
  force_target(available_targets().back());
}

std::vector<std::uint64_t> random_words(Random& random, std::size_t length) {
  std::vector<std::uint64_t> words(length);
  // Full and empty words among them: they show a byte that overflows and a tail that is skipped.
  for (auto& word : words) {
    const auto kind = random.below(4);
    word = kind == 0 ? 0 : kind == 1 ? ~std::uint64_t{0} : random.bits();
  }
  return words;
}

// First in this file, and alone in the process that sets the variable: later cases force targets.
TEST_CASE("before anything is forced HQE_TARGET chooses, else the best target is used") {
  const char* asked = std::getenv("HQE_TARGET");
  CHECK(active_target() == (asked != nullptr ? asked : available_targets().back()));
}

TEST_CASE("forcing a target makes the dispatched kernels run on it") {
  const auto targets = available_targets();
  REQUIRE(targets.front() == "scalar");
  for (const std::string& target : targets) {
    force_target(target);
    CHECK(active_target() == target);
    CHECK(available_targets() == targets);
  }
  force_target(targets.back());
}

TEST_CASE("the environment does not undo a forced target") {
  force_target("scalar");
  setenv("HQE_TARGET", available_targets().back().c_str(), 1);
  apply_target_from_environment();
  CHECK(active_target() == "scalar");
  unsetenv("HQE_TARGET");
  force_target(available_targets().back());
}

TEST_CASE("an unknown target is refused with the names of the known ones") {
  try {
    force_target("abacus");
    FAIL("not refused");
  } catch (const UsageError& error) {
    const std::string message = error.what();
    CHECK(message.find("abacus") != std::string::npos);
    CHECK(message.find("scalar") != std::string::npos);
  }
}

TEST_CASE("counts of rows of every length are right on every target") {
  on_every_target([] {
    Random random(1);
    for (std::size_t length = 0; length < 300; ++length) {
      const auto a = random_words(random, length), b = random_words(random, length),
                 c = random_words(random, length);
      std::uint64_t one = 0, two = 0, three = 0;
      for (std::size_t w = 0; w < length; ++w) {
        one += std::popcount(a[w]);
        two += std::popcount(a[w] & b[w]);
        three += std::popcount(a[w] & b[w] & c[w]);
      }
      CHECK(count(a) == one);
      CHECK(count_and(a, b) == two);
      CHECK(count_and(a, b, c) == three);
    }
  });
}

TEST_CASE("a long row of ones is counted without a byte overflowing") {
  on_every_target([] {
    const std::vector<std::uint64_t> ones(100'000, ~std::uint64_t{0});
    CHECK(count(ones) == 6'400'000);
  });
}

TEST_CASE("one row against many columns adds to what is there, and to nothing else") {
  on_every_target([] {
    Random random(2);
    for (const std::size_t columns : {1, 2, 3, 7, 8, 9, 33, 70}) {
      for (const std::size_t length : {0, 1, 2, 30, 31, 32, 62, 63, 200}) {
        const auto row = random_words(random, length);
        const auto words = random_words(random, length * columns + BitColumns::column_slack);
        for (std::size_t begin = 0; begin < columns; begin += 3) {
          std::vector<std::uint32_t> counts(columns + 2, 5);
          count_and_each(row, {words.data(), columns}, begin, columns,
                         std::span(counts).subspan(begin + 1, columns - begin));
          std::vector<std::uint32_t> expected(columns + 2, 5);
          for (std::size_t m = begin; m < columns; ++m) {
            for (std::size_t w = 0; w < length; ++w) {
              expected[m + 1] += std::popcount(row[w] & words[w * columns + m]);
            }
          }
          CHECK(counts == expected);
        }
      }
    }
  });
}

TEST_CASE("differing bits are set where two rows of integers differ") {
  on_every_target([] {
    Random random(3);
    for (std::size_t length = 1; length < 200; ++length) {
      std::vector<std::int32_t> a(length), b(length);
      for (auto& x : a) x = static_cast<std::int32_t>(random.below(3)) - 1;
      for (auto& x : b) x = static_cast<std::int32_t>(random.below(3)) - 1;
      const std::size_t words = (length + 63) / 64;
      std::vector<std::uint64_t> bits(words * 2, 77);
      differing_bits(a, b, bits.data(), 2);
      for (std::size_t i = 0; i < words * 64; ++i) {
        const bool differs = i < length && a[i] != b[i];
        CHECK((bits[i / 64 * 2] >> (i % 64) & 1) == differs);
      }
      for (std::size_t w = 0; w < words; ++w) CHECK(bits[w * 2 + 1] == 77);
    }
  });
}

TEST_CASE("sums of products are exact up to 64 bits") {
  on_every_target([] {
    Random random(4);
    for (std::size_t length = 0; length < 70; ++length) {
      std::vector<std::uint32_t> a(length), b(length);
      std::uint64_t expected = 0;
      for (std::size_t i = 0; i < length; ++i) {
        a[i] = static_cast<std::uint32_t>(random.below(std::uint64_t{1} << 28));
        b[i] = static_cast<std::uint32_t>(random.below(std::uint64_t{1} << 28));
        expected += std::uint64_t{a[i]} * b[i];
      }
      CHECK(sum_of_products(a, b) == expected);
    }
    CHECK(sum_of_products(std::vector<std::uint32_t>{1u << 31}, std::vector{1u << 31}) ==
          std::uint64_t{1} << 62);
  });
}

TEST_CASE("many divisions give the bits of one at a time") {
  Random random(5);
  on_every_target([&] {
    for (const std::size_t length : {0, 1, 3, 8, 67}) {
      std::vector<double> values(length), divisors(length), expected(length);
      for (std::size_t i = 0; i < length; ++i) {
        values[i] = static_cast<double>(random.below(1 << 20));
        divisors[i] = static_cast<double>(1 + random.below(1 << 20));
        expected[i] = values[i] / divisors[i];
      }
      divide_each(values, divisors);
      CHECK(values == expected);
    }
  });
}

}  // namespace
}  // namespace hqe
