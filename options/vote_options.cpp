// SPDX-License-Identifier: MIT
#include "options/vote_options.h"

#include <fmt/core.h>

#include "hqe/base/option_name.h"
#include "options/words.h"

namespace hqe::options {

namespace {

Message vote_weights_about(bool per_member) {
  return message(
      "Weights of a weighted vote: {}, {} (of the accuracies; 0 at or below one half), or a list "
      "with one number a model{} (default: {}).",
      to_string(WeighBy::accuracy), to_string(WeighBy::log_odds),
      per_member ? message(" or, with one {} alone, one a member in its order", option("teams"))
                 : Message(),
      to_string(VoteOptions{}.weigh_by));
}

}  // namespace

void add_vote_options(OptionList& list, VoteWords& vote, bool per_member) {
  list.push_back(
      {"vote", "V",
       fmt::format("How a team answers: {} (default: {} for probabilities and logits, "
                   "{} for labels and correctness).",
                   words_of(all_votes, " or "), to_string(Vote::soft), to_string(Vote::plurality)),
       [&vote](const std::string& word) {
         vote.options.vote = parse_choice("vote", word, all_votes);
       }});
  list.push_back(
      {"vote_weights", "W", vote_weights_about(per_member), [&vote](const std::string& word) {
         if (word.empty()) {
           refuse_choice("vote_weights", word, words_of(all_weigh_bys) + ", 1,2,1");
         }
         vote.weights = word;
       }});
  list.push_back({"ties", "T",
                  fmt::format("Who wins a tie of label votes: {} (the class with the better "
                              "voters) or {} (the lower class) (default: {}).",
                              to_string(Ties::accuracy), to_string(Ties::label),
                              to_string(VoteOptions{}.ties)),
                  [&vote](const std::string& word) {
                    vote.options.ties = parse_choice("ties", word, all_ties);
                    vote.has_ties = true;
                  }});
}

VoteOptions VoteWords::settled() const {
  VoteOptions settled = options;
  if (weights.empty()) return settled;
  if (settled.vote.value_or(Vote::weighted) != Vote::weighted) {
    throw UsageError(message("{} works with {}, not with {}.", option("vote_weights"),
                             option("vote", to_string(Vote::weighted)), to_string(*settled.vote)));
  }
  settled.vote = Vote::weighted;
  if (const auto weigh_by = parse_weigh_by(lower(weights))) {
    settled.weigh_by = *weigh_by;
    return settled;
  }
  for (const std::string& word : split(weights, ',')) {
    settled.weights.push_back(parse_number("vote_weights", word));
  }
  return settled;
}

VoteWords read_vote_words(const Words& words) {
  return read_words<VoteWords>(
      words, [](OptionList& list, VoteWords& vote) { add_vote_options(list, vote); });
}

}  // namespace hqe::options
