// SPDX-License-Identifier: MIT
/// The samples on which at least one model fails, gathered until there are enough of them to be
/// counted in one go. The others change no co-failure.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hqe/bits/count.h"
#include "hqe/bits/unset_vector.h"
#include "hqe/scan/scan.h"

namespace hqe {

/// One worker's gathered samples. Memory: about 256 KiB of bits, at least 31 words a model, and 4
/// bytes a model and sample where labels are gathered.
class FailingSamples {
 public:
  /// There will never be more than `sample_count` samples to gather.
  FailingSamples(int model_count, std::uint64_t sample_count, bool with_labels);

  /// Gathers from `block`, and calls `full()` whenever there is no room for 64 more samples; it
  /// must clear().
  template <class Full>
  void gather(const Block& block, const Full& full) {
    find_failures(block);
    for (std::size_t w = 0; w < anybody_.size(); ++w) {
      if (anybody_[w] == 0) continue;
      if (size_ + 64 > capacity_) full();
      append(block, w);
    }
  }
  void clear();

  [[nodiscard]] std::size_t size() const { return size_; }
  /// True if a failure among them is an abstention. Requires: labels.
  [[nodiscard]] bool has_abstentions() const { return has_abstentions_; }
  /// Columns of words() words, one a model; bits after size() are 0.
  [[nodiscard]] BitColumns columns() const { return {bits_.data(), pitch_}; }
  [[nodiscard]] std::size_t words() const { return (size_ + 63) / 64; }
  /// Copies the column of a model.
  void copy_column(int model, std::span<std::uint64_t> out) const;
  /// The labels that a model predicted. Requires: labels.
  [[nodiscard]] std::span<const std::int32_t> labels(int model) const {
    return std::span(labels_).subspan(static_cast<std::size_t>(model) * capacity_, size_);
  }

 private:
  void find_failures(const Block& block);
  void append(const Block& block, std::size_t word);

  int model_count_;
  std::size_t pitch_;
  std::size_t capacity_;  ///< Samples, a multiple of 64.
  std::size_t size_ = 0;
  bool has_abstentions_ = false;
  std::vector<std::uint64_t> bits_;
  UnsetVector<std::int32_t> labels_;
  std::vector<std::uint64_t> block_bits_;  ///< The block's failures, columns as above.
  std::vector<std::uint64_t> anybody_;     ///< A bit a sample of the block.
};

}  // namespace hqe
