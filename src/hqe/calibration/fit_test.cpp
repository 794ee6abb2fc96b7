// SPDX-License-Identifier: MIT
#include "hqe/calibration/fit.h"

#include <doctest/doctest.h>

#include <cmath>

namespace hqe {
namespace {

/// Where the function with these derivatives is lowest, and how many points that took.
template <class SlopeAt>
std::pair<double, int> find_lowest(const SlopeAt& slope_at) {
  int points = 0;
  const double found = lowest_point(
      [&](double b) {
        ++points;
        return slope_at(b);
      },
      20);
  return {found, points};
}

TEST_CASE("the lowest point of a convex function is found to nine digits wherever it lies") {
  for (const double wanted : {0.0501, 0.3, 0.999999, 1.0, 1.7, 6.0, 19.99}) {
    CAPTURE(wanted);
    // x - wanted ln x.
    const auto [point, points] =
        find_lowest([&](double b) { return Slope{1 - wanted / b, wanted / (b * b)}; });
    CHECK(std::abs(point / wanted - 1) < 1e-9);
    CHECK(points < 20);
  }
}

TEST_CASE("a function that falls to an end of the range is lowest there") {
  const auto falls = [](double b) { return Slope{-std::exp(-5 * b), 5 * std::exp(-5 * b)}; };
  const auto rises = [](double b) { return Slope{1 + b, 1}; };
  CHECK(find_lowest(falls).first == 20);
  CHECK(find_lowest(falls).second < 10);
  CHECK(find_lowest(rises).first == 1.0 / 20);
}

TEST_CASE("a function that levels off does not make Newton's method creep") {
  // Falls to 15 in ever smaller steps, and rises steeply behind it.
  const auto slope_at = [](double b) {
    return Slope{-std::exp(-5 * b) + std::exp(5 * (b - 30)),
                 5 * std::exp(-5 * b) + 5 * std::exp(5 * (b - 30))};
  };
  const auto [point, points] = find_lowest(slope_at);
  CHECK(std::abs(point / 15 - 1) < 1e-9);
  CHECK(points < 40);
}

TEST_CASE("a flat function is lowest at 1") {
  CHECK(find_lowest([](double) { return Slope{0, 0}; }) == std::pair(1.0, 1));
}

TEST_CASE("noise in the slope ends after a hundred points within the range") {
  int call = 0;
  const auto [point, points] = find_lowest([&](double) {
    ++call;
    return Slope{call % 2 == 0 ? 1e-17 : -1e-17, 0};
  });
  CHECK(points <= 100);
  CHECK(point >= 1.0 / 20);
  CHECK(point <= 20);
}

TEST_CASE("rough slopes change no bit of the lowest point, and spare most of the others") {
  int exact = 0, exact_beside_rough = 0;
  for (const double wanted : {0.0501, 0.3, 0.999999, 1.0, 1.7, 6.0, 19.99}) {
    for (const double error : {0.0, 1e-4, 0.01, 0.3}) {
      for (const double off : {-0.99, 0.0, 0.99}) {
        CAPTURE(wanted);
        CAPTURE(error);
        const auto slope_at = [&](double b) {
          const double e = std::exp(-5 * (b - wanted));
          return Slope{1 - e, 5 * e};
        };
        const auto [expected, points] = find_lowest(slope_at);
        const double found = lowest_point(
            [&](double b) {
              ++exact_beside_rough;
              return slope_at(b);
            },
            20, [&](double b) { return RoughSlope{slope_at(b).slope + off * error, error}; });
        CHECK(found == expected);
        exact += points;
      }
    }
  }
  CHECK(exact_beside_rough < exact);
}

}  // namespace
}  // namespace hqe
