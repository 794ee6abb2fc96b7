// SPDX-License-Identifier: MIT
/// The predictions of a pool whose counts would not fit in tables: counted when asked.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hqe/failures/failure_bits.h"
#include "hqe/scan/scan.h"

namespace hqe {

/// One bit a model and sample, and on request one label (2 bytes below 65,535 classes, else 4).
class KeptPredictions : public BlockConsumer {
 public:
  explicit KeptPredictions(bool with_labels) : with_labels_(with_labels) {}

  void start(const Pool& pool, int worker_count) override;
  void consume(const Block& block, int worker) override;
  void finish() override;

  /// t_fij.
  [[nodiscard]] std::uint64_t co_failures(int f, int i, int j) const;
  /// Samples on which f fails and i and j fail with different labels. Requires: labels.
  [[nodiscard]] std::uint64_t differing(int f, int i, int j) const;
  /// Adds the labels of `model` where f fails to counts[label + 1]. Requires: labels.
  template <class Histogram>
  void add_labels(int f, int model, Histogram& counts) const {
    for_each_failure(f, [&](std::uint64_t sample) { ++counts[label(model, sample) + 1]; });
  }

  /// Calls visit(sample) for each failure of `model`, ascending.
  template <class Visit>
  void for_each_failure(int model, const Visit& visit) const;

  /// label + 1 is never negative: an abstention is -1.
  [[nodiscard]] std::int32_t label(int model, std::uint64_t sample) const {
    const std::size_t at = static_cast<std::size_t>(model) * failures_.sample_count() + sample;
    return narrow_.empty() ? wide_[at] : static_cast<std::int32_t>(narrow_[at]) - 1;
  }

 private:
  bool with_labels_;
  FailureBits failures_;
  std::vector<std::uint16_t> narrow_;  ///< label + 1.
  std::vector<std::int32_t> wide_;
};

/// Calls visit(i) for each bit set in `words`, ascending.
template <class Visit>
void for_each_bit(std::span<const std::uint64_t> words, const Visit& visit) {
  for (std::size_t w = 0; w < words.size(); ++w) {
    for (std::uint64_t rest = words[w]; rest != 0; rest &= rest - 1) {
      visit(w * 64 + static_cast<std::size_t>(__builtin_ctzll(rest)));
    }
  }
}

template <class Visit>
void KeptPredictions::for_each_failure(int model, const Visit& visit) const {
  for_each_bit(failures_.row(static_cast<ModelId>(model)), visit);
}

}  // namespace hqe
