// SPDX-License-Identifier: MIT
#include "hqe/calibration/fit.h"

#include <cmath>

namespace hqe {
namespace {

/// Where the lowest point lies: between two points, or ends of the range that nobody asked for yet.
struct Bracket {
  double low, high;
  bool low_asked = false, high_asked = false;

  void narrow(double point, double slope) {
    (slope < 0 ? low : high) = point;
    (slope < 0 ? low_asked : high_asked) = true;
  }
  /// The end of the range that the function falls to, then the middle of what is left.
  [[nodiscard]] double middle(double slope) const {
    if (slope < 0 && !high_asked) return high;
    if (slope > 0 && !low_asked) return low;
    return std::sqrt(low * high);
  }
};

}  // namespace

double lowest_point(const std::function<Slope(double)>& slope_at, double limit) {
  constexpr int most_points = 100;
  constexpr double precision = 1e-9;
  Bracket bracket{.low = 1 / limit, .high = limit};
  double point = 1;
  double slope_before = 0;
  for (int i = 0; i < most_points; ++i) {
    const Slope here = slope_at(point);
    const bool at_the_end = here.slope < 0 ? point == limit : point == 1 / limit;
    if (here.slope == 0 || at_the_end) break;
    bracket.narrow(point, here.slope);
    double next = point - here.slope / here.curvature;
    // Newton's method creeps where the function levels off: four times nearer, or leave it.
    const bool is_slow = i > 0 && 4 * std::abs(here.slope) > std::abs(slope_before);
    if (!(next > bracket.low && next < bracket.high) || is_slow) next = bracket.middle(here.slope);
    slope_before = here.slope;
    const bool is_near = std::abs(next - point) <= precision * point;
    point = next;
    if (is_near) break;
  }
  return point;
}

}  // namespace hqe
