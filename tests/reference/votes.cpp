// SPDX-License-Identifier: MIT
#include "tests/reference/votes.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace hqe::reference {

int soft_vote(const ReferencePool& pool, const Members& team, int sample) {
  std::vector<double> sums(static_cast<std::size_t>(pool.class_count));
  for (const int member : team) {
    for (int c = 0; c < pool.class_count; ++c) {
      sums[c] += pool.probabilities[member][sample][c];
    }
  }
  return argmax(sums);
}

int weighted_vote(const ReferencePool& pool, const Members& team, int sample,
                  const std::vector<double>& weights) {
  std::vector<double> sums(static_cast<std::size_t>(pool.class_count));
  for (const int member : team) {
    for (int c = 0; c < pool.class_count; ++c) {
      sums[c] += weights[member] * pool.probabilities[member][sample][c];
    }
  }
  return argmax(sums);
}

int plurality_vote(const ReferencePool& pool, const Members& team, int sample,
                   const std::vector<std::uint64_t>& correct) {
  std::map<int, int> votes;
  std::map<int, std::uint64_t> strength;
  for (const int member : team) {
    const int label = pool.predictions[member][sample];
    if (label < 0) continue;
    ++votes[label];
    strength[label] += correct.empty() ? 0 : correct[member];
  }
  int best = -1;
  // Ascending labels: only a strictly better class displaces a lower one.
  for (const auto& [label, count] : votes) {
    const bool better = best < 0 || count > votes[best] ||
                        (count == votes[best] && strength[label] > strength[best]);
    if (better) best = label;
  }
  return best;
}

int weighted_plurality_vote(const ReferencePool& pool, const Members& team, int sample,
                            const std::vector<double>& weights,
                            const std::vector<std::uint64_t>& correct) {
  // The unit: 2^-52 of the power of two just above the team's heaviest weight.
  double unit = 1;
  double heaviest = 0;
  for (const int member : team) heaviest = std::max(heaviest, weights[member]);
  while (unit <= heaviest) unit *= 2;
  while (heaviest > 0 && unit / 2 > heaviest) unit /= 2;
  unit /= 4503599627370496.0;
  std::map<int, double> votes;
  __extension__ using Whole = unsigned __int128;
  std::map<int, Whole> strength;
  for (const int member : team) {
    const int label = pool.predictions[member][sample];
    if (label < 0) continue;
    votes[label] += weights[member];
    const auto units = static_cast<std::uint64_t>(std::floor(weights[member] / unit + 0.5));
    strength[label] += correct.empty() ? Whole{0} : Whole{units} * correct[member];
  }
  int best = -1;
  for (const auto& [label, sum] : votes) {
    if (sum == 0) continue;
    const bool better =
        best < 0 || sum > votes[best] || (sum == votes[best] && strength[label] > strength[best]);
    if (better) best = label;
  }
  return best;
}

int majority_vote(const ReferencePool& pool, const Members& team, int sample) {
  std::map<int, int> votes;
  for (const int member : team) ++votes[pool.predictions[member][sample]];
  for (const auto& [label, count] : votes) {
    if (label >= 0 && 2 * count > static_cast<int>(team.size())) return label;
  }
  return -1;
}

std::vector<std::uint64_t> correct_counts(const ReferencePool& pool) {
  std::vector<std::uint64_t> counts;
  for (int m = 0; m < pool.model_count; ++m) {
    counts.push_back(static_cast<std::uint64_t>(pool.correct(m)));
  }
  return counts;
}

}  // namespace hqe::reference
