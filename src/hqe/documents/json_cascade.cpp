// SPDX-License-Identifier: MIT
#include "hqe/documents/json.h"
#include "hqe/documents/json_parts.h"
#include "hqe/serving/cascade.h"
#include "hqe/statistics/intervals.h"

namespace hqe {
namespace {

/// `full`: correct answers of the full vote on the same samples.
void write_cascade_run(JsonWriter& json, std::string_view name,
                       const std::optional<CascadeRun>& maybe,
                       const std::optional<CascadeRun>& full) {
  json.key(name);
  if (!maybe) {
    json.null();
    return;
  }
  const CascadeRun& run = *maybe;
  const Interval interval = wilson_interval(run.correct, run.samples);
  const auto samples = static_cast<double>(run.samples);
  const auto correct = static_cast<double>(run.correct);
  json.begin_object()
      .field("samples", run.samples)
      .field("expected_models", run.expected_models)
      .field("expected_cost", run.expected_cost)
      .field("correct", run.correct)
      .field("accuracy", correct / samples)
      .key("interval")
      .begin_object()
      .field("low", interval.low)
      .field("high", interval.high)
      .end_object()
      .field("difference", (correct - static_cast<double>(full->correct)) / samples)
      .field("changed", run.changed)
      .end_object();
}

void write_cascade_row(JsonWriter& json, const CascadeRow& row, const CascadeRow& exact) {
  const StopRule& stop = row.stop;
  const bool agrees = stop.kind == StopKind::agreement;
  const bool is_sure = stop.kind == StopKind::confidence;
  json.line()
      .begin_object()
      .field("rule", to_string(stop.kind))
      .field("agreeing", agrees ? std::optional(stop.agreeing) : std::nullopt)
      .field("confidence", is_sure ? std::optional(stop.confidence) : std::nullopt)
      .field("says", std::string_view(to_string(stop)))
      .field("is_exact", stop.kind == StopKind::exact);
  write_cascade_run(json, "selection", row.selection, exact.selection);
  write_cascade_run(json, "held_out", row.held_out, exact.held_out);
  json.end_object();
}

}  // namespace

void write_json(const Cascading& cascading, const Sink& sink) {
  const CascadeFront& front = cascading.front;
  JsonWriter json(sink);
  write_head(json, "cascade", cascading.pool);
  json.line().key("options").begin_object();
  write_seed(json, cascading.options.seed);
  write_vote_options(json, cascading.options.vote);
  json.end_object()
      .line()
      .field("vote", to_string(cascading.vote))
      .field("team", cascading.figures.team.view())
      .field("correct", cascading.figures.correct)
      .field("is_recommended", cascading.is_recommended);
  json.line().key("order").begin_array();
  for (const ModelId model : front.order) json.value(static_cast<int>(model));
  json.end_array().key("names").begin_array();
  for (const ModelId model : front.order) {
    json.value(std::string_view(cascading.pool.models[model].name));
  }
  json.end_array()
      .field("cost", front.cost ? std::optional(to_string(*front.cost)) : std::nullopt)
      .field("full_cost", front.full_cost)
      .field("judged_by",
             front.judged_by ? std::optional(to_string(*front.judged_by)) : std::nullopt)
      .field("test",
             cascading.test ? std::optional(std::string_view(*cascading.test)) : std::nullopt);
  json.line().key("rows").begin_array();
  for (const CascadeRow& row : front.rows) write_cascade_row(json, row, front.exact());
  json.end_array().line();
  write_texts(json, "warnings", cascading.warnings);
  json.end_object().finish();
}

std::string to_json(const Cascading& cascading) {
  std::string text;
  write_json(cascading, [&text](std::string_view bytes) { text.append(bytes); });
  return text;
}

}  // namespace hqe
