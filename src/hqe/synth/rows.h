// SPDX-License-Identifier: MIT
/// A synthetic model's opinions as the rows of its file. Private to synth/.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hqe/synth/story.h"

namespace hqe {

/// Fills rows of scores. Only the true class and its lookalikes need thought; all other classes
/// take their place in a long strip of small numbers that is made once.
///
/// Thread safety: const members may be called from several threads.
class RowWriter {
 public:
  /// Requires: has_scores(options.kind).
  explicit RowWriter(const SynthOptions& options);

  /// Requires: row.size() == class_count.
  void write(std::uint64_t number, int model, const Sample& sample, const SyntheticOpinion& opinion,
             std::span<float> row) const;

 private:
  bool is_logits_;
  std::vector<float> strip_;
  std::vector<double> strip_sum_;  ///< Of the strip's first i numbers.
};

/// The label that an opinion comes to: -1 where it abstains.
[[nodiscard]] std::int32_t label_of(const Sample& sample, const SyntheticOpinion& opinion);

}  // namespace hqe
