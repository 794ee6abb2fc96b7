// SPDX-License-Identifier: MIT
#include "tests/reference/answers.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "tests/reference/votes.h"

namespace hqe::reference {
namespace {

std::vector<double> mean_scores(const ReferencePool& pool, const Members& team, int sample,
                                const std::vector<double>& weights) {
  std::vector<double> mean(static_cast<std::size_t>(pool.class_count));
  for (int c = 0; c < pool.class_count; ++c) {
    double sum = 0, whole = 0;
    for (const int member : team) {
      const double weight = weights.empty() ? 1 : weights[member];
      sum += weight * pool.probabilities[member][sample][c];
      whole += weight;
    }
    mean[c] = whole > 0 ? sum / whole : 0;
  }
  return mean;
}

std::vector<double> at_temperature(std::vector<double> shares, double temperature) {
  double sum = 0;
  for (double& share : shares) {
    share = std::pow(std::max(share, 1e-15), 1 / temperature);
    sum += share;
  }
  for (double& share : shares) share /= sum;
  return shares;
}

/// How far the first of these is ahead of the largest of the others.
double lead(double first, std::vector<double> others) {
  return first - (others.empty() ? 0 : *std::max_element(others.begin(), others.end()));
}

}  // namespace

Answer answer_of(const ReferencePool& pool, const Members& team, int sample, Vote vote,
                 const std::vector<double>& weights, const std::vector<std::uint64_t>& correct,
                 std::optional<double> temperature) {
  Answer answer;
  const bool scores = vote == Vote::soft || (vote == Vote::weighted && !pool.probabilities.empty());
  if (scores) {
    answer.label = vote == Vote::soft ? soft_vote(pool, team, sample)
                                      : weighted_vote(pool, team, sample, weights);
    answer.scores =
        mean_scores(pool, team, sample, vote == Vote::soft ? std::vector<double>{} : weights);
    if (temperature) answer.scores = at_temperature(answer.scores, *temperature);
    std::vector<double> others = answer.scores;
    others.erase(others.begin() + answer.label);
    answer.probability = answer.scores[answer.label];
    answer.margin = lead(*answer.probability, others);
  } else {
    answer.label = vote == Vote::majority ? majority_vote(pool, team, sample)
                   : vote == Vote::plurality
                       ? plurality_vote(pool, team, sample, correct)
                       : weighted_plurality_vote(pool, team, sample, weights, correct);
    std::map<int, double> votes;
    for (const int member : team) {
      const int label = pool.predictions[member][sample];
      if (label >= 0) votes[label] += vote == Vote::weighted ? weights[member] : 1;
    }
    if (answer.label >= 0) {
      std::vector<double> others;
      for (const auto& [label, count] : votes) {
        if (label != answer.label) others.push_back(count);
      }
      answer.margin = lead(votes[answer.label], others);
    }
  }
  for (const int member : team) {
    if (answer.label >= 0 && pool.predictions[member][sample] == answer.label) ++answer.agree;
  }
  return answer;
}

}  // namespace hqe::reference
