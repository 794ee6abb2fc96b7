// SPDX-License-Identifier: MIT
#include "hqe/calibration/temper.h"

#include <algorithm>

#include "hqe/base/elementary.h"

namespace hqe {

void temper(std::span<double> shares, double temperature) {
  constexpr double least = 1e-15;
  for (double& share : shares) share = portable_log(std::max(share, least));
  const double largest = std::ranges::max(shares);
  double sum = 0;
  for (double& share : shares) {
    share = portable_exp((share - largest) / temperature);
    sum += share;
  }
  for (double& share : shares) share /= sum;
}

}  // namespace hqe
