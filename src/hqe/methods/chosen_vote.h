// SPDX-License-Identifier: MIT
/// How a method's choice answers. Private to methods/.

#pragma once

#include <cstdint>
#include <vector>

#include "hqe/methods/compare.h"
#include "hqe/votes/vote.h"

namespace hqe {

/// The weights of a choice whose members were picked as often as they now weigh: where the pool's
/// vote has weights too, the products with those.
[[nodiscard]] std::vector<double> weights_in(const VoteRule& rule, const Choice& choice);

/// The vote of a choice: the pool's own, or, where its members have weights, the weighted one with
/// them, which a weighted vote of these weights counts the same. A majority, and a plurality of
/// what scores say, have no weights: there a member votes as often as it weighs.
class ChosenVote {
 public:
  ChosenVote(const Choice& choice, const VoteRule& rule, Kind kind);

  [[nodiscard]] std::int32_t answer(const Pool& pool, std::uint64_t sample) const {
    return team_answer(pool, rule_, voters_, sample);
  }

 private:
  VoteRule rule_;
  std::vector<ModelId> voters_;
};

}  // namespace hqe
