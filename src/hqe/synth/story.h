// SPDX-License-Identifier: MIT
/// What happens on one sample of a synthetic pool: how hard it is, which classes look like the true
/// one, and what each model makes of it. Private to synth/.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hqe/synth/synth.h"

namespace hqe {

/// A sample as all models meet it.
struct Sample {
  std::int32_t truth = 0;
  double difficulty = 0;                 ///< Standard normal, shared by the models.
  std::vector<std::int32_t> lookalikes;  ///< Classes that may be taken for the true one.
  std::vector<double> appeal;            ///< Of each lookalike, shared by the models.
};

/// What one model says of one sample.
struct SyntheticOpinion {
  double truth = 0;                ///< Logit of the true class.
  std::vector<double> lookalikes;  ///< Logits of the lookalikes; the largest is 0.
  bool abstains = false;
};

/// Tells any sample of a pool, and any model's opinion of it, independently of all others: the same
/// for any order and number of threads.
///
/// A model is wrong when the difficulty of the sample, mixed with a noise of the model's own,
/// exceeds what the model can bear, which its accuracy sets. So failures are correlated and
/// accuracies come out as asked for. A wrong model takes the lookalike with the largest appeal, of
/// which again a part is shared, so that wrong models often agree.
class Storyteller {
 public:
  /// Requires: options are in range.
  explicit Storyteller(const SynthOptions& options);

  void tell_sample(std::uint64_t number, Sample& sample) const;
  void tell_opinion(std::uint64_t number, const Sample& sample, int model,
                    SyntheticOpinion& opinion) const;

  /// The accuracy that the model is expected to have.
  [[nodiscard]] double accuracy(int model) const;

 private:
  SynthOptions options_;
  std::vector<double> endurance_;  ///< Per model: the difficulty it can bear.
  double abstain_above_;           ///< The difficulty from which models do not answer.
  double shared_, own_;            ///< How much of a difficulty is shared, and is a model's own.
};

/// No logit of the true class or a lookalike is below this: the other classes are.
inline constexpr double lowest_plausible_logit = -8;

}  // namespace hqe
