// SPDX-License-Identifier: MIT
#include "tests/reference/calibration.h"

#include <algorithm>
#include <cmath>

namespace hqe::reference {

std::vector<std::vector<double>> tempered_shares(const ReferencePool& pool, const Members& team,
                                                 const std::vector<double>& weights,
                                                 double temperature) {
  std::vector<std::vector<double>> result;
  for (int x = 0; x < pool.sample_count; ++x) {
    std::vector<double> shares(static_cast<std::size_t>(pool.class_count));
    double weight = 0;
    for (const int member : team) weight += weights[member];
    for (int c = 0; c < pool.class_count; ++c) {
      for (const int member : team) {
        shares[c] += weights[member] * pool.probabilities[member][x][c];
      }
      shares[c] = std::pow(std::max(shares[c] / weight, 1e-15), 1 / temperature);
    }
    double sum = 0;
    for (const double share : shares) sum += share;
    for (double& share : shares) share /= sum;
    result.push_back(shares);
  }
  return result;
}

Calibration judge_shares(const ReferencePool& pool,
                         const std::vector<std::vector<double>>& shares) {
  Calibration result;
  result.bins.resize(15);
  for (int x = 0; x < pool.sample_count; ++x) {
    const int truth = pool.truth[x];
    result.log_loss -= std::log(shares[x][truth]) / pool.sample_count;
    for (int c = 0; c < pool.class_count; ++c) {
      const double wanted = c == truth ? 1 : 0;
      result.brier += (shares[x][c] - wanted) * (shares[x][c] - wanted) / pool.sample_count;
    }
    const int answer = argmax(shares[x]);
    for (int b = 0; b < 15; ++b) {
      // What lies on a border but for rounding belongs below it.
      const bool above = b == 0 || shares[x][answer] > b / 15.0 + 1e-9;
      const bool below = b == 14 || shares[x][answer] <= (b + 1) / 15.0 + 1e-9;
      if (!above || !below) continue;
      ++result.bins[b].count;
      result.bins[b].confidence += shares[x][answer];
      result.bins[b].accuracy += answer == truth ? 1 : 0;
    }
  }
  for (Bin& bin : result.bins) {
    if (bin.count == 0) continue;
    bin.confidence /= bin.count;
    bin.accuracy /= bin.count;
    result.calibration_error +=
        std::abs(bin.accuracy - bin.confidence) * bin.count / pool.sample_count;
  }
  return result;
}

double best_temperature(const ReferencePool& pool, const Members& team,
                        const std::vector<double>& weights) {
  double low = std::log(1.0 / 20);
  double high = std::log(20.0);
  const double first = low;
  const double last = high;
  double best = 0;
  while (high - low > 1e-9) {
    double lowest_loss = INFINITY;
    const double step = (high - low) / 40;
    for (int i = 0; i <= 40; ++i) {
      const double point = low + step * i;
      const double loss =
          judge_shares(pool, tempered_shares(pool, team, weights, std::exp(point))).log_loss;
      if (loss >= lowest_loss) continue;
      lowest_loss = loss;
      best = point;
    }
    low = std::max(best - step, first);
    high = std::min(best + step, last);
  }
  return std::exp(best);
}

}  // namespace hqe::reference
