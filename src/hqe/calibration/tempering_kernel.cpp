// SPDX-License-Identifier: MIT
#include "hqe/calibration/tempering_kernel.h"

#include <cstdint>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hqe/calibration/tempering_kernel.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace hqe {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Doubles = hn::CappedTag<double, kernel_lanes>;
using Words = hn::RebindToUnsigned<Doubles>;
using DoubleVector = hn::Vec<Doubles>;

HWY_INLINE DoubleVector constant(double value) { return hn::Set(Doubles(), value); }

// portable_exp() of each x, for -700 < x <= 0, step by step, 0 below: padding is far below, and no
// share is since 20 ln 1e-15 > -700. Each step waits for the one before it, so that several numbers
// take the same step together.
template <std::size_t count>
HWY_INLINE void exp_of(DoubleVector (&x)[count]) {
  const Doubles d;
  DoubleVector k[count], r[count], tail[count];
  for (std::size_t i = 0; i < count; ++i) {
    k[i] = hn::Floor(hn::Add(hn::Mul(x[i], constant(0x1.71547652b82fep+0)), constant(0.5)));
  }
  for (std::size_t i = 0; i < count; ++i) {
    r[i] = hn::Sub(hn::Sub(x[i], hn::Mul(k[i], constant(0x1.62e42fee00000p-1))),
                   hn::Mul(k[i], constant(0x1.a39ef35793c76p-33)));
    tail[i] = constant(1.0 / 87178291200.0);
  }
  for (const double factorial : {6227020800.0, 479001600.0, 39916800.0, 3628800.0, 362880.0,
                                 40320.0, 5040.0, 720.0, 120.0, 24.0, 6.0, 2.0}) {
    const auto next = constant(1.0 / factorial);
    for (std::size_t i = 0; i < count; ++i) tail[i] = hn::Add(hn::Mul(tail[i], r[i]), next);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const auto series =
        hn::Add(constant(1.0), hn::Add(r[i], hn::Mul(hn::Mul(r[i], r[i]), tail[i])));
    // Added to 1.5 2^52, the exponent lies in the lowest bits.
    const auto exponent = hn::BitCast(Words(), hn::Add(k[i], constant(0x1.8p52 + 1023)));
    const auto power = hn::BitCast(d, hn::ShiftLeft<52>(exponent));
    x[i] = hn::IfThenElseZero(hn::Gt(x[i], constant(-700)), hn::Mul(series, power));
  }
}

// portable_log() for normal x > 0, step by step.
HWY_INLINE DoubleVector log_of(DoubleVector x) {
  const Doubles d;
  const Words w;
  const auto bits = hn::BitCast(w, x);
  const auto half = hn::Set(w, std::uint64_t{1022} << 52);
  const auto mantissa = hn::Set(w, (std::uint64_t{1} << 52) - 1);
  auto m = hn::BitCast(d, hn::Or(hn::And(bits, mantissa), half));
  // As a number: the biased exponent in the lowest bits of 2^52.
  const auto biased = hn::Or(hn::ShiftRight<52>(bits), hn::Set(w, std::uint64_t{1075} << 52));
  auto k = hn::Sub(hn::BitCast(d, biased), constant(0x1p52 + 1022));
  const auto is_small = hn::Lt(m, constant(0x1.6a09e667f3bcdp-1));
  m = hn::IfThenElse(is_small, hn::Add(m, m), m);
  k = hn::IfThenElse(is_small, hn::Sub(k, constant(1)), k);
  const auto s = hn::Div(hn::Sub(m, constant(1)), hn::Add(m, constant(1)));
  const auto square = hn::Mul(s, s);
  auto tail = hn::Zero(d);
  for (int odd = 23; odd >= 3; odd -= 2) {
    tail = hn::Mul(hn::Add(tail, constant(1.0 / odd)), square);
  }
  const auto twice = hn::Add(s, s);
  return hn::Add(
      hn::Mul(k, constant(0x1.62e42fee00000p-1)),
      hn::Add(twice, hn::Add(hn::Mul(twice, tail), hn::Mul(k, constant(0x1.a39ef35793c76p-33)))));
}

void take_logarithms_of(std::span<double> row, std::size_t classes, double weights) {
  constexpr double smallest_share = 1e-15;
  constexpr double padding = -1e6;
  const Doubles d;
  const std::size_t lanes = hn::Lanes(d);
  auto largest = constant(-1000);
  for (std::size_t c = 0; c < row.size(); c += lanes) {
    const auto share = hn::Div(hn::LoadU(d, row.data() + c), constant(weights));
    const auto log = log_of(hn::Max(share, constant(smallest_share)));
    largest = hn::Max(largest, log);
    hn::StoreU(log, d, row.data() + c);
  }
  largest = hn::MaxOfLanes(d, largest);
  for (std::size_t c = 0; c < row.size(); c += lanes) {
    hn::StoreU(hn::Sub(hn::LoadU(d, row.data() + c), largest), d, row.data() + c);
  }
  for (std::size_t c = classes; c < row.size(); ++c) row[c] = padding;
}

HWY_INLINE double in_order(const double* lanes) {
  return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) +
         ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
}

/// Some of the eight sums of each kind.
struct TemperedSums {
  DoubleVector shares, squared, slope, curvature;
};

/// Adds `count` vectors of the row, the first at `first`, at a time, as long as there are so many.
/// Returns where the next one is.
template <std::size_t count>
HWY_INLINE std::size_t add_shares(std::span<const double> row, std::size_t first, double inverse,
                                  TemperedSums& sums) {
  const Doubles d;
  for (; first + (count - 1) * kernel_lanes < row.size(); first += count * kernel_lanes) {
    DoubleVector share[count];
    for (std::size_t i = 0; i < count; ++i) {
      share[i] = hn::Mul(hn::LoadU(d, row.data() + first + i * kernel_lanes), constant(inverse));
    }
    exp_of(share);
    for (std::size_t i = 0; i < count; ++i) {
      const auto log = hn::LoadU(d, row.data() + first + i * kernel_lanes);
      const auto product = hn::Mul(share[i], log);
      sums.shares = hn::Add(sums.shares, share[i]);
      sums.squared = hn::Add(sums.squared, hn::Mul(share[i], share[i]));
      sums.slope = hn::Add(sums.slope, product);
      sums.curvature = hn::Add(sums.curvature, hn::Mul(product, log));
    }
  }
  return first;
}

void temper_row(std::span<const double> row, double inverse, TemperedRow& result) {
  const Doubles d;
  double sums[4][kernel_lanes];
  // A narrow vector goes over the row once for each of its places among the eight sums.
  for (std::size_t lane = 0; lane < kernel_lanes; lane += hn::Lanes(d)) {
    const auto zero = hn::Zero(d);
    TemperedSums part{zero, zero, zero, zero};
    add_shares<1>(row, add_shares<4>(row, lane, inverse, part), inverse, part);
    hn::StoreU(part.shares, d, sums[0] + lane);
    hn::StoreU(part.squared, d, sums[1] + lane);
    hn::StoreU(part.slope, d, sums[2] + lane);
    hn::StoreU(part.curvature, d, sums[3] + lane);
  }
  result = {.shares = in_order(sums[0]),
            .squared = in_order(sums[1]),
            .slope = in_order(sums[2]),
            .curvature = in_order(sums[3])};
}

/// e^x of x = y ln 2, to a relative error of 4e-6: the series to the fifth power, of at most half a
/// power of two. Padding is as good as 0.
HWY_INLINE DoubleVector rough_power(DoubleVector y) {
  const Doubles d;
  constexpr double ln2 = 0x1.62e42fefa39efp-1;
  constexpr double square = ln2 * ln2 / 2, cube = square * ln2 / 3, fourth = cube * ln2 / 4;
  y = hn::Max(y, constant(-1000));
  // Added to 1.5 2^52, the nearest whole number lies in the lowest bits.
  const auto whole = hn::Add(y, constant(0x1.8p52));
  const auto r = hn::Sub(y, hn::Sub(whole, constant(0x1.8p52)));
  auto power = hn::MulAdd(constant(fourth * ln2 / 5), r, constant(fourth));
  power = hn::MulAdd(power, r, constant(cube));
  power = hn::MulAdd(power, r, constant(square));
  power = hn::MulAdd(power, r, constant(ln2));
  power = hn::MulAdd(power, r, constant(1));
  const auto exponent = hn::ShiftLeft<52>(hn::BitCast(Words(), whole));
  return hn::BitCast(d, hn::Add(hn::BitCast(Words(), power), exponent));
}

void find_rough_mean(std::span<const double> row, double inverse, double& mean) {
  const Doubles d;
  const std::size_t lanes = hn::Lanes(d);
  const auto scale = constant(inverse * 0x1.71547652b82fep+0);
  auto shares0 = hn::Zero(d), shares1 = shares0, slope0 = shares0, slope1 = shares0;
  // A row is whole multiples of eight, and a vector eight numbers at most.
  std::size_t i = 0;
  for (; i + 2 * lanes <= row.size(); i += 2 * lanes) {
    const auto log0 = hn::LoadU(d, row.data() + i), log1 = hn::LoadU(d, row.data() + i + lanes);
    const auto share0 = rough_power(hn::Mul(log0, scale));
    const auto share1 = rough_power(hn::Mul(log1, scale));
    shares0 = hn::Add(shares0, share0);
    shares1 = hn::Add(shares1, share1);
    slope0 = hn::MulAdd(share0, log0, slope0);
    slope1 = hn::MulAdd(share1, log1, slope1);
  }
  for (; i < row.size(); i += lanes) {
    const auto log = hn::LoadU(d, row.data() + i);
    const auto share = rough_power(hn::Mul(log, scale));
    shares0 = hn::Add(shares0, share);
    slope0 = hn::MulAdd(share, log, slope0);
  }
  const auto slope = hn::SumOfLanes(d, hn::Add(slope0, slope1));
  const auto shares = hn::SumOfLanes(d, hn::Add(shares0, shares1));
  mean = hn::GetLane(slope) / hn::GetLane(shares);
}

}  // namespace HWY_NAMESPACE
}  // namespace hqe
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hqe {
HWY_EXPORT(take_logarithms_of);
HWY_EXPORT(temper_row);
HWY_EXPORT(find_rough_mean);

void take_logarithms(std::span<double> row, std::size_t classes, double weights) {
  HWY_DYNAMIC_DISPATCH(take_logarithms_of)(row, classes, weights);
}

TemperedRow temper(std::span<const double> row, double inverse) {
  TemperedRow result;
  HWY_DYNAMIC_DISPATCH(temper_row)(row, inverse, result);
  return result;
}

double rough_mean(std::span<const double> row, double inverse) {
  double mean = 0;
  HWY_DYNAMIC_DISPATCH(find_rough_mean)(row, inverse, mean);
  return mean;
}

}  // namespace hqe
#endif  // HWY_ONCE
