// SPDX-License-Identifier: MIT
#include "hqe/scan/scan_record.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>

#include "hqe/predictions/columns.h"

namespace hqe {
namespace {

/// Scores of contested samples are all that is read, so blocks need not fit in a cache; there
/// should be enough of them for every thread.
constexpr std::uint64_t part_block_size = 1024;
static_assert(part_block_size <= Block::max_count && part_block_size % 64 == 0);

}  // namespace

/// A block of a part while it is put together; a worker's memory.
struct ScanRecord::PartBlock {
  std::vector<std::int32_t> truth, predicted, rivals;
  std::vector<std::uint32_t> rival_begin;
};

void ScanRecord::start(const Pool& pool, int) {
  forget();
  model_count_ = pool.model_count();
  sample_count_ = pool.sample_count;
  rival_bytes_ = 0;
  const auto narrow = [&]<class Label>(const std::vector<Label>&) {
    return pool.class_count <= std::numeric_limits<Label>::max();
  };
  const std::uint64_t width = narrow(labels8_) ? 1 : narrow(labels16_) ? 2 : 4;
  const std::uint64_t labels = sample_count_ * static_cast<std::uint64_t>(model_count_);
  is_wanted_ = has_scores(pool.kind) && !pool.digest &&
               labels * width + sample_count_ * sizeof(std::uint32_t) <= most_bytes_;
  if (!is_wanted_) return;
  if (width == 1) labels8_.resize(labels);
  if (width == 2) labels16_.resize(labels);
  if (width == 4) labels32_.resize(labels);
  rival_begin_.assign(sample_count_ + 1, 0);
}

void ScanRecord::consume(const Block& block, int) {
  if (!is_wanted_) return;
  if (!block.rounded.empty()) {
    is_wanted_ = false;
    return;
  }
  keep_labels(block, labels8_);
  keep_labels(block, labels16_);
  keep_labels(block, labels32_);
  keep_rivals(block);
}

template <class Label>
void ScanRecord::keep_labels(const Block& block, std::vector<Label>& kept) const {
  if (kept.empty()) return;
  const auto count = static_cast<std::size_t>(block.count);
  for (std::size_t model = 0; model < static_cast<std::size_t>(model_count_); ++model) {
    const auto labels = block.predicted.subspan(model * count, count);
    std::ranges::transform(labels, kept.data() + model * sample_count_ + block.first,
                           [](std::int32_t label) { return static_cast<Label>(label); });
  }
}

void ScanRecord::keep_rivals(const Block& block) {
  const std::uint64_t bytes = block.rivals.size() * sizeof(std::int32_t);
  const std::uint64_t labels = labels8_.size() * sizeof(std::int8_t) +
                               labels16_.size() * sizeof(std::int16_t) +
                               labels32_.size() * sizeof(std::int32_t);
  if (rival_bytes_.fetch_add(bytes) + bytes + labels > most_bytes_) {
    is_wanted_ = false;
    return;
  }
  for (int i = 0; i < block.count; ++i) {
    rival_begin_[block.first + static_cast<std::uint64_t>(i) + 1] =
        block.rival_begin[i + 1] - block.rival_begin[i];
  }
  const std::scoped_lock lock(mutex_);
  chunks_.push_back({block.first, {block.rivals.begin(), block.rivals.end()}});
}

void ScanRecord::finish() {
  has_samples_ = is_wanted_;
  if (!has_samples_) return forget();
  std::partial_sum(rival_begin_.begin(), rival_begin_.end(), rival_begin_.begin());
  std::ranges::sort(chunks_, {}, &Chunk::first);
  rivals_.reserve(rival_begin_.back());
  for (const Chunk& chunk : chunks_) {
    rivals_.insert(rivals_.end(), chunk.rivals.begin(), chunk.rivals.end());
  }
  chunks_ = {};
}

void ScanRecord::forget() {
  has_samples_ = false;
  labels8_ = {};
  labels16_ = {};
  labels32_ = {};
  chunks_ = {};
  rival_begin_ = {};
  rivals_ = {};
}

void ScanRecord::fill(PartBlock& block, std::span<const std::uint64_t> samples) const {
  const std::size_t count = samples.size();
  block.predicted.resize(count * static_cast<std::size_t>(model_count_));
  const auto gather = [&](const auto& labels) {
    if (labels.empty()) return;
    for (std::size_t model = 0; model < static_cast<std::size_t>(model_count_); ++model) {
      const auto* const of_model = labels.data() + model * sample_count_;
      std::ranges::transform(samples, block.predicted.data() + model * count,
                             [&](std::uint64_t sample) { return of_model[sample]; });
    }
  };
  gather(labels8_);
  gather(labels16_);
  gather(labels32_);
  block.rivals.clear();
  block.rival_begin.assign(1, 0);
  for (const std::uint64_t sample : samples) {
    block.rivals.insert(block.rivals.end(), rivals_.begin() + rival_begin_[sample],
                        rivals_.begin() + rival_begin_[sample + 1]);
    block.rival_begin.push_back(static_cast<std::uint32_t>(block.rivals.size()));
  }
}

void ScanRecord::scan_part(Pool& part, std::span<const std::uint64_t> samples,
                           std::span<BlockConsumer* const> consumers, const Run& run) const {
  assert(has_samples_ && part.sample_count == samples.size());
  assert(part.model_count() == model_count_);
  const int worker_count = run.thread_count();
  for (BlockConsumer* consumer : consumers) consumer->start(part, worker_count);
  std::vector<PartBlock> blocks(static_cast<std::size_t>(worker_count));
  parallel_for(run, "reading predictions", part.sample_count, part_block_size,
               [&](std::uint64_t begin, std::uint64_t end, int worker) {
                 PartBlock& own = blocks[static_cast<std::size_t>(worker)];
                 own.truth.resize(end - begin);
                 read_labels(part.truth, begin, own.truth);
                 fill(own, samples.subspan(begin, end - begin));
                 const Block block{.pool = &part,
                                   .first = begin,
                                   .count = static_cast<int>(end - begin),
                                   .truth = own.truth,
                                   .predicted = own.predicted,
                                   .rival_begin = own.rival_begin,
                                   .rivals = own.rivals};
                 for (BlockConsumer* consumer : consumers) consumer->consume(block, worker);
               });
  check_unchanged(part);
  for (BlockConsumer* consumer : consumers) consumer->finish();
}

}  // namespace hqe
