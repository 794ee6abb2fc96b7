// SPDX-License-Identifier: MIT
/// Rows of scores copied from their file as they are needed, where that is cheaper than mapping
/// them.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hqe/bits/unset_vector.h"
#include "hqe/predictions/pool.h"
#include "hqe/predictions/witness.h"

namespace hqe {

/// A witness that also copies what it lends. Mapping a single page costs as much as copying it, and
/// unmapping it in the end is one thread's: what is read once is then better copied into memory
/// that a cache holds. Any thread may ask.
class Lender : public Witness {
 public:
  /// Whether there is a way to copy.
  [[nodiscard]] virtual bool can_copy() const = 0;

  /// Whether copying is likely the cheaper way to read what is lent; the same answer ever after.
  /// Requires: can_copy().
  [[nodiscard]] virtual bool is_cheaper_copied() const = 0;

  /// Copies the bytes from `from` on, as they are now; what cannot be read any more is 0, and
  /// check() says so. Requires: can_copy(); the bytes are lent.
  virtual void copy(const std::byte* from, std::span<std::byte> to) const = 0;
};

/// Whoever copies rows of this array; null where they are to be read where they lie: no file, one
/// that is cheap to map, short rows, or rows that are not one piece.
[[nodiscard]] const Lender* lender_of_rows(const Array& array);

/// The rows of one block after the other, in memory of their own; a worker's.
class BlockRows {
 public:
  /// Requires: `pool` outlives it. Blocks have at most `most_samples` samples.
  BlockRows(const Pool& pool, std::size_t most_samples);

  /// Whether rows are copied; otherwise pool() is the pool itself, and nothing need be called.
  [[nodiscard]] bool copies() const { return !lenders_.empty(); }

  /// The block that follows begins with sample `first`.
  void start(std::uint64_t first);

  /// Copies a model's rows of [first, first + count), samples of the block.
  void fetch(std::size_t model, std::uint64_t first, std::size_t count);

  /// The pool, in which rows that were fetched lie in this memory. Nothing else of its models'
  /// numbers may be looked at.
  [[nodiscard]] const Pool& pool() const { return copies() ? lent_ : *pool_; }

 private:
  const Pool* pool_;
  std::vector<const Lender*> lenders_;  ///< Of the models; none where nothing is copied.
  Pool lent_;
  std::uint64_t first_ = 0;
  std::vector<UnsetVector<std::byte>> rows_;  ///< Of the models.
};

}  // namespace hqe
