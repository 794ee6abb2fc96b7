// SPDX-License-Identifier: MIT
/// Takes a pool's scan and makes the tensors of a digest of it. Private to digest/.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "hqe/digest/layout.h"
#include "hqe/digest/sample_encoder.h"
#include "hqe/digest/tensors.h"
#include "hqe/scan/scan.h"

namespace hqe {

/// Blocks come in any order and are appended in that of their samples, whoever read them: the bytes
/// do not depend on threads. Memory: a block a thread, and blocks that wait for an earlier one.
class DigestEncoder : public BlockConsumer {
 public:
  /// `keeps_all`: every class of every sample, whatever teams can depend on. `name` is for
  /// messages. Requires: keeps_all where the layout has complements.
  DigestEncoder(std::string name, bool keeps_all, DigestLayout layout);

  void start(const Pool& pool, int worker_count) override;
  void consume(const Block& block, int worker) override;
  void finish() override;
  [[nodiscard]] bool wants_likeliest() const override { return !keeps_all_; }

  /// Requires: finish() was called.
  [[nodiscard]] Tensors& tensors() { return *tensors_; }
  /// Samples of a score pool on which teams can differ.
  [[nodiscard]] std::uint64_t contested() const { return contested_; }

 private:
  TensorBytes take_spare();
  void encode_labels(const Block& block, TensorBytes& bytes) const;
  void encode_scores(const Block& block, SampleEncoder& encoder) const;
  void encode_rounded(const Block& block, TensorBytes& bytes) const;

  std::string name_;
  bool keeps_all_;
  DigestLayout layout_;
  std::unique_ptr<Tensors> tensors_;
  std::vector<SampleEncoder> encoders_;  ///< Of a score pool: a worker's each.
  std::mutex mutex_;
  std::map<std::uint64_t, TensorBytes> waiting_;  ///< By first sample.
  std::map<std::uint64_t, std::uint64_t> ends_;   ///< Of those that wait.
  std::vector<TensorBytes> spare_;                ///< Room that later blocks use again.
  std::uint64_t next_ = 0;
  std::uint64_t contested_ = 0;
  bool has_rounded_ = false;
};

}  // namespace hqe
