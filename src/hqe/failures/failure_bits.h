// SPDX-License-Identifier: MIT
/// One bit a model and sample, set where the model fails: for the few metrics that need the number
/// of failing members sample by sample.

#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "hqe/ensemble/team.h"
#include "hqe/predictions/pool.h"
#include "hqe/scan/scan.h"

namespace hqe {

/// Memory: M N / 8 bytes.
class FailureBits : public BlockConsumer {
 public:
  void start(const Pool& pool, int worker_count) override;
  void consume(const Block& block, int worker) override;
  void finish() override;

  [[nodiscard]] std::uint64_t sample_count() const { return sample_count_; }
  /// Bit x % 64 of word x / 64; bits beyond the last sample are 0.
  [[nodiscard]] std::span<const std::uint64_t> row(ModelId model) const;
  /// How many samples exactly k members of `team` fail on, k = 0..S.
  [[nodiscard]] std::vector<std::uint64_t> histogram(TeamView team) const;

 private:
  std::uint64_t sample_count_ = 0;
  std::size_t words_ = 0;
  std::vector<std::uint64_t> bits_;
};

}  // namespace hqe
