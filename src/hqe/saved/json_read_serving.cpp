// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "hqe/calibration/calibrate.h"
#include "hqe/saved/json_read_study.h"
#include "hqe/serving/early_exit.h"

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

/// The test pool, or a pool without a sample.
Limit test_limit(const Study& study) {
  return study.test ? sample_limit(study.test->pool, "the test pool's")
                    : Limit{0, "a missing test pool's", "samples"};
}

Serving read_calibration(const Entry& entry, const Study& study) {
  return {
      .temperature = entry.at("temperature").number(1 / largest_temperature, largest_temperature),
      .selection = read_effect(entry, sample_limit(study.pool)),
      .test = maybe(entry, "test",
                    [&](const Entry& test) { return read_effect(test, test_limit(study)); })};
}

ExitRun read_run(const Entry& entry, const Team& team, const Limit& limit, double full_cost) {
  const auto size = static_cast<double>(team.size());
  ExitRun run{
      .order = read_order(entry.at("order"), team),
      .samples = entry.at("samples").count(limit),
      .expected_models = entry.at("expected_models").number(1, size),
      .expected_cost = entry.at("expected_cost").number(0, full_cost * (1 + read_rounding))};
  if (run.samples == 0) entry.at("samples").refuse_value("samples tell nothing");
  const Entry shares = entry.at("decided_after");
  double models = 0, before = 0;
  for (const Entry share : shares.list_of(run.order.size(), "one a member of the team")) {
    models += 1 - before;
    run.decided_after.push_back(share.number(before, 1));
    before = run.decided_after.back();
  }
  if (before != 1) shares.refuse("does not end with 1");
  if (std::abs(models - run.expected_models) > read_rounding * size) {
    entry.at("expected_models").refuse_value("does not follow from decided_after");
  }
  return run;
}

EarlyExit read_early_exit(const Entry& entry, const Study& study) {
  const Team& team = study.recommended->figures.team;
  EarlyExit exit{
      .cost = maybe(entry, "cost", [](const Entry& cost) { return cost.word(parse_cost); }),
      .full_cost = entry.at("full_cost").not_negative()};
  if (exit.full_cost == 0) entry.at("full_cost").refuse_value("saves nothing");
  exit.bound = maybe(entry, "bound", read_score_bound);
  exit.selection = read_run(entry, team, sample_limit(study.pool), exit.full_cost);
  exit.least_cost = entry.at("least_cost").number(0, exit.selection.expected_cost);
  exit.is_least = entry.at("is_least").truth();
  if (const auto held_out = entry.find("held_out")) {
    const ExitJudge by = held_out->at("by").word(parse_exit_judge);
    const Limit limit = by == ExitJudge::test ? test_limit(study) : sample_limit(study.pool);
    exit.held_out = {.by = by, .run = read_run(*held_out, team, limit, exit.full_cost)};
  }
  return exit;
}

}  // namespace

void read_serving(const Entry& entry, Study& study) {
  // Votes without shares have no temperature, nor the figures that go with one.
  if (entry.find("temperature") || entry.find("log_loss")) {
    study.recommended->serving = read_calibration(entry, study);
  }
  study.recommended->early_exit =
      maybe(entry, "early_exit", [&](const Entry& exit) { return read_early_exit(exit, study); });
}

}  // namespace hqe
