// SPDX-License-Identifier: MIT
#include "hqe/verbs/settled_vote.h"

#include <string>
#include <utility>

#include "hqe/base/error.h"
#include "hqe/base/option_name.h"

namespace hqe {
namespace {

std::vector<std::string> names_of_models(const Pool& pool) {
  std::vector<std::string> names;
  for (const Model& model : pool.models) names.push_back(model.name);
  return names;
}

}  // namespace

Vote check_vote(const Pool& pool, const VoteOptions& options) {
  const VoteRule rule =
      settled_vote(pool, options, std::vector<std::uint64_t>(pool.models.size(), 0));
  if (pool.has_labels || !options.correct.empty()) return rule.vote;
  const bool weighs = row_of(rule.vote).has_weights && options.weights.empty();
  const bool ties = !adds_scores(rule.vote, pool.kind) && rule.vote != Vote::majority &&
                    rule.ties == Ties::accuracy;
  if (!weighs && !ties) return rule.vote;
  throw InputError(
      pool.labels_file, "",
      weighs ? "there are no true labels, and the vote is weighted by accuracies"
             : "there are no true labels, and ties of votes go by accuracies",
      message("Give a team file as {}, or {}", option("team"),
              weighs ? option("vote_weights", "1,2,1") : option("ties", to_string(Ties::label))));
}

VoteRule settled_vote(const Pool& pool, const VoteOptions& options,
                      std::vector<std::uint64_t> correct) {
  if (!options.correct.empty()) correct = options.correct;
  return settle_vote(pool.kind, pool.sample_count, options, std::move(correct),
                     names_of_models(pool));
}

}  // namespace hqe
