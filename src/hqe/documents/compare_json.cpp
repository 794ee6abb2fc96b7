// SPDX-License-Identifier: MIT
#include "hqe/documents/compare_json.h"

#include "hqe/documents/json_parts.h"

namespace hqe {
namespace {

void write_options(JsonWriter& json, const CompareOptions& options) {
  json.begin_object().field("size", options.size).field("repeats", options.repeats);
  write_seed(json, options.seed);
  json.key("methods").begin_array();
  for (const Method method : options.methods) json.value(to_string(method));
  json.end_array().key("beta").begin_array();
  for (const double beta : options.beta) json.value(beta);
  json.end_array().field("keep", options.keep).field("max_candidates", options.max_candidates);
  write_vote_options(json, options.vote);
  write_budget(json, options.budget);
  json.field("max_evaluate", options.max_evaluate)
      .field("time_limit", options.time_limit)
      .end_object();
}

void write_interval(JsonWriter& json, const Interval& interval) {
  json.key("interval")
      .begin_object()
      .field("low", interval.low)
      .field("high", interval.high)
      .end_object();
}

/// `team`, `weights` and `selection_correct`; null where nothing was chosen.
void write_choice(JsonWriter& json, const Choice& choice) {
  json.key("team");
  choice.team.empty() ? json.null() : json.value(choice.team.view());
  json.key("weights");
  if (choice.weights.empty()) {
    json.null();
  } else {
    json.begin_array();
    for (const double weight : choice.weights) json.value(weight);
    json.end_array();
  }
  const bool is_chosen = choice.not_computed.empty();
  json.field("selection_correct",
             is_chosen ? std::optional(choice.selection_correct) : std::nullopt);
}

void write_method(JsonWriter& json, const Comparison& comparison, const MethodResult& result) {
  const bool is_ranked = result.mean_rank.has_value();
  const auto ranked = [&](double value) { return is_ranked ? std::optional(value) : std::nullopt; };
  const auto samples = static_cast<double>(comparison.test_samples);
  json.line()
      .begin_object()
      .field("method", to_string(result.method))
      .field("title", title_of(result.method));
  write_choice(json, result.chosen);
  json.field("test_correct", ranked(result.test_correct))
      .field("test_accuracy", ranked(result.test_correct / samples));
  if (is_ranked) {
    write_interval(json, result.test_interval);
  } else {
    json.key("interval").null();
  }
  json.field("gain", ranked((result.test_correct - comparison.reference_test_correct) / samples))
      .field("mean_rank", result.mean_rank)
      .field("verdict", result.verdict ? std::optional(to_string(*result.verdict)) : std::nullopt)
      .field("p_value", result.p_value)
      .field("detectable", result.detectable)
      .field("seconds", result.seconds)
      .field("size",
             result.chosen.team.empty() ? std::nullopt : std::optional(result.chosen.team.size()));
  if (result.chosen.team.empty()) {
    json.key("costs").null();
  } else {
    write_costs(json, team_costs(comparison.pool, result.chosen.team.view()));
  }
  write_certificate(json, result.chosen);
  json.field("note", std::string_view(result.note))
      .field("not_computed", std::string_view(result.chosen.not_computed));
  json.key("splits").begin_array();
  for (const Choice& split : result.splits) {
    json.line().begin_object();
    write_choice(json, split);
    json.field("test_correct",
               split.not_computed.empty() ? std::optional(split.test_correct) : std::nullopt)
        .field("rank", split.rank);
    write_certificate(json, split);
    json.end_object();
  }
  json.end_array().end_object();
}

}  // namespace

void write_json(const Comparison& comparison, const Sink& sink) {
  JsonWriter json(sink);
  write_head(json, "compare", comparison.pool);
  json.line().key("options");
  write_options(json, comparison.options);
  json.line()
      .field("vote", to_string(comparison.vote))
      .field("desired_size", comparison.desired_size)
      .field("judged_on", comparison.test ? "test" : "splits")
      .field("split_count", comparison.test ? 1 : comparison.options.repeats)
      .field("selection_samples", comparison.selection_samples)
      .field("test_samples", comparison.test_samples);
  json.line()
      .key("reference")
      .begin_object()
      .field("team", comparison.reference.team.view())
      .field("correct", comparison.reference.correct)
      .field("test_correct", comparison.reference_test_correct)
      .field("test_accuracy",
             comparison.reference_test_correct / static_cast<double>(comparison.test_samples));
  write_interval(json, comparison.reference_interval);
  write_costs(json, team_costs(comparison.pool, comparison.reference.team.view()));
  json.end_object().line().key("methods").begin_array();
  for (const MethodResult& result : comparison.methods) write_method(json, comparison, result);
  json.end_array();
  const auto test = comparison.significance_test();
  json.line().field("significance_test", test ? std::optional(to_string(*test)) : std::nullopt);
  json.line();
  write_texts(json, "warnings", comparison.warnings);
  json.line().key("test");
  if (comparison.test) {
    write_pool(json, *comparison.test);
  } else {
    json.null();
  }
  json.end_object().finish();
}

void write_json(const Front& front, const Sink& sink) {
  JsonWriter json(sink);
  write_head(json, "front", front.pool);
  json.line().key("options").begin_object().field("size", front.options.size);
  write_seed(json, front.options.seed);
  write_vote_options(json, front.options.vote);
  json.end_object().line().field("vote", to_string(front.vote)).key("reference");
  write_figures(json, front.reference.team.view(), front.reference.correct);
  json.line()
      .field("is_exact", front.is_exact)
      .field("team_count", front.team_count)
      .key("fronts")
      .begin_array();
  for (const CostFront& each : front.fronts) {
    json.line().begin_object().field("cost", name_of(each)).key("teams").begin_array();
    for (const FrontPoint& point : each.points) {
      json.line()
          .begin_object()
          .field("team", point.team.view())
          .field("value", point.cost)
          .field("correct", point.correct)
          .end_object();
    }
    json.end_array().end_object();
  }
  json.end_array().line();
  write_texts(json, "warnings", front.warnings);
  json.end_object().finish();
}

std::string to_json(const Comparison& comparison) {
  std::string text;
  write_json(comparison, [&text](std::string_view bytes) { text.append(bytes); });
  return text;
}

std::string to_json(const Front& front) {
  std::string text;
  write_json(front, [&text](std::string_view bytes) { text.append(bytes); });
  return text;
}

}  // namespace hqe
