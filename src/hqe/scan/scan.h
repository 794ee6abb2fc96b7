// SPDX-License-Identifier: MIT
/// The one pass over a pool's bytes: predicted labels, sanity checks and the classes that can beat
/// the true one, handed on block by block. Nothing the size of the pool is ever kept.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hqe/base/run.h"
#include "hqe/predictions/pool.h"

namespace hqe {

/// A run of consecutive samples, as the scan hands it on.
///
/// A block is only valid during the call it is handed to. Blocks of one pool are the same for any
/// number of threads; each starts at a multiple of 64, so that bits of different blocks never share
/// a word.
struct Block {
  const Pool* pool = nullptr;
  std::uint64_t first = 0;                  ///< The first sample's number.
  int count = 0;                            ///< Samples in the block, at most `max_count`.
  std::span<const std::int32_t> truth;      ///< `count` true labels.
  std::span<const std::int32_t> predicted;  ///< predicted[model * count + i]; -1 = abstains.

  /// Score pools: the rivals of sample i are rivals[rival_begin[i]] .. rivals[rival_begin[i + 1]),
  /// ascending: every class k other than the true one y that some model puts at or above it, that
  /// is p(k) > p(y) (1 - M 2^-50), or p(k) > 0 = p(y). So wide because rounding can make sums tie:
  /// with non-negative weights, not all 0, no team can lose to a class that is not listed
  /// (docs/decisions/0008-rivals.md). Of a digest only those that it keeps: another rival is in the
  /// place of each that is missing, for every team. Empty for the other kinds.
  std::span<const std::uint32_t> rival_begin;
  std::span<const std::int32_t> rivals;
  /// Probabilities: model * count + i of the rows that sum to 1 only because they were rounded.
  std::span<const std::uint32_t> rounded{};
  /// Probabilities, where a consumer wants them: likely_count labels from likely_count *
  /// (model * count + i) on are the model's likeliest classes, of equal ones the lower first; -1
  /// where there are fewer classes. Empty otherwise, and of digests.
  std::span<const std::int32_t> likeliest{};
  static constexpr std::size_t likely_count = 3;

  static constexpr int max_count = 4096;
};

/// Takes blocks from several threads.
class BlockConsumer {
 public:
  virtual ~BlockConsumer() = default;

  /// Called once before the first block, with the number of workers that may call consume().
  virtual void start(const Pool& pool, int worker_count) = 0;

  /// Called once a block, blocks in any order; calls of one worker never overlap.
  virtual void consume(const Block& block, int worker) = 0;

  /// Called once after the last block.
  virtual void finish() = 0;

  /// Whether blocks shall have `likeliest`.
  [[nodiscard]] virtual bool wants_likeliest() const { return false; }
};

/// Reads every prediction once and hands it to each consumer in turn.
///
/// Checks what the spec asks of values: NaN, infinity, range, row sums, labels below the class
/// count. A pool whose detected kind turns out to be wrong (probabilities in the first rows, a
/// value above 1 later) is scanned again as what it is and `pool.kind` is corrected.
/// Throws InputError naming file, row and column of the first offence: the lowest model, then the
/// lowest row, then the lowest column, whatever the number of threads.
void scan(Pool& pool, std::span<BlockConsumer* const> consumers, const Run& run);

/// Makes logits the shares that votes use (spec section 2), and returns what they were divided by.
double softmax(std::span<double> logits);

/// What a model says of each class of one sample, as votes use it (spec section 2): its
/// probabilities, or the softmax of its logits, in double precision. Where the caller's array
/// changed since the scan, what is no probability any more is 0; so is what a digest does not keep,
/// and no vote is then another's (docs/decisions/0016-digests.md). Requires: has_scores(kind),
/// out.size() == class_count.
void class_scores(const Pool& pool, ModelId model, std::uint64_t sample, std::span<double> out);

/// The same of some classes, in the same order: classes[i] at out[i * step]; `row` is memory to
/// reuse. Of a digest: of the true class and of rivals.
void scores_of_classes(const Pool& pool, ModelId model, std::uint64_t sample,
                       std::span<const std::int32_t> classes, double* out, std::size_t step,
                       std::vector<double>& row);

/// The most that class_scores() gives a class of a pool that was scanned: 1, or what a row of
/// probabilities may sum to. Requires: has_scores(kind).
[[nodiscard]] double largest_class_score(const Pool& pool, ModelId model);

/// A score that was checked once, and may have changed since: what can be no probability is 0, so
/// that sums stay finite and sorts keep an order.
[[nodiscard]] inline double as_share(double score) { return score >= 0 && score < 2 ? score : 0; }

/// The label that `model` predicts for one sample (argmax, lowest class wins), -1 = abstains; also
/// what is no class any more.
[[nodiscard]] std::int32_t predicted_label(const Pool& pool, ModelId model, std::uint64_t sample);

}  // namespace hqe
