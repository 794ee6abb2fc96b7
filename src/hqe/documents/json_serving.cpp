// SPDX-License-Identifier: MIT
#include "hqe/documents/json_serving.h"

#include <string_view>

#include "hqe/calibration/serving.h"

namespace hqe {

namespace {

void write_pair(JsonWriter& json, std::string_view name, const CalibrationEffect& effect,
                double CalibrationFigures::* figure) {
  json.key(name)
      .begin_object()
      .field("before", effect.before.*figure)
      .field("after", effect.after.*figure)
      .end_object();
}

void write_bin(JsonWriter& json, std::string_view name, const ReliabilityBin& bin) {
  json.key(name)
      .begin_object()
      .field("count", bin.count)
      .field("correct", bin.correct)
      .field("confidence", bin.confidence)
      .field("accuracy", bin.accuracy())
      .end_object();
}

void write_effect_fields(JsonWriter& json, const CalibrationEffect& effect) {
  json.field("samples", effect.samples);
  write_pair(json, "log_loss", effect, &CalibrationFigures::log_loss);
  write_pair(json, "brier", effect, &CalibrationFigures::brier);
  write_pair(json, "calibration_error", effect, &CalibrationFigures::calibration_error);
  json.key("reliability").begin_array();
  for (std::size_t b = 0; b < effect.before.bins.size(); ++b) {
    json.begin_object();
    write_bin(json, "before", effect.before.bins[b]);
    write_bin(json, "after", effect.after.bins[b]);
    json.end_object();
  }
  json.end_array();
}

void write_calibration(JsonWriter& json, const Serving& serving) {
  write_effect_fields(json, serving.selection);
  json.key("test");
  if (serving.test) {
    json.begin_object();
    write_effect_fields(json, *serving.test);
    json.end_object();
  } else {
    json.null();
  }
}

void write_run(JsonWriter& json, const ExitRun& run) {
  json.field("samples", run.samples)
      .field("expected_models", run.expected_models)
      .field("expected_cost", run.expected_cost)
      .key("decided_after")
      .begin_array();
  for (const double share : run.decided_after) json.value(share);
  json.end_array();
}

void write_order(JsonWriter& json, const ExitRun& run) {
  json.key("order").begin_array();
  for (const ModelId model : run.order) json.value(static_cast<int>(model));
  json.end_array();
}

}  // namespace

void write_early_exit(JsonWriter& json, const EarlyExit& exit, const PoolSummary& pool) {
  json.key("early_exit").begin_object();
  write_order(json, exit.selection);
  json.key("names").begin_array();
  for (const ModelId model : exit.selection.order) {
    json.value(std::string_view(pool.models[model].name));
  }
  json.end_array().key("cost");
  exit.cost ? json.value(to_string(*exit.cost)) : json.null();
  json.field("full_cost", exit.full_cost).field("bound", exit.bound);
  write_run(json, exit.selection);
  json.field("least_cost", exit.least_cost).field("is_least", exit.is_least).key("held_out");
  if (exit.held_out) {
    json.begin_object().field("by", to_string(exit.held_out->by));
    write_order(json, exit.held_out->run);
    write_run(json, exit.held_out->run);
    json.end_object();
  } else {
    json.null();
  }
  json.end_object();
}

void write_serving(JsonWriter& json, const Recommendation& recommended, const PoolSummary& pool) {
  json.line().key("serving");
  if (!recommended.serving && !recommended.early_exit) {
    json.null();
    return;
  }
  json.begin_object().key("temperature");
  if (recommended.serving) {
    json.value(recommended.serving->temperature);
    write_calibration(json, *recommended.serving);
  } else {
    json.null();
  }
  if (recommended.early_exit) {
    write_early_exit(json, *recommended.early_exit, pool);
  } else {
    json.key("early_exit").null();
  }
  json.end_object();
}

}  // namespace hqe
