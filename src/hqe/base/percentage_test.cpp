// SPDX-License-Identifier: MIT
#include "hqe/base/percentage.h"

#include <doctest/doctest.h>

#include "hqe/base/random.h"

namespace hqe {
namespace {

__extension__ using Wide = unsigned __int128;

/// The digits of a percentage without its point; its decimals must be as many as asked for.
std::uint64_t digits_of(const std::string& text, int decimals) {
  const std::size_t point = text.find('.');
  const auto after = point == std::string::npos ? 0 : static_cast<int>(text.size() - point) - 1;
  REQUIRE(after == decimals);
  std::string digits = text;
  if (point != std::string::npos) digits.erase(point, 1);
  return std::stoull(digits);
}

/// Whether `digits` units are at most half a unit above the quotient and less than half below:
/// (2 digits - 1) whole <= 2 unit part < (2 digits + 1) whole.
bool is_rounded_half_up(std::uint64_t digits, std::uint64_t part, std::uint64_t whole,
                        int decimals) {
  Wide unit = 100;
  for (int i = 0; i < decimals; ++i) unit *= 10;
  const Wide twice = 2 * unit * part;
  return (digits == 0 || (Wide{2} * digits - 1) * whole <= twice) &&
         twice < (Wide{2} * digits + 1) * whole;
}

double quotient(std::uint64_t part, std::uint64_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

TEST_CASE("a percentage of counts is the exact quotient rounded half up") {
  CHECK(count_percentage(201, 20'000) == "1.01");
  CHECK(count_percentage(1, 8, 0) == "13");
  CHECK(count_percentage(0, 7) == "0.00");
  CHECK(count_percentage(7, 7, 1) == "100.0");
  CHECK(count_percentage(18'446'744'073'709'551'615u, 1, 0) == "1844674407370955161500");
  for (std::uint64_t whole = 1; whole <= 400; ++whole) {
    for (std::uint64_t part = 0; part <= whole; ++part) {
      for (int decimals = 0; decimals <= 4; ++decimals) {
        const auto digits = digits_of(count_percentage(part, whole, decimals), decimals);
        if (!is_rounded_half_up(digits, part, whole, decimals)) {
          FAIL_CHECK(part << " of " << whole << " with " << decimals << " decimals");
        }
      }
    }
  }
}

TEST_CASE("a fraction of counts is rounded as the exact quotient is") {
  CHECK(fraction_percentage(quotient(201, 20'000)) == "1.01");
  CHECK(fraction_percentage(-quotient(201, 20'000)) == "1.01");
  CHECK(fraction_percentage(12.0, 0) == "1200");
  CHECK(fraction_percentage(1e300, 0).size() == 303);
  for (std::uint64_t whole = 1; whole <= 400; ++whole) {
    for (std::uint64_t part = 0; part <= whole; ++part) {
      for (int decimals = 0; decimals <= 4; ++decimals) {
        if (fraction_percentage(quotient(part, whole), decimals) !=
            count_percentage(part, whole, decimals)) {
          FAIL_CHECK(part << " of " << whole << " with " << decimals << " decimals");
        }
      }
    }
  }
}

TEST_CASE("every half of a percent's hundredth rounds up, however many samples there are") {
  for (const std::uint64_t whole : {20'000u, 60'000u, 1'000'000u, 2'000'000'000u, 2'147'480'000u}) {
    for (std::uint64_t odd = 1; odd < 20'000; odd += 2) {
      const std::uint64_t part = whole / 20'000 * odd;
      const std::string up = count_percentage((odd + 1) / 2, 10'000);
      CHECK(count_percentage(part, whole) == up);
      CHECK(fraction_percentage(quotient(part, whole)) == up);
      if (whole <= 20'000) continue;
      const std::string down = count_percentage((odd - 1) / 2, 10'000);
      CHECK(count_percentage(part - 1, whole) == down);
      CHECK(fraction_percentage(quotient(part - 1, whole)) == down);
    }
  }
}

TEST_CASE("counts of any size keep every digit") {
  Random random(3);
  for (int i = 0; i < 100'000; ++i) {
    const std::uint64_t whole = (random.bits() >> random.below(60)) + 1;
    const std::uint64_t part = random.below(whole);
    const int decimals = static_cast<int>(random.below(11));
    const auto digits = digits_of(count_percentage(part, whole, decimals), decimals);
    if (!is_rounded_half_up(digits, part, whole, decimals)) {
      FAIL_CHECK(part << " of " << whole << " with " << decimals << " decimals");
    }
  }
}

}  // namespace
}  // namespace hqe
