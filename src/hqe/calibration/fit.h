// SPDX-License-Identifier: MIT
/// The lowest point of a convex function of one number. Private to calibration/.

#pragma once

#include <functional>

namespace hqe {

/// First and second derivative at a point.
struct Slope {
  double slope = 0, curvature = 0;
};

/// Where a convex function on [1 / limit, limit] is lowest, to a relative error of about 1e-9: an
/// end of the range where it falls towards it, 1 where the function is flat there. Newton's method
/// from 1, kept within what is known; at most 100 points are asked for. Requires: limit > 1.
[[nodiscard]] double lowest_point(const std::function<Slope(double)>& slope_at, double limit);

}  // namespace hqe
