// SPDX-License-Identifier: MIT
#include "hqe/calibration/tempering_kernel.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "hqe/base/elementary.h"
#include "hqe/base/random.h"
#include "hqe/bits/target.h"

namespace hqe {
namespace {

template <class Body>
void on_every_target(const Body& body) {
  for (const std::string& target : available_targets()) {
    CAPTURE(target);
    force_target(target);
    body();
  }
  force_target(available_targets().back());
}

/// Sums of shares of very different sizes, some 0.
std::vector<double> sums_of(std::size_t classes, double weights, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> row(padded_to_lanes(classes));
  for (std::size_t c = 0; c < classes; ++c) {
    row[c] = random.below(5) == 0 ? 0 : weights * portable_exp(-40 * random.unit());
  }
  return row;
}

TEST_CASE("logarithms are those of portable_log, relative to the largest, on every target") {
  for (const std::size_t classes : {1, 2, 7, 8, 9, 100}) {
    for (const double weights : {1.0, 3.0, 0.7}) {
      on_every_target([&] {
        const std::vector<double> sums = sums_of(classes, weights, classes);
        std::vector<double> row = sums;
        take_logarithms(row, classes, weights);
        std::vector<double> expected;
        for (std::size_t c = 0; c < classes; ++c) {
          expected.push_back(portable_log(std::max(sums[c] / weights, 1e-15)));
        }
        const double largest = *std::ranges::max_element(expected);
        for (std::size_t c = 0; c < classes; ++c) CHECK(row[c] == expected[c] - largest);
      });
    }
  }
}

TEST_CASE("sums over a row are those of portable_exp in a fixed order, on every target") {
  for (const std::size_t classes : {1, 2, 7, 8, 9, 100}) {
    for (const double inverse : {0.05, 1.0, 1.7, 20.0}) {
      on_every_target([&] {
        std::vector<double> row = sums_of(classes, 1, classes);
        row[0] = 0.5;
        take_logarithms(row, classes, 1);
        std::vector<double> sums[4];
        for (auto& sum : sums) sum.resize(kernel_lanes);
        for (std::size_t c = 0; c < classes; ++c) {
          const double e = portable_exp(inverse * row[c]);
          const std::size_t lane = c % kernel_lanes;
          sums[0][lane] += e;
          sums[1][lane] += e * e;
          sums[2][lane] += e * row[c];
          sums[3][lane] += e * row[c] * row[c];
        }
        const auto total = [](const std::vector<double>& lanes) {
          return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) +
                 ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
        };
        const TemperedRow tempered = temper(row, inverse);
        CHECK(tempered.shares == total(sums[0]));
        CHECK(tempered.squared == total(sums[1]));
        CHECK(tempered.slope == total(sums[2]));
        CHECK(tempered.curvature == total(sums[3]));
      });
    }
  }
}

TEST_CASE("a rough mean is that of the sums within its error, on every target") {
  for (const std::size_t classes : {1, 2, 7, 8, 9, 17, 100, 1000}) {
    for (const double inverse : {0.05, 1.0, 1.7, 20.0}) {
      on_every_target([&] {
        std::vector<double> row = sums_of(classes, 1, classes);
        row[classes / 2] = 0.5;
        take_logarithms(row, classes, 1);
        const TemperedRow tempered = temper(row, inverse);
        const double mean = tempered.slope / tempered.shares;
        const double error = rough_error / 4 * std::abs(mean) + least_rough_error;
        CHECK(std::abs(rough_mean(row, inverse) - mean) <= error);
      });
    }
  }
}

}  // namespace
}  // namespace hqe
