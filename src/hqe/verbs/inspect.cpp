// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "hqe/base/percentage.h"
#include "hqe/search/measure.h"
#include "hqe/verbs/verbs.h"

namespace hqe {
namespace {

/// From this share of abstentions on a model is said to abstain often.
constexpr double often = 0.1;
/// From this accuracy after swapping the two classes a model is said to have them swapped.
constexpr double convincing = 0.6;

/// The label that a model always gives; nothing when it gives more than one.
std::optional<std::int32_t> only_label(const Counts& counts, ModelId model) {
  for (std::int32_t label = -1; label < counts.class_count(); ++label) {
    if (counts.predicted(model, label) == counts.sample_count()) return label;
  }
  return std::nullopt;
}

/// The first earlier model that predicts the same on every sample.
std::optional<ModelId> twin_of(const Counts& counts, ModelId model) {
  for (ModelId other = 0; other < model; ++other) {
    if (counts.agreements(other, model) == counts.sample_count()) return other;
  }
  return std::nullopt;
}

double share(std::uint64_t part, std::uint64_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

std::vector<std::string> accuracy_notes(const Measured& measured, ModelId model) {
  const Counts& counts = measured.counts;
  const std::uint64_t samples = counts.sample_count();
  const std::uint64_t correct = counts.correct(model);
  const auto classes = static_cast<std::uint64_t>(counts.class_count());
  if (correct == samples) return {"never fails"};
  // In a correctness pool the two classes are right and wrong: nothing is guessed.
  if (measured.pool.kind == Kind::correctness || correct * classes >= samples) return {};
  const std::uint64_t swapped = samples - correct - counts.abstentions(model);
  if (classes == 2 && share(swapped, samples) >= convincing) {
    return {
        fmt::format("labels look swapped: right on {} %, but on {} % with the two classes "
                    "exchanged",
                    count_percentage(correct, samples, 1), count_percentage(swapped, samples, 1))};
  }
  return {fmt::format("worse than chance: right on {} %, guessing would be on {} %",
                      count_percentage(correct, samples, 1), count_percentage(1, classes, 1))};
}

std::vector<std::string> notes_of(const Measured& measured, ModelId model) {
  const Counts& counts = measured.counts;
  std::vector<std::string> notes;
  if (measured.pool.has_labels) notes = accuracy_notes(measured, model);
  const auto label = only_label(counts, model);
  if (label && measured.pool.kind != Kind::correctness) {
    notes.push_back(
        *label < 0 ? "always abstains"
                   : fmt::format("always predicts class {}", measured.pool.class_name(*label)));
  }
  if (const auto twin = twin_of(counts, model)) {
    notes.push_back(
        fmt::format("predicts exactly as model {} ({})", *twin, measured.pool.models[*twin].name));
  }
  const double abstained = share(counts.abstentions(model), counts.sample_count());
  if (abstained >= often && label != -1) {
    notes.push_back(
        fmt::format("abstains on {} % of the samples",
                    count_percentage(counts.abstentions(model), counts.sample_count(), 1)));
  }
  return notes;
}

std::vector<Message> pool_warnings(const Inspection& inspection) {
  std::vector<Message> warnings;
  const std::size_t models = inspection.pool.models.size();
  if (models < 3) {
    warnings.emplace_back(
        fmt::format("{} model{}: pruning needs at least 3", models, models == 1 ? "" : "s"));
  }
  if (!inspection.pool.has_labels) {
    warnings.emplace_back("there are no true labels: nobody can say who is right");
  }
  std::size_t suspicious = 0;
  for (const Inspection::ModelNotes& model : inspection.models) {
    if (!model.notes.empty()) ++suspicious;
  }
  if (suspicious > 0) {
    warnings.emplace_back(
        fmt::format("{} of {} models are remarkable: see their notes", suspicious, models));
  }
  return warnings;
}

}  // namespace

Inspection inspect(Pool pool, const Run& run) {
  const Measured measured = measure(std::move(pool), {.needs_labels = false}, run);
  const Counts& counts = measured.counts;
  const auto models = static_cast<ModelId>(counts.model_count());
  Inspection result{.pool = summary_of(measured)};
  std::uint64_t total = 0;
  for (ModelId model = 0; model < models; ++model) {
    result.models.push_back(
        {.abstentions = counts.abstentions(model), .notes = notes_of(measured, model)});
    total += counts.correct(model);
    for (ModelId other = 0; measured.pool.has_labels && other < models; ++other) {
      result.co_failures.push_back(counts.co_failures(model, other));
    }
  }
  const auto [least, most] =
      std::ranges::minmax(result.pool.models, {}, &PoolSummary::Member::correct);
  result.correct_min = least.correct;
  result.correct_max = most.correct;
  result.accuracy_mean = share(total, counts.sample_count()) / static_cast<double>(models);
  result.warnings = pool_warnings(result);
  const std::vector<Message>& notes = measured.pool.notes;
  result.warnings.insert(result.warnings.begin(), notes.begin(), notes.end());
  check_unchanged(measured.pool);
  return result;
}

}  // namespace hqe
