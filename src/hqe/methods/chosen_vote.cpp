// SPDX-License-Identifier: MIT
#include "hqe/methods/chosen_vote.h"

#include <utility>

namespace hqe {

std::vector<double> weights_in(const VoteRule& rule, const Judged& judged) {
  std::vector<double> weights = judged.weights;
  for (std::size_t place = 0; place < weights.size() && !rule.weights.empty(); ++place) {
    weights[place] *= rule.weights[judged.team[place]];
  }
  return weights;
}

ChosenVote::ChosenVote(const Judged& judged, const VoteRule& rule, Kind kind)
    : rule_(rule), voters_(judged.team.begin(), judged.team.end()) {
  if (judged.weights.empty()) return;
  if (rule.vote == Vote::majority || (rule.vote == Vote::plurality && has_scores(kind))) {
    voters_.clear();
    for (std::size_t place = 0; place < judged.weights.size(); ++place) {
      voters_.insert(voters_.end(), static_cast<std::size_t>(judged.weights[place]),
                     judged.team[place]);
    }
    return;
  }
  std::vector<double> weights(rule.correct.size(), 0.0);
  for (std::size_t place = 0; place < voters_.size(); ++place) {
    weights[voters_[place]] = judged.weights[place];
  }
  rule_.vote = Vote::weighted;
  rule_.weights = std::move(weights);
}

}  // namespace hqe
