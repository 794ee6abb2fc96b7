// SPDX-License-Identifier: MIT
/// Who votes right and who votes alike, a bit a sample. Private to agreement/.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "hqe/agreement/plurality.h"
#include "hqe/base/run.h"
#include "hqe/bits/cache_line.h"

namespace hqe {

/// The votes of a pool as rows of bits, in blocks that stay in a cache while many teams are
/// counted. A pattern of several samples stands in one block for each binary digit of their number,
/// so that every bit of a block counts for equally many samples.
class AgreementRows {
 public:
  static constexpr std::size_t block_words = 32;
  static constexpr std::size_t block_bits = 64 * block_words;

  AgreementRows(const PluralityVotes& pool, const Run& run);

  /// Blocks that the patterns take, and rows that a block takes.
  [[nodiscard]] static std::size_t blocks_of(const PluralityVotes& pool);
  [[nodiscard]] static std::size_t rows_of(const PluralityVotes& pool);

  [[nodiscard]] std::size_t block_count() const { return shifts_.size(); }
  [[nodiscard]] bool one_rival() const { return one_rival_; }
  /// A bit of the block is 2^shift samples.
  [[nodiscard]] int shift(std::size_t block) const { return shifts_[block]; }

  /// Where the model is right.
  [[nodiscard]] const std::uint64_t* right(std::size_t block, std::size_t model) const {
    return row(block, model);
  }
  /// Where the class it votes for is above the true one, which wins ties against it; meaningless
  /// where it is right.
  [[nodiscard]] const std::uint64_t* above(std::size_t block, std::size_t model) const {
    return row(block, model_count_ + model);
  }
  /// Where both vote for one class. Requires: first < second, not one_rival().
  [[nodiscard]] const std::uint64_t* alike(std::size_t block, std::size_t first,
                                           std::size_t second) const {
    return row(block,
               2 * model_count_ + first * (2 * model_count_ - first - 1) / 2 + second - first - 1);
  }

 private:
  [[nodiscard]] const std::uint64_t* row(std::size_t block, std::size_t index) const {
    return bits_.data() + (block * rows_ + index) * block_words;
  }

  std::size_t model_count_;
  bool one_rival_;
  std::size_t rows_;                     ///< Of a block.
  std::vector<int> shifts_;              ///< Of each block.
  CacheLineVector<std::uint64_t> bits_;  ///< [block][row][word].
};

}  // namespace hqe
