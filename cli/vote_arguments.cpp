// SPDX-License-Identifier: MIT
#include "cli/vote_arguments.h"

#include <fmt/format.h>

#include "cli/words.h"
#include "hqe/base/error.h"

namespace hqe::cli {

void add_vote_arguments(Command& command, VoteArguments& vote) {
  command.options.push_back(
      {"--vote", "V",
       "How a team answers: soft, weighted, plurality or majority (default: soft for "
       "probabilities and logits, plurality for labels and correctness).",
       [&vote](const std::string& word) {
         vote.options.vote =
             parse_choice("--vote", word, parse_vote, "soft, weighted, plurality, majority");
       }});
  command.options.push_back({"--vote-weights", "W",
                             "Weights of a weighted vote: accuracy, or a list with one number a "
                             "model (default: accuracy).",
                             [&vote](const std::string& word) {
                               if (word.empty()) {
                                 refuse_choice("--vote-weights", word, "accuracy, 1,2,1");
                               }
                               vote.weights = word;
                             }});
  command.options.push_back(
      {"--ties", "T",
       fmt::format("Who wins a plurality tie: accuracy (the class with the better voters) or label "
                   "(the lower class) (default: {}).",
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
  if (lower(weights) == "accuracy") return settled;
  for (const std::string& word : split(weights, ',')) {
    settled.weights.push_back(parse_number("--vote-weights", word));
  }
  return settled;
}

}  // namespace hqe::cli
