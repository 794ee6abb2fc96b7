// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include "hqe/documents/json_parts.h"
#include "hqe/statistics/intervals.h"

namespace hqe {

namespace {

void write_interval(JsonWriter& json, std::string_view name, const Interval& interval) {
  json.key(name).begin_array().value(interval.low).value(interval.high).end_array();
}

void write_accuracy(JsonWriter& json, std::string_view name, const AccuracyFigures& figures) {
  json.key(name)
      .begin_object()
      .field("correct", figures.correct)
      .field("samples", figures.samples)
      .field("accuracy", figures.accuracy());
  write_interval(json, "interval", figures.interval);
  json.end_object();
}

void write_team(JsonWriter& json, const SideBySide& row) {
  json.line().begin_object().field("name", to_string(row.rule));
  json.field("team", row.team.view());
  write_accuracy(json, "selection", row.selection);
  if (row.held_out) {
    write_accuracy(json, "held_out", *row.held_out);
  } else {
    json.key("held_out").null();
  }
  json.field("optimism", row.optimism()).end_object();
}

void write_paired(JsonWriter& json, std::string_view name, const PairedFigures& figures) {
  json.key(name)
      .begin_object()
      .field("samples", figures.counts.total)
      .field("only_recommended", figures.counts.only_first)
      .field("only_baseline", figures.counts.only_second)
      .field("difference", figures.counts.difference());
  write_interval(json, "interval", figures.interval);
  json.field("p_value", figures.p_value).end_object();
}

void write_comparison(JsonWriter& json, const BaselineComparison& comparison) {
  json.line().begin_object().field("against", to_string(comparison.against));
  json.field("team", comparison.team.view());
  write_paired(json, "selection", comparison.selection);
  write_interval(json, "corrected", comparison.corrected);
  if (comparison.held_out) {
    write_paired(json, "held_out", *comparison.held_out);
  } else {
    json.key("held_out").null();
  }
  if (comparison.merit) {
    json.key("merit")
        .begin_object()
        .field("difference", comparison.merit->difference)
        .field("deviation", comparison.merit->deviation);
    write_interval(json, "interval", comparison.merit->interval);
    json.end_object();
  }
  json.field("verdict", to_string(comparison.verdict))
      .field("samples", comparison.samples)
      .field("samples_needed", comparison.samples_needed)
      .field("says", std::string_view(comparison.says))
      .end_object();
}

void write_chosen(JsonWriter& json, const std::optional<ChosenInterval>& chosen) {
  json.line().key("chosen");
  if (!chosen) {
    json.null();
    return;
  }
  json.begin_object();
  write_interval(json, "interval", chosen->interval);
  json.field("quantile", chosen->quantile)
      .field("among", chosen->among)
      .field("kept", chosen->kept)
      .field("resamples", chosen->resamples)
      .end_object();
}

void write_fold_fields(JsonWriter& json, const FoldFigures& fold) {
  json.begin_object().field("team", fold.team.view());
  write_accuracy(json, "selection", fold.selection);
  write_accuracy(json, "held_out", fold.held_out);
  json.end_object();
}

void write_half(JsonWriter& json, const FoldFigures& half) {
  json.line().key("half");
  write_fold_fields(json, half);
}

void write_folds(JsonWriter& json, const std::vector<FoldFigures>& folds) {
  json.line().key("folds").begin_array();
  for (const FoldFigures& fold : folds) {
    json.line();
    write_fold_fields(json, fold);
  }
  json.end_array();
}

void write_stability(JsonWriter& json, const std::optional<Stability>& stability) {
  json.line().key("stability");
  if (!stability) {
    json.null();
    return;
  }
  json.begin_object()
      .field("resamples", stability->resamples)
      .field("without_team", stability->without_team)
      .field("same_team", stability->same_team);
  json.key("members").begin_array();
  for (const double share : stability->members) json.value(share);
  json.end_array().key("kept").begin_array();
  for (const Stability::Kept& kept : stability->kept) {
    json.begin_object()
        .field("metric", std::string_view(kept.metric))
        .field("jaccard", kept.jaccard)
        .end_object();
  }
  json.end_array().key("teams").begin_array();
  for (const Stability::Frequency& entry : stability->teams) {
    json.begin_object().field("team", entry.team.view()).field("times", entry.times).end_object();
  }
  json.end_array();
  if (!stability->not_measured.empty()) {
    json.field("not_measured", std::string_view(stability->not_measured.text()));
  }
  json.end_object();
}

void write_best(JsonWriter& json, std::string_view name,
                const std::optional<PruningCheck::Best>& best) {
  json.key(name);
  if (!best) {
    json.null();
    return;
  }
  json.begin_object().field("team", best->team.view()).field("correct", best->correct);
  if (best->test_correct) json.field("test_correct", *best->test_correct);
  json.end_object();
}

void write_pruning_check(JsonWriter& json, const PruningCheck& check) {
  json.line().begin_object().field("metric", std::string_view(check.metric));
  if (!check.not_measured.empty()) {
    json.field("not_measured", std::string_view(check.not_measured)).end_object();
    return;
  }
  json.key("tiers").begin_array();
  for (const PruningCheck::Tier& tier : check.tiers) {
    json.begin_object()
        .field("size", tier.size)
        .field("pruned", tier.pruned)
        .field("violated", tier.violated)
        .end_object();
  }
  json.end_array().field("cut", check.cut).field("cut_in_upper_half", check.cut_in_upper_half);
  write_best(json, "best_kept", check.best_kept);
  write_best(json, "best_thrown_away", check.best_thrown_away);
  json.end_object();
}

}  // namespace

void write_trust(JsonWriter& json, const Trust& trust) {
  json.line()
      .key("trust")
      .begin_object()
      .field("held_out", to_string(trust.held_out))
      .field("says", std::string_view(trust.says.text()))
      .field("confidence", confidence_level);
  json.key("teams").begin_array();
  for (const SideBySide& row : trust.teams) write_team(json, row);
  json.end_array().line().key("comparisons").begin_array();
  for (const BaselineComparison& comparison : trust.comparisons) write_comparison(json, comparison);
  json.end_array();
  write_chosen(json, trust.chosen);
  if (trust.half) write_half(json, *trust.half);
  write_folds(json, trust.folds);
  write_stability(json, trust.stability);
  json.line().key("pruning").begin_array();
  for (const PruningCheck& check : trust.pruning) write_pruning_check(json, check);
  json.end_array().end_object();
}

void write_accuracy_intervals(JsonWriter& json,
                              const std::vector<const std::vector<std::uint32_t>*>& columns,
                              std::uint64_t samples) {
  // Columns are long and hold few different counts.
  std::uint32_t most = 0;
  for (const std::vector<std::uint32_t>* column : columns) {
    if (!column->empty()) most = std::max(most, std::ranges::max(*column));
  }
  std::vector<bool> occurs(std::size_t{most} + 1, false);
  for (const std::vector<std::uint32_t>* column : columns) {
    for (const std::uint32_t count : *column) occurs[count] = true;
  }
  json.line().key("accuracy_intervals").begin_array();
  for (std::uint64_t correct = 0; correct < occurs.size(); ++correct) {
    if (!occurs[correct]) continue;
    const Interval interval = wilson_interval(correct, samples);
    json.begin_array().value(correct).value(interval.low).value(interval.high).end_array();
  }
  json.end_array();
}

}  // namespace hqe
