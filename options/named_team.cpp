// SPDX-License-Identifier: MIT
#include "options/named_team.h"

#include "hqe/base/error.h"
#include "hqe/base/option_name.h"

namespace hqe::options {

namespace {

[[noreturn]] void contradict(const Message& asked, std::string_view what, std::string_view found) {
  throw UsageError(
      message("{} contradicts the team file, whose {} {}. Leave it out", asked, what, found));
}

void check_vote(const VoteWords& words, const TeamFile& file) {
  if (words.options.vote.value_or(file.vote) != file.vote) {
    contradict(option("vote", to_string(*words.options.vote)), "vote is", to_string(file.vote));
  }
  if (words.has_ties && words.options.ties != file.ties) {
    contradict(option("ties", to_string(words.options.ties)), "ties go by", to_string(file.ties));
  }
}

/// Weights in words are the file's only where they are the same numbers.
void check_weights(const VoteWords& words, const TeamFile& file) {
  if (words.weights.empty()) return;
  const VoteOptions asked = words.settled();
  if (file.weights.empty()) {
    contradict(option("vote_weights", words.weights), "vote is", to_string(file.vote));
  }
  if (asked.weights != file.weights) {
    contradict(option("vote_weights", words.weights), "weights are", "others");
  }
}

}  // namespace

bool is_team_file(std::string_view word) { return word.ends_with(".json"); }

VoteOptions vote_of_teams(const VoteWords& words, const std::vector<NamedTeam>& teams, bool alone,
                          int model_count) {
  const TeamFile* first = nullptr;
  for (const NamedTeam& team : teams) {
    if (!team.file) continue;
    check_vote(words, *team.file);
    if (first == nullptr) first = &*team.file;
    if (team.file->vote != first->vote || team.file->ties != first->ties) {
      throw UsageError("the team files vote differently. Ask for one at a time");
    }
  }
  if (first == nullptr) {
    const VoteOptions settled = words.settled();
    return alone ? with_member_weights(settled, teams.front().members, model_count) : settled;
  }
  if (alone) {
    check_weights(words, *first);
    return vote_of(*first, teams.front().members, model_count);
  }
  VoteWords filled = words;
  filled.options.vote = first->vote;
  filled.options.ties = first->ties;
  return filled.settled();
}

}  // namespace hqe::options
