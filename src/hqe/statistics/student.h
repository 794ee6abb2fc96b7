// SPDX-License-Identifier: MIT
/// Student's t, and the test of repeated splits that is built on it.

#pragma once

#include <vector>

namespace hqe {

/// P(|T| > t) of Student's t with `degrees` degrees of freedom, to about 1e-14 absolute. Requires:
/// t >= 0, degrees >= 1. The same bits on every machine.
[[nodiscard]] double student_two_sided_tail(double t, int degrees);

/// The t with P(|T| > t) = tail. Requires: 0 < tail < 1, degrees >= 1. The same bits on every
/// machine.
[[nodiscard]] double student_critical_value(double tail, int degrees);

/// The standard error of the mean of `differences` of two methods, one a split, as the corrected
/// resampled t-test takes it. Requires: two or more differences.
[[nodiscard]] double corrected_resampled_error(const std::vector<double>& differences,
                                               double held_out_per_selection);

/// Two-sided p-value of the corrected resampled t-test (Nadeau and Bengio 2003): do the
/// `differences` of two methods, one a split, have mean 0? Splits share samples, so the variance of
/// their mean is taken as (1/J + held_out / selection) times that of the differences, not 1/J
/// times. 1 where all differences are 0. Requires: two or more differences.
[[nodiscard]] double corrected_resampled_p_value(const std::vector<double>& differences,
                                                 double held_out_per_selection);

}  // namespace hqe
