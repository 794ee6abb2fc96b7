// SPDX-License-Identifier: MIT
/// What weighs how much in a weighted vote.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hqe/votes/vote.h"

namespace hqe {

/// The weights that the options ask for, one a model. `correct` are the models' correct counts
/// among `samples`, `names` their names or empty. Throws UsageError where listed ones are unusable.
[[nodiscard]] std::vector<double> settle_weights(const VoteOptions& options,
                                                 const std::vector<std::uint64_t>& correct,
                                                 std::uint64_t samples,
                                                 const std::vector<std::string>& names);

/// Wide enough for sums of weights times correct counts.
__extension__ using Strength = unsigned __int128;

/// What a voter of a team adds to its class where votes tie: its weight times its correct count, in
/// whole numbers, so that equal weights tie exactly where plurality does and whole weights count
/// like repeated voters. Weights are rounded to 52 binary digits of the team's heaviest one.
class Strengths {
 public:
  /// Empty weights: 1 each. Both must outlive this.
  Strengths(const std::vector<double>& weights, const std::vector<std::uint64_t>& correct,
            TeamView team);
  [[nodiscard]] Strength operator()(ModelId model) const;

 private:
  const std::vector<double>& weights_;
  const std::vector<std::uint64_t>& correct_;
  double scale_ = 1;
};

}  // namespace hqe
