// SPDX-License-Identifier: MIT
/// The one scan of a pool: everything that scores and correct counts follow from.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "hqe/base/run.h"
#include "hqe/diversity/errors.h"
#include "hqe/evaluation/contests.h"
#include "hqe/failures/counts.h"
#include "hqe/failures/failure_bits.h"
#include "hqe/predictions/pool.h"
#include "hqe/scan/scan_record.h"
#include "hqe/study/study.h"
#include "hqe/votes/vote.h"

namespace hqe {

/// Where the samples of a part of a pool stand in the record of the whole.
struct RecordedPart {
  std::shared_ptr<const ScanRecord> record;
  std::optional<Contests> contests;  ///< Of the whole.
  std::vector<std::uint64_t> samples;
};

/// What to take from a pool while it is read.
struct MeasureOptions {
  CountOptions counts{.triples = false, .agreements = false};
  /// Nothing: no team's accuracy will be asked for.
  std::optional<VoteOptions> vote;
  /// For a pool that is only judged on: correct counts on the selection pool, and its samples.
  std::vector<std::uint64_t> selection_correct;
  std::uint64_t selection_samples = 0;
  bool failure_bits = false;
  bool needs_labels = true;        ///< False: counts of a pool without labels mean nothing.
  bool keep_record = false;        ///< Parts of the pool will be measured too.
  bool keep_truth_shares = false;  ///< Posterior errors will be asked for.
  /// The pool is these samples of one that was recorded.
  std::optional<RecordedPart> part;
};

/// A pool after its scan.
struct Measured {
  Pool pool;
  Counts counts;
  std::optional<Contests> contests;
  std::optional<FailureBits> failure_bits;
  std::shared_ptr<const ScanRecord> record;  ///< Null where none was asked for or could be kept.
  std::shared_ptr<const TruthShares> truth_shares;  ///< Null where none were asked for.

  [[nodiscard]] std::vector<std::uint64_t> correct() const;
};

/// Throws UsageError for a vote that the pool does not allow, InputError for bad values.
[[nodiscard]] Measured measure(Pool pool, const MeasureOptions& options, const Run& run);

[[nodiscard]] PoolSummary summary_of(const Measured& measured);

/// The counts that these metrics need; none of the large ones where the failures are sampled.
[[nodiscard]] CountOptions counts_for(const std::vector<Metric>& metrics, bool sampled);

}  // namespace hqe
