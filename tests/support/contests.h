// SPDX-License-Identifier: MIT
/// The contests of a pool, in one line, and the votes that they are asked for.

#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "hqe/evaluation/contests.h"
#include "hqe/scan/scan.h"

namespace hqe::testing {

inline Contests contests_of(Pool pool, const VoteOptions& options = {},
                            std::vector<std::uint64_t> selection_correct = {}, int threads = 1) {
  ContestBuilder builder(options, std::move(selection_correct));
  BlockConsumer* const consumers[] = {&builder};
  scan(pool, consumers, {.threads = threads});
  return builder.contests();
}

/// Every vote that such a pool allows.
inline std::vector<VoteOptions> votes_for(Kind kind, int model_count) {
  std::vector<VoteOptions> votes{{.vote = Vote::plurality},
                                 {.vote = Vote::plurality, .ties = Ties::label},
                                 {.vote = Vote::majority}};
  if (!has_scores(kind)) {
    VoteOptions whole{.vote = Vote::weighted};
    for (int m = 0; m < model_count; ++m) whole.weights.push_back((m + 1) % 4);
    votes.push_back(whole);
    votes.push_back({.vote = Vote::weighted});
    return votes;
  }
  votes.push_back({.vote = Vote::soft});
  votes.push_back({.vote = Vote::weighted});
  VoteOptions uneven{.vote = Vote::weighted};
  for (int m = 0; m < model_count; ++m) uneven.weights.push_back(m % 3 == 1 ? 0.0 : 0.1 * m + 0.2);
  votes.push_back(uneven);
  return votes;
}

inline std::string describe(const VoteOptions& vote) {
  return std::string(to_string(*vote.vote)) + " " + std::string(to_string(vote.ties)) +
         (vote.weights.empty() ? "" : " own weights");
}

}  // namespace hqe::testing
