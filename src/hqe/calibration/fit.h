// SPDX-License-Identifier: MIT
/// The lowest point of a convex function of one number. Private to calibration/.

#pragma once

#include <functional>

namespace hqe {

/// First and second derivative at a point.
struct Slope {
  double slope = 0, curvature = 0;
};

/// A first derivative, off by less than `error`.
struct RoughSlope {
  double slope = 0, error = 0;
};

/// Where a convex function on [1 / limit, limit] is lowest, to a relative error of about 1e-9: an
/// end of the range where it falls towards it, 1 where the function is flat there. Newton's method
/// from 1, kept within what is known; at most 100 points are asked for. Requires: limit > 1.
///
/// `rough_at`, where there is one, is asked first where the way on is likely to depend on little
/// more than a sign. It changes no bit of the answer: what it leaves open is asked of `slope_at`.
[[nodiscard]] double lowest_point(const std::function<Slope(double)>& slope_at, double limit,
                                  const std::function<RoughSlope(double)>& rough_at = {});

}  // namespace hqe
