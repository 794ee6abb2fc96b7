// SPDX-License-Identifier: MIT
/// The inner loops over the rows that the first members of a list's teams leave open, on the active
/// SIMD target. Private to evaluation/.
///
/// Columns start on a cache line and are as long as a multiple of group_size.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hqe/evaluation/list_kernel.h"

namespace hqe {

/// The 16-bit margins of some models, each row one sample and its only rival.
struct OpenMargins {
  const std::int16_t* margins = nullptr;  ///< [model - first_model][row].
  std::size_t rows = 0;
  ModelId first_model = 0;
  std::int32_t doubt = -1;  ///< As of a MarginTable.

  [[nodiscard]] const std::int16_t* of(ModelId model) const {
    return margins + static_cast<std::size_t>(model - first_model) * rows;
  }
};

/// sums[i] = before[i] + margins[i], cut off at the ends of the range.
void add_open_margins(const std::int16_t* before, const std::int16_t* margins, std::size_t rows,
                      std::int16_t* sums);

/// Adds to right[i] the rows on which the team of `sums` and last_members[i] is surely right, and
/// to `doubts` the rows in doubt, as patterns. Deterministic for every target. Requires: fewer than
/// group_size * 2^14 rows.
void count_open_rows(const OpenMargins& open, const std::int16_t* sums,
                     std::span<const ModelId> last_members, std::span<std::uint64_t> right,
                     std::vector<Doubt>& doubts);

}  // namespace hqe
