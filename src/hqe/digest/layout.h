// SPDX-License-Identifier: MIT
/// How a digest has the numbers of models that it keeps all of: labels, and probabilities of two
/// classes of which one says both. Private to digest/.

#pragma once

#include <cstdint>
#include <vector>

#include "hqe/base/run.h"
#include "hqe/predictions/digest_part.h"
#include "hqe/predictions/pool.h"

namespace hqe {

struct DigestLayout {
  std::vector<StoredNumbers> numbers{};  ///< Of each model.
  bool complements = false;              ///< As of DigestShape.
  bool is_packed = false;                ///< A row is bytes; else all numbers have one type.

  /// Numbers that a model has in a row.
  [[nodiscard]] std::uint64_t count(std::size_t model) const {
    return complements && !numbers[model].alone ? 2 : 1;
  }
  /// Bytes of a row.
  [[nodiscard]] std::uint64_t width() const;
  /// True where every model has class 1 alone.
  [[nodiscard]] bool is_all_alone() const;
  /// Whether the description of a digest has to tell: readers of version 1 cannot know.
  [[nodiscard]] bool is_told(const Pool& pool) const;
};

/// Bytes of a sample's predictions, as they were given.
[[nodiscard]] std::uint64_t bytes_as_given(const Pool& pool);

/// What takes no more room than the predictions were given in: of all models one type, the
/// narrowest that has every number exactly, and only where that would take more, a type of each
/// model. Of other scores than those above nothing but their own types. Reads labels, and scores of
/// two classes, once. The same for any number of threads.
[[nodiscard]] DigestLayout layout_of(const Pool& pool, const Run& run);

}  // namespace hqe
