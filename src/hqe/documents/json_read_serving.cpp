// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "hqe/calibration/calibrate.h"
#include "hqe/documents/json_read_study.h"

namespace hqe {

namespace {

/// Shares of at least 1e-15 at the lowest temperature stay far below.
constexpr double largest_log_loss = 1000;

struct Pair {
  double before, after;
};

template <typename Read>
Pair read_pair_of(const Entry& entry, Read read) {
  return {read(entry.at("before")), read(entry.at("after"))};
}

ReliabilityBin read_bin(const Entry& entry, std::uint64_t samples) {
  ReliabilityBin bin{.count = entry.at("count").count({samples, "the", "samples judged"}),
                     .confidence = entry.at("confidence").share()};
  bin.correct = entry.at("correct").count({bin.count, "the bin's", "samples"});
  return bin;
}

ReliabilityBins read_bins(const Entry& entry, std::string_view name, std::uint64_t samples) {
  ReliabilityBins bins;
  std::uint64_t total = 0;
  const auto list = entry.list_of(bins.size(), "one a bin");
  for (std::size_t b = 0; b < bins.size(); ++b) {
    bins[b] = read_bin(list[b].at(name), samples);
    total += bins[b].count;
  }
  if (total != samples) {
    entry.refuse(fmt::format("holds {} samples {} where {} were judged", total, name, samples));
  }
  return bins;
}

CalibrationEffect read_effect(const Entry& entry, const Limit& limit) {
  CalibrationEffect effect{.samples = entry.at("samples").count(limit)};
  if (effect.samples == 0) entry.at("samples").refuse_value("samples tell nothing");
  const Pair log_loss = read_pair_of(
      entry.at("log_loss"), [](const Entry& loss) { return loss.number(0, largest_log_loss); });
  const Pair brier =
      read_pair_of(entry.at("brier"), [](const Entry& score) { return score.number(0, 2); });
  const Pair error = read_pair_of(entry.at("calibration_error"), share_of);
  const Entry bins = entry.at("reliability");
  effect.before = {.log_loss = log_loss.before,
                   .brier = brier.before,
                   .calibration_error = error.before,
                   .bins = read_bins(bins, "before", effect.samples)};
  effect.after = {.log_loss = log_loss.after,
                  .brier = brier.after,
                  .calibration_error = error.after,
                  .bins = read_bins(bins, "after", effect.samples)};
  return effect;
}

}  // namespace

Serving read_serving(const Entry& entry, const Study& study) {
  const Limit test_samples = study.test ? sample_limit(study.test->pool, "the test pool's")
                                        : Limit{0, "a missing test pool's", "samples"};
  if (const auto early_exit = entry.find("early_exit")) early_exit->refuse("is unknown here");
  return {
      .temperature = entry.at("temperature").number(1 / largest_temperature, largest_temperature),
      .selection = read_effect(entry, sample_limit(study.pool)),
      .test =
          maybe(entry, "test", [&](const Entry& test) { return read_effect(test, test_samples); })};
}

}  // namespace hqe
