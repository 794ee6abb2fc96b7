// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "hqe/statistics/binomial.h"
#include "hqe/statistics/intervals.h"

namespace hqe {
namespace {

/// A whole number of any size, 32 bits a digit, the lowest first.
class Natural {
 public:
  explicit Natural(std::uint32_t value) : digits_{value} {}

  Natural& operator+=(const Natural& other) {
    digits_.resize(std::max(digits_.size(), other.digits_.size()) + 1);
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < digits_.size(); ++i) {
      carry += std::uint64_t{digits_[i]} + (i < other.digits_.size() ? other.digits_[i] : 0);
      digits_[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    return trim();
  }
  /// times / by, which must come out even.
  Natural& scale(std::uint32_t times, std::uint32_t by) {
    digits_.push_back(0);
    std::uint64_t carry = 0;
    for (std::uint32_t& digit : digits_) {
      carry += std::uint64_t{digit} * times;
      digit = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    std::uint64_t rest = 0;
    for (std::size_t i = digits_.size(); i-- > 0;) {
      rest = (rest << 32) + digits_[i];
      digits_[i] = static_cast<std::uint32_t>(rest / by);
      rest %= by;
    }
    REQUIRE(rest == 0);
    return trim();
  }
  /// This number / 2^exponent, off by less than 2^-90 of itself.
  [[nodiscard]] long double over_power(int exponent) const {
    long double value = 0;
    const std::size_t first = digits_.size() < 4 ? 0 : digits_.size() - 4;
    for (std::size_t i = digits_.size(); i-- > first;) value = value * 0x1p32L + digits_[i];
    return std::ldexp(value, static_cast<int>(first) * 32 - exponent);
  }

 private:
  Natural& trim() {
    while (digits_.size() > 1 && digits_.back() == 0) digits_.pop_back();
    return *this;
  }
  std::vector<std::uint32_t> digits_;
};

double p_value(std::uint32_t first, std::uint32_t second) {
  return mcnemar_p_value({.total = 5000, .only_first = first, .only_second = second});
}

void check_against_integers(std::uint32_t n) {
  CAPTURE(n);
  Natural coefficient(1);
  Natural sum(0);
  for (std::uint32_t k = 0; k <= n; ++k) {
    CAPTURE(k);
    sum += coefficient;
    const long double exact = sum.over_power(static_cast<int>(n));
    CHECK(std::abs(binomial_half_cdf(k, n) - exact) <= 1e-15L * exact);
    if (2 * k <= n) {
      const bool is_certain = n - 2 * k <= 1;
      const long double exact_p = is_certain ? 1 : 2 * exact;
      CHECK(std::abs(p_value(k, n - k) - exact_p) <= 1e-15L * exact_p);
      CHECK(p_value(k, n - k) == p_value(n - k, k));
      CHECK((p_value(k, n - k) == 1) == is_certain);
    }
    if (k < n) coefficient.scale(n - k, k + 1);
  }
}

TEST_CASE("McNemar's p-value equals exact integers, and is 1 exactly where it is 1") {
  CHECK(p_value(76, 75) == 1);
  for (std::uint32_t n = 1; n <= 300; ++n) check_against_integers(n);
  for (const std::uint32_t n : {999u, 1000u}) check_against_integers(n);
}

TEST_CASE("a p-value of many samples keeps its digits, and ends in 0") {
  CHECK(p_value(500'000, 500'001) == 1);
  CHECK(p_value(1'073'741'823, 1'073'741'824) == 1);
  // 1 - C(n, n/2) / 2^n, the middle by Stirling's series: 1/sqrt(pi n/2) (1 - 1/(4n) + 1/(32n^2)).
  const double n = 1'000'000;
  const double middle = 1 / std::sqrt(std::acos(-1.0) * n / 2) * (1 - 1 / (4 * n));
  CHECK(std::abs(p_value(499'999, 500'001) - (1 - middle)) < 1e-15);
  CHECK(p_value(0, 1000) == std::ldexp(1.0, -999));
  CHECK(p_value(0, 2'000'000'000) == 0);
  CHECK(p_value(1'000'000'000, 1'001'000'000) < 1e-100);
}

}  // namespace
}  // namespace hqe
