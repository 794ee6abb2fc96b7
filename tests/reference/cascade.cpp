// SPDX-License-Identifier: MIT
#include "tests/reference/cascade.h"

#include <algorithm>

namespace hqe::reference {
namespace {

/// The mean shares of those who were asked, in the order in which they were; empty where they weigh
/// nothing.
std::vector<double> mean_shares(const ReferencePool& pool, const CascadeTeam& team, int asked,
                                int sample) {
  std::vector<double> shares(static_cast<std::size_t>(pool.class_count));
  double weights = 0;
  for (int i = 0; i < asked; ++i) {
    const int model = team.order[i];
    const double weight = team.weights.empty() ? 1 : team.weights[model];
    weights += weight;
    for (std::size_t c = 0; c < shares.size(); ++c) {
      shares[c] += weight * pool.probabilities[model][sample][c];
    }
  }
  if (weights == 0) return {};
  for (double& share : shares) share /= weights;
  return shares;
}

/// The class that a rule stops at after so many members; -1: it goes on.
int stops_at(const ReferencePool& pool, const CascadeTeam& team, const StopRule& stop, int asked,
             int sample) {
  if (stop.kind == StopKind::agreement && asked == stop.agreeing) {
    const int first = pool.predictions[team.order[0]][sample];
    for (int i = 1; i < asked; ++i) {
      if (pool.predictions[team.order[i]][sample] != first) return -1;
    }
    return first;
  }
  if (stop.kind == StopKind::confidence && team.has_scores) {
    const std::vector<double> shares = mean_shares(pool, team, asked, sample);
    if (shares.empty() || *std::ranges::max_element(shares) < stop.confidence) return -1;
    return argmax(shares);
  }
  return -1;
}

bool is_better(const CascadeRun& one, const CascadeRun& other) {
  return one.expected_cost <= other.expected_cost && one.correct >= other.correct &&
         (one.expected_cost < other.expected_cost || one.correct > other.correct);
}

}  // namespace

CascadeRun run_cascade(const ReferencePool& pool, const CascadeTeam& team, const StopRule& stop) {
  CascadeRun run{.samples = static_cast<std::uint64_t>(pool.sample_count)};
  for (int sample = 0; sample < pool.sample_count; ++sample) {
    const int full = team.full(sample);
    int answer = full;
    for (int asked = 1; asked <= static_cast<int>(team.order.size()); ++asked) {
      run.expected_models += 1;
      run.expected_cost += team.costs[asked - 1];
      if (team.is_decided(sample, asked)) break;
      const int early = stops_at(pool, team, stop, asked, sample);
      if (early < 0) continue;
      answer = early;
      break;
    }
    run.correct += answer == pool.truth[sample] ? 1 : 0;
    run.changed += answer == full ? 0 : 1;
  }
  run.expected_models /= pool.sample_count;
  run.expected_cost /= pool.sample_count;
  return run;
}

std::vector<std::size_t> cascade_front(const std::vector<CascadeRun>& runs) {
  std::vector<std::size_t> front;
  for (std::size_t i = 1; i < runs.size(); ++i) {
    bool is_on = true;
    for (std::size_t j = 0; j < runs.size(); ++j) {
      const bool is_same =
          runs[j].expected_cost == runs[i].expected_cost && runs[j].correct == runs[i].correct;
      if (is_better(runs[j], runs[i]) || (is_same && j < i)) is_on = false;
    }
    if (is_on) front.push_back(i);
  }
  std::ranges::sort(front, [&](std::size_t one, std::size_t other) {
    return runs[one].expected_cost > runs[other].expected_cost;
  });
  front.insert(front.begin(), 0);
  return front;
}

}  // namespace hqe::reference
