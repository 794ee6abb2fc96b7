// SPDX-License-Identifier: MIT
#include "hqe/scan/scan.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <cassert>
#include <compare>
#include <cstring>
#include <deque>
#include <mutex>
#include <optional>

#include "hqe/base/do_both.h"
#include "hqe/base/elementary.h"
#include "hqe/base/error.h"
#include "hqe/bits/target.h"
#include "hqe/predictions/columns.h"
#include "hqe/predictions/copied_rows.h"
#include "hqe/predictions/detect.h"
#include "hqe/scan/digest_scan.h"
#include "hqe/scan/score_rows.h"

namespace hqe {
namespace {

/// The first thing wrong with a pool's values, wherever the threads found it.
class FirstOffence {
 public:
  struct Place {
    int model;
    std::uint64_t row;
    auto operator<=>(const Place&) const = default;
  };

  /// Keeps the lowest model's lowest row. Columns need no order: one row is surveyed at once.
  void report(Place place, RowFault fault) {
    const std::scoped_lock lock(mutex_);
    if (found_ && found_->first <= place) return;
    found_.emplace(place, std::move(fault));
    any_ = true;
  }

  [[nodiscard]] bool any() const { return any_; }

  [[noreturn]] void raise(const Pool& pool) const {
    const auto& [place, fault] = *found_;
    const Model& model = pool.models[static_cast<std::size_t>(place.model)];
    const auto row = static_cast<std::uint64_t>(
        model.predictions.stored_row(static_cast<std::int64_t>(place.row)));
    throw InputError(pool.digest ? digest_file(pool, place.row) : file_of(model),
                     fault.column ? place_of(row, *fault.column) : place_of(row), fault.reason,
                     fault.advice);
  }

 private:
  std::mutex mutex_;
  std::atomic<bool> any_ = false;
  std::optional<std::pair<Place, RowFault>> found_;
};

/// What one worker needs to fill blocks.
struct Worker {
  explicit Worker(const Pool& pool, std::size_t most_samples) : rows(pool, most_samples) {}

  BlockRows rows;
  std::vector<std::int32_t> truth, predicted, rivals, likeliest;
  std::vector<std::uint32_t> rival_begin, doubtful, rounded;
  std::vector<double> row;
  RivalMarks marks;
  ScoreScratch scratch;
};

int block_size(const Pool& pool) {
  if (pool.digest) return 1024;
  // A block's rows should still lie in a cache when a consumer looks at contested samples again.
  constexpr std::size_t cache_bytes = std::size_t{1} << 20;
  std::size_t sample_bytes = 0;
  for (const Model& model : pool.models) {
    sample_bytes +=
        size_of(model.predictions.dtype) * static_cast<std::size_t>(model.predictions.columns());
  }
  const std::size_t samples = cache_bytes / std::max<std::size_t>(sample_bytes, 1) / 64 * 64;
  return static_cast<int>(std::clamp<std::size_t>(samples, 64, Block::max_count));
}

RowFault label_fault(const Pool& pool, std::int64_t label) {
  if (pool.kind == Kind::correctness) {
    return {std::nullopt, fmt::format("{} is neither 0 (wrong) nor 1 (right)", label),
            "Save correctness as 0 and 1, or declare kind = \"labels\""};
  }
  return {std::nullopt,
          fmt::format("{} is not one of the {} classes (0 to {}) nor -1 (abstains)", label,
                      pool.class_count, pool.class_count - 1),
          "Predicted labels count the classes from 0"};
}

/// Differences whose sign bits say it, which is several labels at a time; those that overflow are
/// of labels far outside.
bool all_within(std::span<const std::int32_t> labels, std::int32_t least, std::int32_t most) {
  std::uint32_t signs = 0;
  for (const std::int32_t label : labels) {
    const auto bits = static_cast<std::uint32_t>(label);
    signs |= (bits - static_cast<std::uint32_t>(least)) | (static_cast<std::uint32_t>(most) - bits);
  }
  return signs >> 31 == 0;
}

/// One pass under the kind that the pool has now.
class Pass {
 public:
  Pass(const Pool& pool, std::span<BlockConsumer* const> consumers, int worker_count)
      : pool_(pool),
        consumers_(consumers),
        has_likeliest_(pool.kind == Kind::probabilities && !pool.digest &&
                       std::ranges::any_of(consumers, &BlockConsumer::wants_likeliest)) {
    for (int worker = 0; worker < worker_count; ++worker) {
      workers_.emplace_back(pool, static_cast<std::size_t>(block_size(pool)));
    }
  }

  void block(std::uint64_t begin, std::uint64_t end, int worker_id) {
    Worker& worker = workers_[static_cast<std::size_t>(worker_id)];
    const std::size_t count = end - begin;
    worker.truth.resize(count);
    read_labels(pool_.truth, begin, worker.truth);
    worker.predicted.resize(count * pool_.models.size());
    worker.rounded.clear();
    if (has_likeliest_) worker.likeliest.resize(Block::likely_count * worker.predicted.size());
    const bool clean = !has_scores(pool_.kind) ? label_block(begin, worker)
                       : pool_.digest          ? digest_block(begin, worker)
                                               : score_block(begin, worker);
    if (!clean || offence_.any()) return;  // Consumers would keep what nobody asks for.
    if (!worker.rounded.empty()) is_rounded_ = true;
    const Block block{.pool = &worker.rows.pool(),
                      .first = begin,
                      .count = static_cast<int>(count),
                      .truth = worker.truth,
                      .predicted = worker.predicted,
                      .rival_begin = worker.rival_begin,
                      .rivals = worker.rivals,
                      .rounded = worker.rounded,
                      .likeliest = worker.likeliest};
    for (BlockConsumer* consumer : consumers_) consumer->consume(block, worker_id);
  }

  [[nodiscard]] const FirstOffence& offence() const { return offence_; }
  [[nodiscard]] bool is_rounded() const { return is_rounded_; }

 private:
  bool label_block(std::uint64_t begin, Worker& worker) {
    const std::int32_t least = pool_.kind == Kind::correctness ? 0 : -1;
    const std::size_t count = worker.truth.size();
    bool clean = true;
    for (std::size_t model = 0; model < pool_.models.size(); ++model) {
      const Array& array = pool_.models[model].predictions;
      const std::span labels = std::span(worker.predicted).subspan(model * count, count);
      if (pool_.digest) {
        read_digest_labels(pool_, static_cast<ModelId>(model), begin, labels);
      } else {
        read_labels(array, begin, labels);
      }
      if (all_within(labels, least, pool_.class_count - 1)) continue;
      clean = false;
      const auto bad = std::find_if(labels.begin(), labels.end(), [&](std::int32_t label) {
        return label < least || label >= pool_.class_count;
      });
      const std::uint64_t row = begin + static_cast<std::uint64_t>(bad - labels.begin());
      const std::int64_t label =
          pool_.digest ? *bad : read_integer(array, static_cast<std::int64_t>(row));
      offence_.report({static_cast<int>(model), row}, label_fault(pool_, label));
    }
    return clean;
  }

  bool score_block(std::uint64_t begin, Worker& worker) {
    const std::size_t count = worker.truth.size();
    const std::size_t step = samples_a_run(pool_.class_count);
    bool clean = true;
    worker.rivals.clear();
    worker.rival_begin.assign(1, 0);
    if (worker.rows.copies()) worker.rows.start(begin);
    for (std::size_t at = 0; at < count; at += step) {
      const std::size_t samples = std::min(step, count - at);
      worker.marks.reset(samples, pool_.class_count);
      for (std::size_t model = 0; model < pool_.models.size(); ++model) {
        worker.doubtful.clear();
        if (worker.rows.copies()) worker.rows.fetch(model, begin + at, samples);
        survey_rows({.array = &worker.rows.pool().models[model].predictions,
                     .kind = pool_.kind,
                     .model_count = pool_.model_count(),
                     .first = begin + at,
                     .truth = std::span(worker.truth).subspan(at, samples),
                     .likeliest = likeliest_of(worker, model * count + at, samples)},
                    std::span(worker.predicted).subspan(model * count + at, samples), worker.marks,
                    worker.doubtful, worker.scratch);
        if (!settle_doubts(model, begin, at, worker)) clean = false;
      }
      worker.marks.append_to(worker.rivals, worker.rival_begin,
                             std::span(worker.truth).subspan(at, samples));
    }
    return clean;
  }

  std::span<std::int32_t> likeliest_of(Worker& worker, std::size_t first, std::size_t rows) const {
    if (!has_likeliest_) return {};
    return std::span(worker.likeliest)
        .subspan(Block::likely_count * first, Block::likely_count * rows);
  }

  bool digest_block(std::uint64_t begin, Worker& worker) {
    bool clean = true;
    worker.rivals.clear();
    worker.rival_begin.assign(1, 0);
    read_digest_block(pool_, {.first = begin,
                              .truth = worker.truth,
                              .predicted = worker.predicted,
                              .rival_begin = worker.rival_begin,
                              .rivals = worker.rivals,
                              .rounded = worker.rounded,
                              .report = [&](int model, std::uint64_t row, RowFault fault) {
                                clean = false;
                                offence_.report({model, row}, std::move(fault));
                              }});
    return clean;
  }

  /// Decides the rows that the survey was not sure of, of those from `at` on in the block.
  bool settle_doubts(std::size_t model, std::uint64_t begin, std::size_t at, Worker& worker) {
    const Array& array = worker.rows.pool().models[model].predictions;
    worker.row.resize(static_cast<std::size_t>(pool_.class_count));
    for (const std::uint32_t row : worker.doubtful) {
      const std::uint64_t sample = begin + at + row;
      read_row(array, static_cast<std::int64_t>(sample), worker.row);
      auto fault = find_row_fault(worker.row, pool_.kind, array.dtype);
      if (!fault) {
        if (is_rounded_row(worker.row, pool_.kind, array.dtype)) {
          worker.rounded.push_back(
              static_cast<std::uint32_t>(model * worker.truth.size() + at + row));
        }
        continue;
      }
      offence_.report({static_cast<int>(model), sample}, std::move(*fault));
      return false;
    }
    return true;
  }

  const Pool& pool_;
  std::span<BlockConsumer* const> consumers_;
  bool has_likeliest_;
  std::deque<Worker> workers_;  // Each has its place for good.
  FirstOffence offence_;
  std::atomic<bool> is_rounded_ = false;
};

/// Some probabilities of one row, `step` places apart.
void read_shares(const Array& array, std::int64_t row, std::span<const std::int32_t> columns,
                 double* out, std::size_t step) {
  // Nearly every pool is like this, and the general way costs a few times as much.
  if (array.dtype == DType::float32 && !array.byte_swapped) {
    const std::byte* const values = array.data + array.stored_row(row) * array.strides[0];
    for (std::size_t i = 0; i < columns.size(); ++i) {
      float value = 0;
      std::memcpy(&value, values + columns[i] * array.strides[1], sizeof value);
      out[i * step] = as_share(value);
    }
    return;
  }
  for (std::size_t i = 0; i < columns.size(); ++i) {
    out[i * step] = as_share(read_number(array, row, columns[i]));
  }
}

/// Each consumer knows what it needs, and much of it is one thread's.
void finish_all(std::span<BlockConsumer* const> consumers, const Run& run) {
  if (consumers.empty()) return;
  do_both(
      run, [&](const Run&) { consumers.front()->finish(); },
      [&](const Run&) {
        for (BlockConsumer* consumer : consumers.subspan(1)) consumer->finish();
      });
}

/// So few labels are read and counted sooner than another thread has memory of its own.
constexpr std::uint64_t labels_a_thread = std::uint64_t{1} << 19;

Run run_for(const Pool& pool, const Run& run) {
  Run result = run;
  result.threads = run.thread_count();
  if (has_scores(pool.kind)) return result;
  const std::uint64_t labels = pool.sample_count * pool.models.size();
  result.threads = static_cast<int>(std::min<std::uint64_t>(
      static_cast<std::uint64_t>(result.threads), labels / labels_a_thread + 1));
  return result;
}

/// False where the pool's kind turned out to be another, which it then has.
bool pass_over(Pool& pool, std::span<BlockConsumer* const> consumers, const Run& asked) {
  const Run run = run_for(pool, asked);
  for (BlockConsumer* consumer : consumers) consumer->start(pool, run.threads);
  Pass pass(pool, consumers, run.threads);
  parallel_for(
      run, "reading predictions", pool.sample_count, static_cast<std::uint64_t>(block_size(pool)),
      [&](std::uint64_t begin, std::uint64_t end, int worker) { pass.block(begin, end, worker); });
  check_unchanged(pool);
  if (pass.offence().any()) {
    // A digest was made of scores whose kind was known in the end, and has no rows to look at.
    if (pool.kind_detected && pool.kind == Kind::probabilities && !pool.digest) {
      pool.kind = detect_score_kind(pool.models, true, run);
      if (pool.kind == Kind::logits) return false;
    }
    pass.offence().raise(pool);
  }
  finish_all(consumers, run);
  if (pass.is_rounded()) {
    pool.notes.emplace_back(
        "the probabilities were rounded to two or three decimals, and rows sum to 1 only within "
        "that: votes that are close may differ from those of the whole numbers");
  }
  return true;
}

}  // namespace

void scan(Pool& pool, std::span<BlockConsumer* const> consumers, const Run& run) {
  apply_target_from_environment();
  while (!pass_over(pool, consumers, run)) {
  }
}

double softmax(std::span<double> logits) {
  const double largest = *std::max_element(logits.begin(), logits.end());
  double sum = 0;
  for (double& score : logits) {
    score = portable_exp(score - largest);
    sum += score;
  }
  for (double& score : logits) score = as_share(score / sum);
  return sum;
}

void class_scores(const Pool& pool, ModelId model, std::uint64_t sample, std::span<double> out) {
  assert(has_scores(pool.kind));
  if (pool.digest) return digest_class_scores(pool, model, sample, out);
  const Array& array = pool.models[model].predictions;
  const auto row = static_cast<std::int64_t>(sample);
  if (pool.kind == Kind::probabilities && read_ready_shares(array, row, out)) return;
  read_row(array, row, out);
  if (pool.kind == Kind::logits) {
    softmax(out);
    return;
  }
  for (double& score : out) score = as_share(score);
}

void scores_of_classes(const Pool& pool, ModelId model, std::uint64_t sample,
                       std::span<const std::int32_t> classes, double* out, std::size_t step,
                       std::vector<double>& row) {
  assert(has_scores(pool.kind));
  if (pool.digest) return digest_scores_of(pool, model, sample, classes, out, step);
  if (pool.kind == Kind::probabilities) {
    return read_shares(pool.models[model].predictions, static_cast<std::int64_t>(sample), classes,
                       out, step);
  }
  row.resize(static_cast<std::size_t>(pool.class_count));
  class_scores(pool, model, sample, row);
  for (std::size_t i = 0; i < classes.size(); ++i) {
    out[i * step] = row[static_cast<std::size_t>(classes[i])];
  }
}

double largest_class_score(const Pool& pool, ModelId model) {
  // No quotient of a softmax exceeds 1: the sum holds exp(0) = 1 and only grows.
  if (pool.kind == Kind::logits) return 1;
  return 1 + row_sum_tolerance(pool.models[model].predictions.dtype);
}

std::int32_t predicted_label(const Pool& pool, ModelId model, std::uint64_t sample) {
  const Array& array = pool.models[model].predictions;
  const auto row = static_cast<std::int64_t>(sample);
  if (!has_scores(pool.kind) || pool.digest) {
    const std::int64_t label =
        pool.digest ? digest_label(pool, model, sample) : read_integer(array, row);
    return label < pool.class_count ? static_cast<std::int32_t>(std::max<std::int64_t>(label, -1))
                                    : -1;
  }
  std::int32_t best = 0;
  double largest = read_number(array, row, 0);
  for (std::int32_t label = 1; label < pool.class_count; ++label) {
    const double score = read_number(array, row, label);
    if (score <= largest) continue;
    largest = score;
    best = label;
  }
  return best;
}

}  // namespace hqe
