// SPDX-License-Identifier: MIT
#include "hqe/bits/divide.h"

#include <cassert>
#include <cstddef>

#include "hqe/bits/target.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hqe/bits/divide.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace hqe {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

void divide_each_of(std::span<double> values, std::span<const double> divisors) {
  const hn::ScalableTag<double> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= values.size(); i += lanes) {
    double* place = values.data() + i;
    hn::StoreU(hn::Div(hn::LoadU(d, place), hn::LoadU(d, divisors.data() + i)), d, place);
  }
  for (; i < values.size(); ++i) values[i] /= divisors[i];
}

}  // namespace HWY_NAMESPACE
}  // namespace hqe
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hqe {
HWY_EXPORT(divide_each_of);

void divide_each(std::span<double> values, std::span<const double> divisors) {
  assert(values.size() == divisors.size());
  HWY_DYNAMIC_DISPATCH(divide_each_of)(values, divisors);
}

}  // namespace hqe
#endif  // HWY_ONCE
