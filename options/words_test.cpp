// SPDX-License-Identifier: MIT
#include "options/words.h"

#include <doctest/doctest.h>

#include "hqe/base/error.h"

namespace hqe::options {
namespace {

TEST_CASE("ten percent is the double 0.1, and 0.7 percent the double 0.007") {
  CHECK(parse_fraction("beta", "10%") == 0.1);
  CHECK(parse_fraction("beta", "0.7%") == 0.007);
  CHECK(parse_fraction("beta", "12.5 %") == 0.125);
  CHECK(parse_fraction("beta", "0.35") == 0.35);
  for (const char* word : {"", "%", "ten", "0.1x", "nan", "inf", "1e999"}) {
    CHECK_THROWS_AS((void)parse_fraction("beta", word), UsageError);
  }
}

TEST_CASE("a range of fractions includes its ends and hits the doubles that people mean") {
  CHECK(parse_fraction_range("beta", "0.05:0.35:0.05") ==
        std::vector<double>{0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35});
  CHECK(parse_fraction_range("beta", "5%:15%:5%") == std::vector<double>{0.05, 0.1, 0.15});
  CHECK(parse_fraction_range("beta", "0.2,0.1,0.1") == std::vector<double>{0.2, 0.1, 0.1});
  for (const char* word : {"0.1:0.2", "0.2:0.1:0.1", "0.1:0.2:0", "0:1:1e-9"}) {
    CHECK_THROWS_AS((void)parse_fraction_range("beta", word), UsageError);
  }
}

TEST_CASE("a range ends, however small its step or large its ends") {
  CHECK(parse_fraction_range("beta", "0.1:0.1:1e-300").size() <= 2);
  CHECK(parse_fraction_range("beta", "1e308:1e308:1").size() <= 2);
  CHECK(parse_sizes("size", "2147483646:2147483647").size() == 2);
}

TEST_CASE("threads are all, some, or too many") {
  CHECK(parse_threads("0") == 0);
  CHECK(parse_threads("1024") == 1024);
  CHECK_THROWS_WITH_AS((void)parse_threads("2147483647"),
                       "threads 2147483647: expected a whole number from 0 to 1024.", UsageError);
  CHECK_THROWS_WITH_AS((void)parse_threads(""),
                       "the option threads '': expected a whole number from 0 to 1024.",
                       UsageError);
}

TEST_CASE("sizes are single, a range with both ends, or a list") {
  CHECK(parse_sizes("size", "4") == std::vector<int>{4});
  CHECK(parse_sizes("size", "3:6") == std::vector<int>{3, 4, 5, 6});
  CHECK(parse_sizes("size", "5,3,3:4") == std::vector<int>{5, 3, 4});
  CHECK(parse_size_range("size", "2:4") == std::pair{2, 4});
  for (const char* word : {"", "4:2", "2:3:4", "two", "0", "-1", "2.5"}) {
    CHECK_THROWS_AS((void)parse_sizes("size", word), UsageError);
  }
}

TEST_CASE("counts may be written as people write large numbers, but must be whole") {
  CHECK(parse_count("keep", "2_000_000") == 2'000'000);
  CHECK(parse_count("keep", "1e6") == 1'000'000);
  CHECK(parse_count("seed", "18446744073709551615") == UINT64_MAX);
  for (const char* word : {"", "-1", "1.5", "1e99", "x"}) {
    CHECK_THROWS_AS((void)parse_count("keep", word), UsageError);
  }
  CHECK_THROWS_AS((void)parse_count("keep", "0", 1), UsageError);
}

TEST_CASE("samples and budgets say what they expect when they are refused") {
  CHECK(parse_sample("sample", "100x3").repeats == 3);
  CHECK(parse_budget("budget", "params=1e8").limit == 1e8);
  CHECK_THROWS_WITH_AS((void)parse_sample("sample", "100"),
                       "sample 100: expected draws x repeats such as 100x3.", UsageError);
  for (const char* word : {"params", "params=", "speed=3", "params=-1", "=1"}) {
    CHECK_THROWS_AS((void)parse_budget("budget", word), UsageError);
  }
}

}  // namespace
}  // namespace hqe::options
