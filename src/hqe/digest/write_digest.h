// SPDX-License-Identifier: MIT
/// Digests: what any team's answer can depend on, hundreds of times smaller than the predictions.
/// open_pool() takes digests where it takes a pool, and every verb then gives the same bytes
/// (docs/formats.md, "Digests").

#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "hqe/base/message.h"
#include "hqe/base/run.h"
#include "hqe/files/atomic_file.h"
#include "hqe/predictions/pool.h"

namespace hqe {

/// Rows begin .. end - 1 of a pool.
struct RowRange {
  std::uint64_t begin = 0, end = 0;
};

/// What was written.
struct DigestSummary {
  std::string pool;
  Kind kind = Kind::labels;
  RowRange rows;
  int model_count = 0, class_count = 0;
  /// Samples of a score pool on which teams can differ; nothing of other pools.
  std::optional<std::uint64_t> contested;
  std::uint64_t prediction_bytes = 0;  ///< Of these rows, as numbers.
  std::uint64_t bytes = 0;             ///< Of the digest.
  std::vector<Message> warnings;
};

/// Reads the predictions once, or twice where keeping all of them takes least, and writes a digest
/// of these rows, of all of them where none are named. Memory does not grow with classes, nor with
/// samples beyond 8 bytes each of the rows named. The same bytes for any number of threads. It is
/// never larger than labels and predictions, were all of the widest type among them, plus one per
/// cent and 64 KB, names and texts apart. The file appears whole or not at all.
/// Throws InputError for bad values and without true labels, UsageError for rows that the pool has
/// not and where it is a digest, OutputError, and what `check` throws.
DigestSummary write_digest(Pool pool, const std::filesystem::path& path,
                           const std::optional<RowRange>& rows = std::nullopt, const Run& run = {},
                           WriteCheck check = {});

}  // namespace hqe
