// SPDX-License-Identifier: MIT
#include "hqe/documents/json_serving.h"

#include <string_view>

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

}  // namespace

void write_serving(JsonWriter& json, const std::optional<Serving>& serving) {
  json.line().key("serving");
  if (!serving) {
    json.null();
    return;
  }
  json.begin_object().field("temperature", serving->temperature);
  write_effect_fields(json, serving->selection);
  json.key("test");
  if (serving->test) {
    json.begin_object();
    write_effect_fields(json, *serving->test);
    json.end_object();
  } else {
    json.null();
  }
  json.key("early_exit").null().end_object();
}

}  // namespace hqe
