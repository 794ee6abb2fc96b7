// SPDX-License-Identifier: MIT
/// What a scan found, kept: parts of the pool are then scanned without reading their scores again.

#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "hqe/scan/scan.h"

namespace hqe {

/// Rides on the scan of a pool and keeps each sample's predicted labels and rivals: a byte a model
/// up to 127 classes, two up to 32,767, and four a rival. Keeps nothing of pools that are as quick
/// to read again (labels, digests), of those that would take more than `most_bytes`, and of those
/// with rounded rows, of which a scan has more to say.
class ScanRecord : public BlockConsumer {
 public:
  static constexpr std::uint64_t default_most_bytes = std::uint64_t{128} << 20;

  explicit ScanRecord(std::uint64_t most_bytes = default_most_bytes) : most_bytes_(most_bytes) {}

  void start(const Pool& pool, int worker_count) override;
  void consume(const Block& block, int worker) override;
  void finish() override;

  /// False where nothing was kept. Requires: finish() was called.
  [[nodiscard]] bool has_samples() const { return has_samples_; }

  /// As scan() of `part`: consumers see the same samples in other blocks. Requires: has_samples();
  /// `part` is samples_of() the pool that was scanned and `samples`, with all its models. Throws
  /// InputError where a file changed since. Thread safety: may be called from several threads.
  void scan_part(Pool& part, std::span<const std::uint64_t> samples,
                 std::span<BlockConsumer* const> consumers, const Run& run) const;

 private:
  /// The rivals of one block of the scan.
  struct Chunk {
    std::uint64_t first = 0;
    std::vector<std::int32_t> rivals;
  };
  struct PartBlock;

  template <class Label>
  void keep_labels(const Block& block, std::vector<Label>& kept) const;
  void keep_rivals(const Block& block);
  void forget();
  void fill(PartBlock& block, std::span<const std::uint64_t> samples) const;

  std::uint64_t most_bytes_;
  bool has_samples_ = false;
  int model_count_ = 0;
  std::uint64_t sample_count_ = 0;
  std::atomic<bool> is_wanted_ = false;
  std::atomic<std::uint64_t> rival_bytes_ = 0;
  /// [model * sample_count + sample]; one of the three, the narrowest that holds every class.
  std::vector<std::int8_t> labels8_;
  std::vector<std::int16_t> labels16_;
  std::vector<std::int32_t> labels32_;
  std::mutex mutex_;
  std::vector<Chunk> chunks_;
  /// The rivals of sample i: rivals_[rival_begin_[i]] .. rivals_[rival_begin_[i + 1]).
  std::vector<std::uint32_t> rival_begin_;
  std::vector<std::int32_t> rivals_;
};

}  // namespace hqe
