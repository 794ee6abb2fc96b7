// SPDX-License-Identifier: MIT
#include "hqe/serving/voter.h"

#include <algorithm>
#include <string>
#include <utility>

#include "hqe/base/error.h"
#include "hqe/scan/scan.h"
#include "hqe/serving/exit_rule.h"

namespace hqe {
namespace {

void check(const TeamVote& vote) {
  if (vote.correct.empty()) throw UsageError("a vote needs at least one member");
  if (vote.class_count < 1 || vote.class_count > max_class_count) {
    throw UsageError("a vote needs 1 to " + std::to_string(max_class_count) + " classes, not " +
                     std::to_string(vote.class_count));
  }
  const VoteRow& row = row_of(vote.vote);
  if (vote.weights.size() != (row.has_weights ? vote.correct.size() : 0)) {
    throw UsageError("a weighted vote needs one weight a member, and no other vote has any");
  }
  const bool takes_scores = row.needs == VoteNeeds::scores;
  const bool takes_labels = row.needs == VoteNeeds::labels;
  if ((takes_scores && !vote.has_scores) || (takes_labels && vote.has_scores)) {
    throw UsageError("the " + std::string(row.name) + " vote is one of " +
                     (takes_scores ? "scores" : "labels"));
  }
  for (const double weight : vote.weights) {
    if (weight != 0 && !(weight >= 1e-100 && weight <= 1e100)) {
      throw UsageError("a vote's weights are 0 or between 1e-100 and 1e100");
    }
  }
  if (!(vote.largest_score >= 1 && vote.largest_score < 2)) {
    throw UsageError("the largest score of a member is at least 1 and below 2");
  }
}

}  // namespace

TeamVote team_vote(const Pool& pool, const VoteRule& rule, TeamView team) {
  TeamVote vote{.vote = rule.vote, .ties = rule.ties, .class_count = pool.class_count};
  vote.has_scores = adds_scores(rule.vote, pool.kind);
  for (const ModelId model : team) {
    if (rule.vote == Vote::weighted) vote.weights.push_back(rule.weights[model]);
    vote.correct.push_back(model < rule.correct.size() ? rule.correct[model] : 0);
    if (vote.has_scores) {
      vote.largest_score = std::max(vote.largest_score, largest_class_score(pool, model));
    }
  }
  return vote;
}

Voter::Voter(TeamVote vote) : vote_(std::move(vote)) {
  check(vote_);
  const std::size_t members = vote_.correct.size();
  const auto classes = static_cast<std::size_t>(vote_.class_count);
  is_in_.resize(members);
  if (vote_.has_scores) {
    rows_.resize(members * classes);
    sums_.resize(classes);
  } else {
    labels_.resize(members);
    strengths_ = strengths_of(vote_);
    tallies_.reserve(members);
  }
  for (std::size_t m = 0; m < members; ++m) all_weights_ += vote_.weight(m);
  clear();
}

void Voter::clear() {
  std::ranges::fill(is_in_, char{0});
  added_ = 0;
  decided_ = false;
  answer_ = -1;
}

std::size_t Voter::place(int member) const {
  if (member < 0 || member >= vote_.size()) {
    throw UsageError("the vote has members 0 to " + std::to_string(vote_.size() - 1) +
                     ", and none is " + std::to_string(member));
  }
  if (is_in_[static_cast<std::size_t>(member)] != 0) {
    throw UsageError("member " + std::to_string(member) + " has voted already");
  }
  return static_cast<std::size_t>(member);
}

void Voter::note(std::size_t member) {
  is_in_[member] = 1;
  ++added_;
  const Left left = left_without(vote_, is_in_);
  VoteOutcome outcome;
  if (vote_.has_scores) {
    add_up_scores(vote_, rows_, is_in_, sums_);
    outcome = outcome_of_scores(vote_, sums_, left);
  } else {
    tally_labels(vote_, strengths_, labels_, is_in_, tallies_);
    outcome = outcome_of_tallies(vote_, tallies_, left);
  }
  decided_ = outcome.decided;
  answer_ = outcome.answer;
}

void Voter::add(int member, std::int32_t label) {
  const std::size_t m = place(member);
  if (vote_.has_scores) throw UsageError("this vote needs a score a class from every member");
  if (label < -1 || label >= vote_.class_count) {
    throw UsageError("label " + std::to_string(label) + " is none of the vote's " +
                     std::to_string(vote_.class_count) + " classes");
  }
  labels_[m] = label;
  note(m);
}

void Voter::add(int member, std::span<const double> scores) {
  const std::size_t m = place(member);
  const auto classes = static_cast<std::size_t>(vote_.class_count);
  if (scores.size() != classes) {
    throw UsageError("there are " + std::to_string(scores.size()) + " scores for " +
                     std::to_string(classes) + " classes");
  }
  if (!vote_.has_scores) {
    return add(member,
               static_cast<std::int32_t>(std::ranges::max_element(scores) - scores.begin()));
  }
  for (const double score : scores) {
    if (score >= 0 && score <= vote_.largest_score) continue;
    throw UsageError("a score of member " + std::to_string(member) +
                     " is no probability. Take the softmax of logits first");
  }
  std::ranges::copy(scores, rows_.begin() + static_cast<std::ptrdiff_t>(m * classes));
  note(m);
}

std::int32_t Voter::answer() const {
  if (!decided_) throw UsageError("the vote is not decided yet. Add another member");
  return answer_;
}

void Voter::scores(std::span<double> out) const {
  if (!vote_.has_scores) throw UsageError("a vote of labels has no scores");
  if (!is_complete()) throw UsageError("the vote has scores once every member was added");
  if (out.size() != sums_.size()) throw UsageError("the vote's scores need one place a class");
  // Members without any weight have nothing to say: their scores stay 0.
  for (std::size_t k = 0; k < out.size(); ++k) {
    out[k] = all_weights_ > 0 ? sums_[k] / all_weights_ : 0;
  }
}

}  // namespace hqe
