// SPDX-License-Identifier: MIT
/// The contests of soft and weighted votes: margins of class scores. Private to evaluation/.

#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "hqe/evaluation/contest_data.h"
#include "hqe/predictions/pool.h"

namespace hqe {

/// Class scores that are exact in the narrowest type that holds them.
class ScoreStore {
 public:
  explicit ScoreStore(bool wide = false) : wide_(wide) {}
  void clear();
  void append(std::span<const double> scores);
  [[nodiscard]] double operator[](std::size_t index) const {
    return wide_ ? doubles_[index] : static_cast<double>(floats_[index]);
  }
  /// Calls read(scores) with those from `first` on, in their type.
  template <class Read>
  void visit(std::size_t first, const Read& read) const {
    if (wide_) {
      read(doubles_.data() + first);
    } else {
      read(floats_.data() + first);
    }
  }
  [[nodiscard]] std::size_t size() const { return wide_ ? doubles_.size() : floats_.size(); }

 private:
  bool wide_;
  std::vector<float> floats_;
  std::vector<double> doubles_;
};

/// The contested samples of one block of the scan.
struct ScoreChunk {
  struct Sample {
    std::uint32_t place = 0;  ///< In the block.
    std::int32_t truth = 0;
    std::uint32_t rivals = 0;   ///< Dominated ones dropped.
    std::uint32_t classes = 0;  ///< Its first rival in `classes`.
  };
  std::uint64_t first = 0;
  std::vector<Sample> samples;
  std::vector<std::int32_t> classes;
  ScoreStore scores;                         ///< [sample][true class, then rivals][model].
  std::uint64_t uncontested = 0;             ///< Samples without rivals ...
  std::uint64_t uncontested_above_zero = 0;  ///< ... whose true class is not class 0.
};

/// The contested samples of a pool, or of a part of one.
struct ScoreSamples {
  /// In `chunks`, and in the samples of one of them.
  struct Place {
    std::uint32_t chunk = 0;
    std::uint32_t sample = 0;
  };
  [[nodiscard]] const ScoreChunk& chunk(const Place& place) const { return (*chunks)[place.chunk]; }
  [[nodiscard]] const ScoreChunk::Sample& sample(const Place& place) const {
    return chunk(place).samples[place.sample];
  }
  /// Where its scores begin in those of its chunk.
  [[nodiscard]] std::size_t first_score(const Place& place, std::size_t models) const {
    return (std::size_t{sample(place).classes} + place.sample) * models;
  }
  std::shared_ptr<const std::vector<ScoreChunk>> chunks;
  std::vector<Place> contested;  ///< In the order of the samples.
  std::uint64_t uncontested = 0;
  std::uint64_t uncontested_above_zero = 0;
};

/// Collects the rivals' scores during a scan; where weights are the accuracies, they are known only
/// afterwards. Thread safety: collect() may be called from several threads.
class ScoreCollector {
 public:
  /// `pool` must outlive the scan only.
  explicit ScoreCollector(const Pool& pool, int worker_count);
  ScoreCollector(ScoreCollector&&) = delete;
  ~ScoreCollector();
  /// `pool` is these samples of the pool of `whole`: collect() then has nothing to do. Requires:
  /// can_take(whole).
  ScoreCollector(const Pool& pool, const Contests::Data& whole,
                 std::span<const std::uint64_t> samples);
  /// Whether scores were collected there.
  [[nodiscard]] static bool can_take(const Contests::Data& whole);

  /// Requires: calls of one worker never overlap, worker < worker_count.
  void collect(const Block& block, int worker);
  [[nodiscard]] std::shared_ptr<const Contests::Data> finish(VoteRule rule, int threads);

 private:
  int model_count_;
  bool wide_;
  std::mutex mutex_;
  std::vector<ScoreChunk> chunks_;
  struct Scratch;
  std::vector<Scratch> scratch_;  ///< One a worker.
  std::optional<ScoreSamples> taken_;
};

}  // namespace hqe
