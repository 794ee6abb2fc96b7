// SPDX-License-Identifier: MIT
/// What a scan says of a pool, and the same said plainly, for tests.

#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <mutex>
#include <numeric>
#include <vector>

#include "hqe/scan/scan.h"

namespace hqe::testing {

/// Everything a scan says of a pool, in sample order.
struct Findings {
  std::vector<std::int32_t> truth;
  std::vector<std::vector<std::int32_t>> predicted;  ///< Per model.
  std::vector<std::vector<std::int32_t>> rivals;     ///< Per sample.
  bool operator==(const Findings&) const = default;
};

/// Collects the blocks, and checks what is promised of their order and shape.
class Collector : public BlockConsumer {
 public:
  void start(const Pool& pool, int worker_count) override {
    ++starts;
    worker_count_ = worker_count;
    findings.truth.assign(pool.sample_count, -7);
    findings.predicted.assign(pool.models.size(), findings.truth);
    findings.rivals.assign(has_scores(pool.kind) ? pool.sample_count : 0, {});
  }
  void consume(const Block& block, int worker) override {
    const std::scoped_lock lock(mutex_);
    const auto count = static_cast<std::size_t>(block.count);
    CHECK(worker < worker_count_);
    CHECK(block.first % 64 == 0);
    CHECK(block.count <= Block::max_count);
    REQUIRE(block.truth.size() == count);
    REQUIRE(block.predicted.size() == count * findings.predicted.size());
    for (std::size_t i = 0; i < count; ++i) {
      CHECK(findings.truth[block.first + i] == -7);
      findings.truth[block.first + i] = block.truth[i];
      for (std::size_t m = 0; m < findings.predicted.size(); ++m) {
        findings.predicted[m][block.first + i] = block.predicted[m * count + i];
      }
      if (findings.rivals.empty()) continue;
      findings.rivals[block.first + i].assign(block.rivals.begin() + block.rival_begin[i],
                                              block.rivals.begin() + block.rival_begin[i + 1]);
    }
  }
  void finish() override { ++finishes; }

  Findings findings;
  int starts = 0, finishes = 0;

 private:
  std::mutex mutex_;
  int worker_count_ = 0;
};

inline Findings findings_of(Pool pool, int threads) {
  Collector collector;
  BlockConsumer* const consumers[] = {&collector};
  scan(pool, consumers, {.threads = threads});
  CHECK(collector.starts == 1);
  CHECK(collector.finishes == 1);
  return collector.findings;
}

/// The likeliest classes that a scan finds: per model, three a sample. Empty where it finds none.
using LikelyClasses = std::vector<std::vector<std::int32_t>>;

class LikelyCollector : public Collector {
 public:
  [[nodiscard]] bool wants_likeliest() const override { return true; }
  void start(const Pool& pool, int worker_count) override {
    Collector::start(pool, worker_count);
    const std::size_t labels = pool.kind == Kind::probabilities ? 3 * pool.sample_count : 0;
    found.assign(pool.models.size(), std::vector<std::int32_t>(labels, -7));
  }
  void consume(const Block& block, int worker) override {
    Collector::consume(block, worker);
    const auto count = 3 * static_cast<std::size_t>(block.count);
    REQUIRE(block.likeliest.size() == (found.front().empty() ? 0 : count * found.size()));
    if (block.likeliest.empty()) return;
    for (std::size_t m = 0; m < found.size(); ++m) {
      std::ranges::copy(block.likeliest.subspan(m * count, count),
                        found[m].begin() + static_cast<std::ptrdiff_t>(3 * block.first));
    }
  }

  LikelyClasses found;
};

inline LikelyClasses likeliest_of(Pool pool, int threads) {
  LikelyCollector collector;
  BlockConsumer* const consumers[] = {&collector};
  scan(pool, consumers, {.threads = threads});
  return collector.found;
}

/// The same by sorting.
inline LikelyClasses plain_likeliest(const Pool& pool) {
  LikelyClasses found(pool.models.size());
  if (pool.kind != Kind::probabilities) return found;
  std::vector<double> scores(static_cast<std::size_t>(pool.class_count));
  std::vector<std::int32_t> order(scores.size());
  for (std::size_t m = 0; m < pool.models.size(); ++m) {
    for (std::uint64_t sample = 0; sample < pool.sample_count; ++sample) {
      class_scores(pool, static_cast<ModelId>(m), sample, scores);
      std::iota(order.begin(), order.end(), 0);
      std::ranges::stable_sort(order, std::ranges::greater{},
                               [&](std::int32_t k) { return scores[static_cast<std::size_t>(k)]; });
      for (std::size_t i = 0; i < 3; ++i) {
        found[m].push_back(i < order.size() ? order[i] : -1);
      }
    }
  }
  return found;
}

/// The same said plainly: sample by sample, from class_scores() alone.
inline Findings plain_findings(const Pool& pool) {
  Findings findings;
  const auto class_count = static_cast<std::size_t>(pool.class_count);
  const double widening = pool.model_count() * 0x1p-50;
  std::vector<double> scores(class_count);
  findings.predicted.resize(pool.models.size());
  for (std::uint64_t sample = 0; sample < pool.sample_count; ++sample) {
    const std::int32_t truth = pool.true_label(sample);
    findings.truth.push_back(truth);
    std::vector<char> is_rival(class_count);
    for (std::size_t m = 0; m < pool.models.size(); ++m) {
      const auto id = static_cast<ModelId>(m);
      findings.predicted[m].push_back(predicted_label(pool, id, sample));
      if (!has_scores(pool.kind)) continue;
      class_scores(pool, id, sample, scores);
      const double own = scores[static_cast<std::size_t>(truth)];
      for (std::size_t k = 0; k < class_count; ++k) {
        if (scores[k] > 0 && (own == 0 || scores[k] > own * (1 - widening))) is_rival[k] = 1;
      }
    }
    if (!has_scores(pool.kind)) continue;
    auto& rivals = findings.rivals.emplace_back();
    for (std::size_t k = 0; k < class_count; ++k) {
      if (is_rival[k] != 0 && static_cast<std::int32_t>(k) != truth) {
        rivals.push_back(static_cast<std::int32_t>(k));
      }
    }
  }
  return findings;
}

}  // namespace hqe::testing
