// SPDX-License-Identifier: MIT
#include "tests/reference/blocks.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <utility>

#include "hqe/base/random.h"

namespace hqe::reference {
namespace {

void hand_on_block(const ReferencePool& from, const Pool& pool, int first, int count,
                   std::span<BlockConsumer* const> consumers, int worker) {
  std::vector<std::int32_t> truth, predicted;
  for (int x = first; x < first + count; ++x) truth.push_back(from.truth[x]);
  for (int m = 0; m < from.model_count; ++m) {
    for (int x = first; x < first + count; ++x) predicted.push_back(from.predictions[m][x]);
  }
  const Block block{.pool = &pool,
                    .first = static_cast<std::uint64_t>(first),
                    .count = count,
                    .truth = truth,
                    .predicted = predicted};
  for (BlockConsumer* consumer : consumers) consumer->consume(block, worker);
}

}  // namespace

void hand_on(const ReferencePool& pool, std::span<BlockConsumer* const> consumers, int largest,
             int worker_count, std::uint64_t seed) {
  const Pool library_pool = to_pool(pool);
  std::vector<std::pair<int, int>> blocks;
  Random random(seed);
  for (int first = 0; first < pool.sample_count;) {
    const auto wanted = 1 + static_cast<int>(random.below(static_cast<std::uint64_t>(largest)));
    const int count = std::min(wanted, pool.sample_count - first);
    blocks.emplace_back(first, count);
    first += count;
  }
  for (BlockConsumer* consumer : consumers) consumer->start(library_pool, worker_count);
  {
    std::atomic<std::size_t> next = 0;
    std::vector<std::jthread> workers;
    for (int worker = 0; worker < worker_count; ++worker) {
      workers.emplace_back([&, worker] {
        for (std::size_t i = next++; i < blocks.size(); i = next++) {
          hand_on_block(pool, library_pool, blocks[i].first, blocks[i].second, consumers, worker);
        }
      });
    }
  }
  for (BlockConsumer* consumer : consumers) consumer->finish();
}

ReferencePool samples_of(const ReferencePool& pool, const std::vector<int>& samples) {
  ReferencePool part{.model_count = pool.model_count,
                     .sample_count = static_cast<int>(samples.size()),
                     .class_count = pool.class_count};
  for (const int x : samples) part.truth.push_back(pool.truth[x]);
  for (int m = 0; m < pool.model_count; ++m) {
    auto& labels = part.predictions.emplace_back();
    for (const int x : samples) labels.push_back(pool.predictions[m][x]);
    if (pool.probabilities.empty()) continue;
    auto& scores = part.probabilities.emplace_back();
    for (const int x : samples) scores.push_back(pool.probabilities[m][x]);
  }
  return part;
}

ReferencePool models_of(const ReferencePool& pool, const std::vector<int>& models) {
  ReferencePool part{.model_count = static_cast<int>(models.size()),
                     .sample_count = pool.sample_count,
                     .class_count = pool.class_count,
                     .truth = pool.truth};
  for (const int m : models) {
    part.predictions.push_back(pool.predictions[m]);
    if (!pool.probabilities.empty()) part.probabilities.push_back(pool.probabilities[m]);
  }
  return part;
}

}  // namespace hqe::reference
