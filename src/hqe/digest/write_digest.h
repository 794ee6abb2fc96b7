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

struct DigestOptions {
  std::optional<RowRange> rows{};  ///< Of the pool; nothing: all of them.
  /// What the first of them is among the rows of all digests. Nothing: what it is in the pool.
  std::optional<std::uint64_t> first_row{};
  /// Where the rows of all digests end. Nothing: where those of the pool do, unless first_row says
  /// that there are others.
  std::optional<std::uint64_t> pool_rows{};
};

/// What was written.
struct DigestSummary {
  std::string file;
  std::string pool;
  Kind kind = Kind::labels;
  RowRange rows;                ///< Of the pool.
  std::uint64_t first_row = 0;  ///< Of the digest.
  int model_count = 0, class_count = 0;
  /// Samples of a score pool on which teams can differ; nothing of other pools.
  std::optional<std::uint64_t> contested;
  std::uint64_t prediction_bytes = 0;  ///< Of these rows, as given.
  std::uint64_t bytes = 0;             ///< Of the digest.
  std::vector<Message> warnings;
};

/// Reads the predictions once, or twice where keeping all of them takes least, labels and scores of
/// two classes once more, and writes a digest of the rows asked for. Memory does not grow with
/// classes, nor with samples beyond 8 bytes each of the rows named. The same bytes for any number
/// of threads. It is never larger than labels and predictions plus one per cent and 64 KB, its
/// description apart. The file appears whole or not at all. Throws InputError for bad values and
/// without true labels, UsageError for rows that the pool has not, for more than there can be and
/// where it is a digest, OutputError, and what `check` throws.
DigestSummary write_digest(Pool pool, const std::filesystem::path& path,
                           const DigestOptions& options = {}, const Run& run = {},
                           WriteCheck check = {});

}  // namespace hqe
