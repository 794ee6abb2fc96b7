// SPDX-License-Identifier: MIT
#include "hqe/predictions/array.h"
#include "hqe/scan/scan.h"
#include "hqe/scan/score_kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hqe/scan/half_kernel.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace hqe {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

void widen_halves(const std::uint16_t* HWY_RESTRICT halves, std::size_t count,
                  float* HWY_RESTRICT out) {
  // As float_from_half(); Highway's own conversion gives other bits for infinity on some targets.
  const hn::ScalableTag<float> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const hn::Rebind<std::uint16_t, decltype(d)> d16;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto bits = hn::PromoteTo(du, hn::LoadU(d16, halves + i));
    const auto sign = hn::ShiftLeft<16>(hn::And(bits, hn::Set(du, 0x8000u)));
    const auto magnitude = hn::ShiftLeft<13>(hn::And(bits, hn::Set(du, 0x7FFFu)));
    const auto finite = hn::BitCast(du, hn::Mul(hn::BitCast(d, magnitude), hn::Set(d, 0x1p112f)));
    const auto endless = hn::Or(magnitude, hn::Set(du, 0x70000000u));
    const auto is_finite = hn::Lt(hn::BitCast(hn::RebindToSigned<decltype(d)>(), magnitude),
                                  hn::Set(hn::RebindToSigned<decltype(d)>(), 0x0F800000));
    const auto value = hn::IfThenElse(hn::RebindMask(du, is_finite), finite, endless);
    hn::StoreU(hn::BitCast(d, hn::Or(value, sign)), d, out + i);
  }
  for (; i < count; ++i) out[i] = float_from_half(halves[i]);
}

void widen_bfloat16(const std::uint16_t* HWY_RESTRICT values, std::size_t count,
                    float* HWY_RESTRICT out) {
  for (std::size_t i = 0; i < count; ++i) out[i] = float_from_bfloat16(values[i]);
}

void widen_shares(const float* HWY_RESTRICT values, std::size_t count, double* HWY_RESTRICT out) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<float, decltype(d)> df;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
    const auto value = hn::PromoteTo(d, hn::LoadU(df, values + i));
    const auto is_share = hn::And(hn::Ge(value, hn::Zero(d)), hn::Lt(value, hn::Set(d, 2)));
    hn::StoreU(hn::IfThenElseZero(is_share, value), d, out + i);
  }
  for (; i < count; ++i) out[i] = as_share(static_cast<double>(values[i]));
}

}  // namespace HWY_NAMESPACE
}  // namespace hqe
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hqe {
HWY_EXPORT(widen_halves);
HWY_EXPORT(widen_bfloat16);
HWY_EXPORT(widen_shares);

void convert_halves(const std::uint16_t* halves, std::size_t count, float* out) {
  HWY_DYNAMIC_DISPATCH(widen_halves)(halves, count, out);
}

void convert_bfloat16(const std::uint16_t* values, std::size_t count, float* out) {
  HWY_DYNAMIC_DISPATCH(widen_bfloat16)(values, count, out);
}

void convert_shares(const float* values, std::size_t count, double* out) {
  HWY_DYNAMIC_DISPATCH(widen_shares)(values, count, out);
}

}  // namespace hqe
#endif  // HWY_ONCE
