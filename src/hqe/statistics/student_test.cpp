// SPDX-License-Identifier: MIT
#include "hqe/statistics/student.h"

#include <doctest/doctest.h>

#include <cmath>

namespace hqe {
namespace {

TEST_CASE("Student's tail is that of the tables and of the closed forms") {
  // Quantiles of printed tables, two-sided.
  CHECK(student_two_sided_tail(12.7062047, 1) == doctest::Approx(0.05).epsilon(1e-7));
  CHECK(student_two_sided_tail(4.30265273, 2) == doctest::Approx(0.05).epsilon(1e-7));
  CHECK(student_two_sided_tail(2.26215716, 9) == doctest::Approx(0.05).epsilon(1e-7));
  CHECK(student_two_sided_tail(3.24983554, 9) == doctest::Approx(0.01).epsilon(1e-7));
  CHECK(student_two_sided_tail(2.09302405, 19) == doctest::Approx(0.05).epsilon(1e-7));
  CHECK(student_two_sided_tail(2.04227246, 30) == doctest::Approx(0.05).epsilon(1e-7));
  for (const double t : {0.0, 0.01, 0.5, 1.0, 3.0, 40.0}) {
    CHECK(std::abs(student_two_sided_tail(t, 1) - (1 - 2 / M_PI * std::atan(t))) < 1e-14);
    CHECK(std::abs(student_two_sided_tail(t, 2) - (1 - t / std::sqrt(2 + t * t))) < 1e-14);
  }
}

TEST_CASE("Student's tail falls from 1 to 0, and comes near the normal one") {
  for (const int degrees : {1, 2, 3, 8, 9, 50}) {
    CHECK(student_two_sided_tail(0, degrees) == doctest::Approx(1));
    CHECK(student_two_sided_tail(INFINITY, degrees) == 0);
    for (double t = 0; t < 6; t += 0.25) {
      CHECK(student_two_sided_tail(t + 0.25, degrees) < student_two_sided_tail(t, degrees));
    }
  }
  CHECK(student_two_sided_tail(1.959963985, 5000) == doctest::Approx(0.05).epsilon(1e-3));
}

TEST_CASE("Student's critical values are those of the tables") {
  CHECK(student_critical_value(0.05, 1) == doctest::Approx(12.7062047).epsilon(1e-8));
  CHECK(student_critical_value(0.05, 9) == doctest::Approx(2.26215716).epsilon(1e-8));
  CHECK(student_critical_value(0.01, 9) == doctest::Approx(3.24983554).epsilon(1e-8));
  for (const double tail : {0.9, 0.05, 0.05 / 28}) {
    CHECK(student_two_sided_tail(student_critical_value(tail, 9), 9) == doctest::Approx(tail));
  }
}

TEST_CASE("the corrected test of repeated splits, by hand") {
  // Mean 2, variance 1, times 1/3 + 1: t = 2 / sqrt(4/3) = sqrt 3, and of two degrees
  // 1 - sqrt 3 / sqrt 5.
  CHECK(corrected_resampled_p_value({1, 2, 3}, 1) ==
        doctest::Approx(1 - std::sqrt(3.0) / std::sqrt(5.0)));
  CHECK(corrected_resampled_p_value({-3, -1, -2}, 1) ==
        doctest::Approx(corrected_resampled_p_value({1, 2, 3}, 1)));
  // Samples that splits do not share leave the plain t-test.
  CHECK(corrected_resampled_p_value({1, 2, 3}, 0) ==
        doctest::Approx(1 - 2 * std::sqrt(3.0) / std::sqrt(14.0)));
  CHECK(corrected_resampled_error({1, 2, 3}, 1) == doctest::Approx(std::sqrt(4.0 / 3)));
  CHECK(corrected_resampled_error({1, 2, 3}, 0) == doctest::Approx(std::sqrt(1.0 / 3)));
  CHECK(corrected_resampled_p_value({0, 0, 0}, 1) == 1);
  CHECK(corrected_resampled_p_value({4, 4}, 1) == 0);
  CHECK(corrected_resampled_p_value({4, -4}, 1) == doctest::Approx(1));
}

}  // namespace
}  // namespace hqe
