// SPDX-License-Identifier: MIT
#include "hqe/methods/chosen_vote.h"

#include <utility>

namespace hqe {

std::vector<double> weights_in(const VoteRule& rule, const Choice& choice) {
  std::vector<double> weights = choice.weights;
  for (std::size_t place = 0; place < weights.size() && !rule.weights.empty(); ++place) {
    weights[place] *= rule.weights[choice.team[place]];
  }
  return weights;
}

ChosenVote::ChosenVote(const Choice& choice, const VoteRule& rule, Kind kind)
    : rule_(rule), voters_(choice.team.begin(), choice.team.end()) {
  if (choice.weights.empty()) return;
  if (rule.vote == Vote::majority || (rule.vote == Vote::plurality && has_scores(kind))) {
    voters_.clear();
    for (std::size_t place = 0; place < choice.weights.size(); ++place) {
      voters_.insert(voters_.end(), static_cast<std::size_t>(choice.weights[place]),
                     choice.team[place]);
    }
    return;
  }
  std::vector<double> weights(rule.correct.size(), 0.0);
  for (std::size_t place = 0; place < voters_.size(); ++place) {
    weights[voters_[place]] = choice.weights[place];
  }
  rule_.vote = Vote::weighted;
  rule_.weights = std::move(weights);
}

}  // namespace hqe
