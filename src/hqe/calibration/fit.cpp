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

/// How steep the function is at the point before, as far as that is known.
struct Before {
  double point = 0, least = 0, most = 0;
};

/// Newton's method creeps where the function levels off: four times nearer, or leave it.
bool is_slow(double slope, Before& before, const std::function<Slope(double)>& slope_at) {
  const double wanted = 4 * std::abs(slope);
  if (wanted > before.most) return true;
  if (wanted <= before.least) return false;
  before.least = before.most = std::abs(slope_at(before.point).slope);
  return wanted > before.most;
}

/// Whether a slope is known to be no zero, and steep enough for Newton's method to be left.
bool is_surely_slow(const RoughSlope& rough, const Before& before) {
  const double least = std::abs(rough.slope) - rough.error;
  return least > 0 && 4 * least > before.most;
}

}  // namespace

double lowest_point(const std::function<Slope(double)>& slope_at, double limit,
                    const std::function<RoughSlope(double)>& rough_at) {
  constexpr int most_points = 100;
  constexpr double precision = 1e-9;
  Bracket bracket{.low = 1 / limit, .high = limit};
  double point = 1;
  Before before;
  bool was_left = false;  // Newton's method, at the point before: likely here again.
  for (int i = 0; i < most_points; ++i) {
    const RoughSlope rough = was_left && rough_at ? rough_at(point) : RoughSlope{};
    const bool is_enough = was_left && is_surely_slow(rough, before);
    const Slope here = is_enough ? Slope{.slope = rough.slope} : slope_at(point);
    const bool at_the_end = here.slope < 0 ? point == limit : point == 1 / limit;
    if (here.slope == 0 || at_the_end) break;
    bracket.narrow(point, here.slope);
    double next = point - here.slope / here.curvature;
    was_left = is_enough || !(next > bracket.low && next < bracket.high) ||
               (i > 0 && is_slow(here.slope, before, slope_at));
    if (was_left) next = bracket.middle(here.slope);
    const double error = is_enough ? rough.error : 0;
    const double steep = std::abs(here.slope);
    before = {.point = point, .least = steep - error, .most = steep + error};
    const bool is_near = std::abs(next - point) <= precision * point;
    point = next;
    if (is_near) break;
  }
  return point;
}

}  // namespace hqe
