// SPDX-License-Identifier: MIT
#include <mutex>

#include "hqe/failures/counts.h"
#include "hqe/failures/failing_samples.h"
#include "hqe/failures/tables.h"

namespace hqe {

// There is one set of tables, whatever the number of workers: a large pool's would not fit twice.
// Row i holds what is counted for a pair or triple whose lowest model is i, and the labels given
// that i fails; a worker locks a row while it adds to it. Sums of integers do not depend on who
// came first.
struct CountBuilder::State {
  CountOptions options;
  int worker_count = 1;
  std::shared_ptr<Counts::Tables> tables;
  std::shared_ptr<KeptPredictions> kept;
  std::vector<FailingSamples> gathered;  ///< One a worker.
  std::unique_ptr<std::mutex[]> row_locks;
  std::unique_ptr<std::mutex[]> label_locks;  ///< Of tables->predicted, a model each.
  std::once_flag differing_made;

  void count_labels(const Block& block, int worker);
  void count_all(const FailingSamples& samples, int worker);
  void count_row(const FailingSamples& samples, int i);
  void count_pair(const FailingSamples& samples, int i, int j, std::span<std::uint64_t> both);
  void count_differing(const FailingSamples& samples, int i, int j,
                       std::span<const std::uint64_t> both);
  void count_labels_given(const FailingSamples& samples, int f,
                          std::span<const std::uint64_t> fails);

  /// Where the counts of row i, column j of an M x M table lie.
  [[nodiscard]] std::size_t at(int i, int j) const {
    return static_cast<std::size_t>(i) * static_cast<std::size_t>(tables->model_count) +
           static_cast<std::size_t>(j);
  }
};

void CountBuilder::State::count_labels(const Block& block, int worker) {
  const auto count = static_cast<std::size_t>(block.count);
  for (int step = 0; step < tables->model_count; ++step) {
    // Workers begin at different models, so that they seldom wait for each other.
    const int m = (step + worker) % tables->model_count;
    const auto labels = block.predicted.subspan(static_cast<std::size_t>(m) * count, count);
    const std::scoped_lock lock(label_locks[m]);
    LabelCounts& counts = tables->predicted[static_cast<std::size_t>(m)];
    if (counts.dense.empty()) {
      for (const std::int32_t label : labels) ++counts.sparse[label];
    } else {
      auto* const dense = counts.dense.data() + 1;
      for (const std::int32_t label : labels) ++dense[label];
    }
  }
}

void CountBuilder::State::count_all(const FailingSamples& samples, int worker) {
  const int models = tables->model_count;
  for (int step = 0; step < models; ++step) {
    const int i = (step + worker * models / worker_count) % models;
    const std::scoped_lock lock(row_locks[i]);
    count_row(samples, i);
  }
}

void CountBuilder::State::count_row(const FailingSamples& samples, int i) {
  const auto models = static_cast<std::size_t>(tables->model_count);
  const auto begin = static_cast<std::size_t>(i);
  std::vector<std::uint64_t> fails(samples.words()), both(samples.words());
  samples.copy_column(i, fails);
  std::vector<std::uint32_t> pairs(models - begin);
  count_and_each(fails, samples.columns(), begin, models, pairs);
  if (pairs[0] == 0) return;

  for (int j = i; j < tables->model_count; ++j) {
    const std::uint32_t together = pairs[static_cast<std::size_t>(j - i)];
    tables->co_failures[at(i, j)] += together;
    if (j == i || together == 0) continue;
    samples.copy_column(j, both);
    for (std::size_t w = 0; w < both.size(); ++w) both[w] &= fails[w];
    count_pair(samples, i, j, both);
  }
  if (tables->plan.labels_given) count_labels_given(samples, i, fails);
}

void CountBuilder::State::count_pair(const FailingSamples& samples, int i, int j,
                                     std::span<std::uint64_t> both) {
  const auto models = static_cast<std::size_t>(tables->model_count);
  const auto next = static_cast<std::size_t>(j) + 1;
  if (tables->plan.triples && next < models) {
    const auto row =
        std::span(tables->triples).subspan(tables->triple_index(i, j, j + 1), models - next);
    count_and_each(both, samples.columns(), next, models, row);
  }
  const bool can_differ =
      tables->class_count > 2 || (tables->plan.can_differ && samples.has_abstentions());
  if (can_differ) count_differing(samples, i, j, both);
}

void CountBuilder::State::count_differing(const FailingSamples& samples, int i, int j,
                                          std::span<const std::uint64_t> both) {
  const auto models = static_cast<std::size_t>(tables->model_count);
  std::vector<std::uint64_t> differ(both.size());
  differing_bits(samples.labels(i), samples.labels(j), differ.data());
  for (std::size_t w = 0; w < both.size(); ++w) differ[w] &= both[w];
  const std::uint64_t different = count(differ);
  if (different == 0) return;
  tables->differing[at(i, j)] += different;
  if (!tables->options.agreements || !tables->plan.differing) return;
  // A pool of two classes needs this table for abstentions alone, so it waits for the first.
  std::call_once(differing_made,
                 [&] { tables->differing_given.assign(models * (models - 1) / 2 * models, 0); });
  const auto row = std::span(tables->differing_given)
                       .subspan(pair_index(tables->model_count, i, j) * models, models);
  count_and_each(differ, samples.columns(), 0, models, row);
}

void CountBuilder::State::count_labels_given(const FailingSamples& samples, int f,
                                             std::span<const std::uint64_t> fails) {
  std::vector<std::uint32_t> failed;
  for_each_bit(fails, [&](std::size_t s) { failed.push_back(static_cast<std::uint32_t>(s)); });
  const auto labels = static_cast<std::size_t>(tables->class_count) + 1;
  for (int i = 0; i < tables->model_count; ++i) {
    std::uint32_t* counts = tables->labels_given.data() + at(f, i) * labels + 1;
    const std::int32_t* predicted = samples.labels(i).data();
    for (const std::uint32_t s : failed) ++counts[predicted[s]];
  }
}

CountBuilder::CountBuilder(CountOptions options) : state_(std::make_unique<State>()) {
  state_->options = options;
}

CountBuilder::~CountBuilder() = default;

void CountBuilder::start(const Pool& pool, int worker_count) {
  // A scan that finds the pool's kind to be another than detected starts again.
  const CountOptions options = state_->options;
  state_ = std::make_unique<State>();
  state_->options = options;
  state_->worker_count = worker_count;

  auto tables = std::make_shared<Counts::Tables>();
  const int models = pool.model_count();
  const auto m = static_cast<std::size_t>(models);
  const auto labels = static_cast<std::size_t>(pool.class_count) + 1;
  tables->model_count = models;
  tables->class_count = pool.class_count;
  tables->sample_count = pool.sample_count;
  tables->options = options;
  tables->plan = plan_counts(models, pool.class_count, pool.kind, options);
  tables->triple_index = TripleIndex(models);
  tables->predicted.resize(m);
  for (LabelCounts& counts : tables->predicted) {
    if (pool.class_count < sparse_class_count) counts.dense.resize(labels);
  }
  tables->co_failures.resize(m * m);
  tables->differing.resize(m * m);
  if (tables->plan.triples) tables->triples.resize(tables->triple_index.size());
  if (tables->plan.labels_given) tables->labels_given.resize(m * m * labels);
  if (tables->plan.keep_failures) {
    state_->kept = std::make_shared<KeptPredictions>(tables->plan.keep_labels);
    state_->kept->start(pool, worker_count);
  }
  const bool with_labels = tables->plan.can_differ || tables->plan.labels_given;
  for (int w = 0; w < worker_count; ++w) {
    state_->gathered.emplace_back(models, pool.sample_count, with_labels);
  }
  state_->row_locks = std::make_unique<std::mutex[]>(m);
  state_->label_locks = std::make_unique<std::mutex[]>(m);
  state_->tables = std::move(tables);
}

void CountBuilder::consume(const Block& block, int worker) {
  State& state = *state_;
  state.count_labels(block, worker);
  FailingSamples& samples = state.gathered[static_cast<std::size_t>(worker)];
  samples.gather(block, [&] {
    state.count_all(samples, worker);
    samples.clear();
  });
  if (state.kept) state.kept->consume(block, worker);
}

void CountBuilder::finish() {
  State& state = *state_;
  Counts::Tables& tables = *state.tables;
  // What the workers still hold, rows side by side: a small pool is counted here as a whole.
  parallel_for({.threads = state.worker_count}, "counting failures",
               static_cast<std::uint64_t>(tables.model_count), 1,
               [&](std::uint64_t i, std::uint64_t, int) {
                 for (const FailingSamples& samples : state.gathered) {
                   if (samples.size() > 0) state.count_row(samples, static_cast<int>(i));
                 }
               });
  state.gathered.clear();
  for (int i = 0; i < tables.model_count; ++i) {
    for (int j = 0; j < i; ++j) {
      tables.co_failures[state.at(i, j)] = tables.co_failures[state.at(j, i)];
      tables.differing[state.at(i, j)] = tables.differing[state.at(j, i)];
    }
  }
  if (state.kept) {
    state.kept->finish();
    tables.kept.push_back(state.kept);
  }
}

Counts CountBuilder::counts() const { return Counts(state_->tables); }

}  // namespace hqe
