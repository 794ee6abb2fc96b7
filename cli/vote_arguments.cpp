// SPDX-License-Identifier: MIT
#include "cli/vote_arguments.h"

#include <fmt/format.h>

#include "cli/words.h"
#include "hqe/base/error.h"

namespace hqe::cli {

namespace {

std::string vote_weights_about(bool per_member) {
  return fmt::format(
      "Weights of a weighted vote: accuracy, log-odds (of the accuracies; 0 at or below one half), "
      "or a list with one number a model{} (default: {}).",
      per_member ? " or, with one --team alone, one a member in its order" : "",
      to_string(VoteOptions{}.weigh_by));
}

}  // namespace

void add_vote_arguments(Command& command, VoteArguments& vote, bool per_member) {
  command.options.push_back(
      {"--vote", "V",
       "How a team answers: " + vote_names(" or ") +
           " (default: soft for probabilities and logits, plurality for labels and correctness).",
       [&vote](const std::string& word) {
         vote.options.vote = parse_choice("--vote", word, parse_vote, vote_names());
       }});
  command.options.push_back(
      {"--vote-weights", "W", vote_weights_about(per_member), [&vote](const std::string& word) {
         if (word.empty()) {
           refuse_choice("--vote-weights", word, "accuracy, log-odds, 1,2,1");
         }
         vote.weights = word;
       }});
  command.options.push_back(
      {"--ties", "T",
       fmt::format("Who wins a tie of label votes: accuracy (the class with the better voters) or "
                   "label (the lower class) (default: {}).",
                   to_string(VoteOptions{}.ties)),
       [&vote](const std::string& word) {
         vote.options.ties = parse_choice("--ties", word, parse_ties, "accuracy, label");
       }});
}

VoteOptions VoteArguments::settled() const {
  VoteOptions settled = options;
  if (weights.empty()) return settled;
  if (settled.vote.value_or(Vote::weighted) != Vote::weighted) {
    throw UsageError(fmt::format("--vote-weights works with --vote weighted, not with {}.",
                                 to_string(*settled.vote)));
  }
  settled.vote = Vote::weighted;
  if (const auto weigh_by = parse_weigh_by(lower(weights))) {
    settled.weigh_by = *weigh_by;
    return settled;
  }
  for (const std::string& word : split(weights, ',')) {
    settled.weights.push_back(parse_number("--vote-weights", word));
  }
  return settled;
}

}  // namespace hqe::cli
