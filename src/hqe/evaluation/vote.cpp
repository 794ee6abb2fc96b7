// SPDX-License-Identifier: MIT
#include "hqe/evaluation/vote.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "hqe/base/error.h"
#include "hqe/predictions/scan.h"

namespace hqe {
namespace {

constexpr std::array all_votes{Vote::soft, Vote::weighted, Vote::plurality, Vote::majority};

bool needs_scores(Vote vote) { return vote == Vote::soft || vote == Vote::weighted; }

[[noreturn]] void refuse_vote(Vote vote, Kind kind) {
  std::string known;
  for (const Vote other : all_votes) {
    if (needs_scores(other)) continue;
    known += (known.empty() ? "" : ", ") + std::string(to_string(other));
  }
  throw UsageError("the " + std::string(to_string(vote)) +
                   " vote needs probabilities or logits, and this pool holds " +
                   std::string(to_string(kind)) + ". Votes that work here: " + known);
}

// Beyond these limits products with probabilities could underflow or overflow, and the error bounds
// of the contests rest on relative errors.
constexpr double smallest_weight = 1e-100;
constexpr double largest_weight = 1e100;

void check_weights(const std::vector<double>& weights, std::size_t model_count) {
  if (weights.size() != model_count) {
    throw UsageError("there are " + std::to_string(weights.size()) + " vote weights for " +
                     std::to_string(model_count) + " models. Give one number a model");
  }
  for (std::size_t m = 0; m < weights.size(); ++m) {
    const double weight = weights[m];
    if (weight == 0 || (weight >= smallest_weight && weight <= largest_weight)) continue;
    throw UsageError("the vote weight of model " + std::to_string(m) +
                     " is not usable. Weights are 0 or between 1e-100 and 1e100");
  }
  if (std::ranges::all_of(weights, [](double weight) { return weight == 0; })) {
    throw UsageError("every vote weight is 0. Give at least one model a say");
  }
}

// Zeros all over would make every sample a tie of all classes: who is never right at all is no
// worse than the others.
std::vector<double> accuracy_weights(const std::vector<std::uint64_t>& correct,
                                     std::uint64_t samples) {
  std::vector<double> result(correct.size(), 1.0);
  if (std::ranges::all_of(correct, [](std::uint64_t count) { return count == 0; })) return result;
  for (std::size_t m = 0; m < correct.size(); ++m) {
    result[m] = static_cast<double>(correct[m]) / static_cast<double>(samples);
  }
  return result;
}

std::int32_t soft_answer(const Pool& pool, const VoteRule& rule, TeamView team,
                         std::uint64_t sample) {
  std::vector<double> sums(static_cast<std::size_t>(pool.class_count), 0.0);
  std::vector<double> scores(sums.size());
  for (const ModelId model : team) {
    class_scores(pool, model, sample, scores);
    for (std::size_t k = 0; k < sums.size(); ++k) {
      sums[k] += rule.vote == Vote::weighted ? rule.weights[model] * scores[k] : scores[k];
    }
  }
  return static_cast<std::int32_t>(std::ranges::max_element(sums) - sums.begin());
}

struct LabelTally {
  std::int32_t label = -1;
  std::uint64_t votes = 0;
  std::uint64_t correct = 0;  // Sum of the voters' correct counts.
};

// One entry a class that got a vote, classes ascending.
std::vector<LabelTally> tally_votes(const Pool& pool, const VoteRule& rule, TeamView team,
                                    std::uint64_t sample) {
  std::vector<LabelTally> tallies;
  for (const ModelId model : team) {
    const std::int32_t label = predicted_label(pool, model, sample);
    if (label < 0) continue;
    auto place = std::ranges::lower_bound(tallies, label, {}, &LabelTally::label);
    if (place == tallies.end() || place->label != label) {
      place = tallies.insert(place, LabelTally{.label = label});
    }
    ++place->votes;
    if (rule.vote == Vote::plurality && rule.ties == Ties::accuracy) {
      place->correct += rule.correct[model];
    }
  }
  return tallies;
}

std::int32_t label_answer(const Pool& pool, const VoteRule& rule, TeamView team,
                          std::uint64_t sample) {
  LabelTally best;
  for (const LabelTally& tally : tally_votes(pool, rule, team, sample)) {
    // Classes ascend, so on a full tie the lower one stays.
    if (std::pair(tally.votes, tally.correct) > std::pair(best.votes, best.correct)) best = tally;
  }
  if (rule.vote == Vote::majority && 2 * best.votes <= team.size()) return -1;
  return best.label;
}

}  // namespace

std::string_view to_string(Vote vote) {
  switch (vote) {
    case Vote::soft:
      return "soft";
    case Vote::weighted:
      return "weighted";
    case Vote::plurality:
      return "plurality";
    case Vote::majority:
      return "majority";
  }
  return "";
}

std::string_view to_string(Ties ties) { return ties == Ties::accuracy ? "accuracy" : "label"; }

std::optional<Vote> parse_vote(std::string_view word) {
  for (const Vote vote : all_votes) {
    if (to_string(vote) == word) return vote;
  }
  return std::nullopt;
}

std::optional<Ties> parse_ties(std::string_view word) {
  for (const Ties ties : {Ties::accuracy, Ties::label}) {
    if (to_string(ties) == word) return ties;
  }
  return std::nullopt;
}

VoteRule settle_vote(Kind kind, std::uint64_t sample_count, const VoteOptions& options,
                     std::vector<std::uint64_t> correct) {
  VoteRule rule;
  rule.vote = options.vote.value_or(has_scores(kind) ? Vote::soft : Vote::plurality);
  rule.ties = options.ties;
  if (needs_scores(rule.vote) && !has_scores(kind)) refuse_vote(rule.vote, kind);
  if (rule.vote != Vote::weighted && !options.weights.empty()) {
    throw UsageError("vote weights are given, but the vote is " +
                     std::string(to_string(rule.vote)) +
                     ". Ask for the weighted vote, or leave the weights out");
  }
  if (rule.vote == Vote::weighted) {
    if (options.weights.empty()) {
      rule.weights = accuracy_weights(correct, sample_count);
    } else {
      check_weights(options.weights, correct.size());
      rule.weights = options.weights;
    }
  }
  rule.correct = std::move(correct);
  return rule;
}

std::int32_t team_answer(const Pool& pool, const VoteRule& rule, TeamView team,
                         std::uint64_t sample) {
  return needs_scores(rule.vote) ? soft_answer(pool, rule, team, sample)
                                 : label_answer(pool, rule, team, sample);
}

}  // namespace hqe
