// SPDX-License-Identifier: MIT
#include "hqe/search/measure.h"

#include <algorithm>
#include <utility>

namespace hqe {

std::vector<std::uint64_t> Measured::correct() const {
  std::vector<std::uint64_t> correct;
  for (int id = 0; id < counts.model_count(); ++id) {
    correct.push_back(counts.correct(static_cast<ModelId>(id)));
  }
  return correct;
}

Measured measure(Pool pool, const MeasureOptions& options, const Run& run) {
  if (options.needs_labels) check_labels(pool);
  CountBuilder counts(options.counts);
  std::vector<BlockConsumer*> consumers{&counts};
  std::optional<ContestBuilder> contests;
  if (options.vote) {
    const auto& correct =
        options.selection_correct.empty() ? options.vote->correct : options.selection_correct;
    std::optional<ContestPart> part;
    if (options.part && options.part->contests) {
      part = ContestPart{*options.part->contests, options.part->samples};
    }
    consumers.push_back(
        &contests.emplace(*options.vote, correct, options.selection_samples, std::move(part)));
  }
  std::optional<FailureBits> bits;
  if (options.failure_bits) consumers.push_back(&bits.emplace());
  std::shared_ptr<ScanRecord> record;
  if (options.keep_record) {
    record = std::make_shared<ScanRecord>();
    consumers.push_back(record.get());
  }
  std::shared_ptr<TruthShares> truth_shares;
  if (options.keep_truth_shares) {
    truth_shares = std::make_shared<TruthShares>();
    consumers.push_back(truth_shares.get());
  }
  if (options.part) {
    options.part->record->scan_part(pool, options.part->samples, consumers, run);
  } else {
    scan(pool, consumers, run);
  }
  return {.pool = std::move(pool),
          .counts = counts.counts(),
          .contests = contests ? std::optional(contests->contests()) : std::nullopt,
          .failure_bits = std::move(bits),
          .record = record && record->has_samples() ? std::move(record) : nullptr,
          .truth_shares = std::move(truth_shares)};
}

PoolSummary summary_of(const Measured& measured) {
  const Pool& pool = measured.pool;
  PoolSummary summary{.name = pool.name,
                      .kind = pool.kind,
                      .kind_detected = pool.kind_detected,
                      .has_labels = pool.has_labels,
                      .sample_count = pool.sample_count,
                      .class_count = pool.class_count,
                      .class_names = pool.class_names,
                      .about = pool.about,
                      .licence = pool.licence,
                      .source = pool.source};
  for (std::size_t id = 0; id < pool.models.size(); ++id) {
    const Model& model = pool.models[id];
    summary.models.push_back({.name = model.name,
                              .correct = measured.counts.correct(static_cast<ModelId>(id)),
                              .costs = model.costs});
  }
  return summary;
}

CountOptions counts_for(const std::vector<Metric>& metrics, bool sampled) {
  const auto any_needs = [&](MetricNeeds needs) {
    return std::ranges::any_of(metrics,
                               [&](Metric metric) { return row_of(metric).needs == needs; });
  };
  return {.triples = !sampled && any_needs(MetricNeeds::triples),
          .agreements = !sampled && any_needs(MetricNeeds::agreements)};
}

}  // namespace hqe
