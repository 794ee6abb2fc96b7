// SPDX-License-Identifier: MIT
/// How often models fail, alone and together, and how often they agree: the integers from which
/// every diversity score follows without touching a sample again (spec section 7). Implemented in
/// counts.cpp and count_builder.cpp.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "hqe/base/run.h"
#include "hqe/ensemble/team.h"
#include "hqe/predictions/pool.h"
#include "hqe/scan/scan.h"

namespace hqe {

/// Which counts to take; leaving one out saves its time and memory.
struct CountOptions {
  bool triples = true;     ///< Co-failures of three models: focal BD, KW, GD.
  bool agreements = true;  ///< Agreement given each focal model's failures: focal CK.
  /// Tables above this many bytes are not made. A pool beyond it keeps one bit (and, for
  /// agreements, one label) a model and sample instead and counts when asked.
  std::size_t table_limit = std::size_t{1} << 30;
};

/// Counts over a set of samples. Additive: the counts of two disjoint sets of samples merge into
/// the counts of their union, however a pool was split.
///
/// Memory for M models and C classes: 16 M^2 + 4 M (C + 1) bytes always; then, in this order and
/// while they fit in the table limit, 2/3 M^3 for triples (714 MB at 1,024 models), 4 M^2 (C + 1)
/// for labels given a focal model, and 2 M^3 for pairs that fail with different labels given a
/// focal model, the last only where that occurs (in pools of two classes only with abstentions).
/// What does not fit costs M N / 8 bytes for failures, and 2 M N for labels (4 from 65,535 classes
/// on): looking up a count then takes time proportional to the samples.
///
/// Thread safety: const members may be called from several threads.
class Counts {
 public:
  [[nodiscard]] int model_count() const;
  [[nodiscard]] int class_count() const;
  [[nodiscard]] std::uint64_t sample_count() const;

  /// n_f = |fail_f|.
  [[nodiscard]] std::uint64_t failures(ModelId f) const;
  /// N - n_f.
  [[nodiscard]] std::uint64_t correct(ModelId f) const;
  /// How often the model abstained.
  [[nodiscard]] std::uint64_t abstentions(ModelId f) const;
  /// a_fi = |fail_f & fail_i|; a_ff = n_f.
  [[nodiscard]] std::uint64_t co_failures(ModelId f, ModelId i) const;
  /// t_fij = |fail_f & fail_i & fail_j|, symmetric; t_ffi = a_fi. Requires: options.triples.
  [[nodiscard]] std::uint64_t co_failures(ModelId f, ModelId i, ModelId j) const;

  /// Samples on which i and j predict the same label (an abstention is a label of its own), over
  /// all samples.
  [[nodiscard]] std::uint64_t agreements(ModelId i, ModelId j) const;
  /// sum_c n_i(c) n_j(c) over all samples: n^2 times the agreement expected by chance.
  [[nodiscard]] std::uint64_t chance_agreements(ModelId i, ModelId j) const;
  /// agreements() on the samples that f fails on. Requires: options.agreements.
  [[nodiscard]] std::uint64_t agreements_given(ModelId f, ModelId i, ModelId j) const;

  /// How often model i predicted class c (c = -1: abstained), over all samples.
  [[nodiscard]] std::uint64_t predicted(ModelId i, std::int32_t label) const;

  /// The counts of both sets of samples together. Requires: same models, classes and options.
  [[nodiscard]] Counts merge(const Counts& other) const;

  bool operator==(const Counts& other) const;

  struct Tables;  ///< Private to failures/.
  explicit Counts(std::shared_ptr<const Tables> tables) : tables_(std::move(tables)) {}
  [[nodiscard]] const Tables& tables() const { return *tables_; }

 private:
  std::shared_ptr<const Tables> tables_;
};

/// Takes the counts during a scan. Gathers samples on which some model fails, about 256 KiB of
/// bits a worker, and counts them together; there is one set of tables for all workers.
class CountBuilder : public BlockConsumer {
 public:
  explicit CountBuilder(CountOptions options = {});
  ~CountBuilder() override;

  void start(const Pool& pool, int worker_count) override;
  void consume(const Block& block, int worker) override;
  void finish() override;

  /// Requires: finish() was called.
  [[nodiscard]] Counts counts() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace hqe
