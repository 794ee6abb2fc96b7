// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "hqe/base/version.h"
#include "hqe/documents/json.h"
#include "hqe/documents/json_parts.h"
#include "hqe/documents/json_serving.h"

namespace hqe {

namespace {

void write_vote_and_reference(JsonWriter& json, Vote vote, const TeamFigures& reference) {
  json.line().field("vote", to_string(vote)).key("reference");
  write_figures(json, reference.team.view(), reference.correct);
}

void write_opinion(JsonWriter& json, const Explanation::Opinion& opinion) {
  json.line()
      .begin_object()
      .field("metric", std::string_view(opinion.metric))
      .field("fate", to_string(opinion.fate))
      .field("culprit", opinion.culprit.view());
  // Where the team was never looked at, a score and a rank would be invented.
  const bool is_scored = !opinion.culprit.empty();
  json.field("tier", is_scored ? std::optional(opinion.tier) : std::nullopt)
      .field("score", is_scored ? std::optional(opinion.score) : std::nullopt)
      .field("rank", is_scored ? std::optional(opinion.rank) : std::nullopt)
      .field("candidates", is_scored ? std::optional(opinion.candidates) : std::nullopt)
      .field("why", std::string_view(opinion.why))
      .end_object();
}

template <typename Document>
std::string collect(const Document& document) {
  std::string text;
  write_json(document, [&text](std::string_view bytes) { text.append(bytes); });
  return text;
}

}  // namespace

void write_json(const Sweep& sweep, const Sink& sink) {
  JsonWriter json(sink);
  write_head(json, "sweep", sweep.pool);
  json.line().key("options");
  write_options(json, sweep.options);
  write_vote_and_reference(json, sweep.vote, sweep.reference);
  write_sweep_rows(json, "rows", sweep.rows);
  json.line();
  write_texts(json, "warnings", sweep.warnings);
  json.end_object().finish();
}

void write_json(const Explanations& explanations, const Sink& sink) {
  JsonWriter json(sink);
  write_head(json, "explain", explanations.pool);
  json.line().key("options");
  write_options(json, explanations.options);
  write_vote_and_reference(json, explanations.vote, explanations.reference);
  json.field("desired_size", explanations.desired_size);
  json.line().key("teams").begin_array();
  for (const Explanation& explanation : explanations.teams) {
    json.line()
        .begin_object()
        .field("team", explanation.team.view())
        .field("correct", explanation.correct)
        .field("why", std::string_view(explanation.why))
        .key("opinions")
        .begin_array();
    for (const Explanation::Opinion& opinion : explanation.opinions) write_opinion(json, opinion);
    json.end_array().end_object();
  }
  json.end_array().line();
  write_texts(json, "warnings", explanations.warnings);
  json.end_object().finish();
}

void write_json(const Scores& scores, const Sink& sink) {
  JsonWriter json(sink);
  write_head(json, "score", scores.pool);
  json.line().key("options");
  write_options(json, scores.options);
  json.line().key("scores").begin_object();
  for (const Scores::Column& column : scores.columns) {
    json.line().key(to_string(column.metric)).begin_array();
    std::size_t place = 0;  // of the next q_f
    for (std::size_t i = 0; i < scores.teams.size(); ++i) {
      const TeamView team = scores.teams[i];
      json.line().begin_object().field("team", team).field("score", column.scores[i]);
      if (!column.focal.empty()) {
        json.key("focal").begin_object();
        for (const ModelId focal : team) {
          const double correlation = column.focal[place++];
          if (!std::isnan(correlation)) json.field(std::to_string(focal), correlation);
        }
        json.end_object();
      }
      json.end_object();
    }
    json.end_array();
  }
  json.end_object().line();
  write_texts(json, "warnings", scores.warnings);
  json.end_object().finish();
}

void write_json(const Evaluation& evaluation, const Sink& sink) {
  JsonWriter json(sink);
  write_head(json, "evaluate", evaluation.pool);
  json.line().key("options");
  write_options(json, evaluation.options);
  json.line().field("vote", to_string(evaluation.vote));
  json.line().key("teams").begin_array();
  for (std::size_t i = 0; i < evaluation.teams.size(); ++i) {
    json.line();
    write_figures(json, evaluation.teams[i], evaluation.correct[i]);
  }
  json.end_array().line();
  write_texts(json, "warnings", evaluation.warnings);
  json.end_object().finish();
}

void write_json(const Inspection& inspection, const Sink& sink) {
  const PoolSummary& pool = inspection.pool;
  const auto samples = static_cast<double>(std::max<std::uint64_t>(pool.sample_count, 1));
  JsonWriter json(sink);
  write_head(json, "inspect", pool);
  json.line().key("models").begin_array();
  for (std::size_t id = 0; id < pool.models.size(); ++id) {
    const std::uint64_t correct = pool.models[id].correct;
    begin_model(json, pool, id);
    json.field("accuracy", if_labelled(pool, static_cast<double>(correct) / samples))
        .field("failures", if_labelled(pool, pool.sample_count - correct))
        .field("abstentions", inspection.models[id].abstentions);
    write_texts(json, "notes", inspection.models[id].notes);
    json.end_object();
  }
  json.end_array()
      .line()
      .key("accuracy")
      .begin_object()
      .field("min", if_labelled(pool, static_cast<double>(inspection.correct_min) / samples))
      .field("mean", if_labelled(pool, inspection.accuracy_mean))
      .field("max", if_labelled(pool, static_cast<double>(inspection.correct_max) / samples))
      .end_object()
      .line();
  write_texts(json, "warnings", inspection.warnings);
  write_matrix(json, "co_failures", inspection.co_failures, pool.models.size());
  json.end_object().finish();
}

void write_json(const Ordering& ordering, const Sink& sink) {
  JsonWriter json(sink);
  write_head(json, "order", ordering.pool);
  json.line()
      .field("vote", to_string(ordering.vote))
      .field("team", ordering.figures.team.view())
      .field("correct", if_labelled(ordering.pool, ordering.figures.correct));
  json.line();
  write_early_exit(json, ordering.exit, ordering.pool);
  write_texts(json, "warnings", ordering.warnings);
  json.end_object().finish();
}

void write_json(const DigestSummary& summary, const Sink& sink) {
  JsonWriter json(sink);
  json.begin_object()
      .field("schema", 1)
      .field("command", "digest")
      .field("version", version())
      .field("file", std::string_view(summary.file))
      .field("pool", std::string_view(summary.pool))
      .field("kind", to_string(summary.kind))
      .field("first_row", summary.first_row)
      .field("samples", summary.rows.end - summary.rows.begin)
      .field("models", summary.model_count)
      .field("class_count", summary.class_count)
      .field("contested", summary.contested)
      .field("prediction_bytes", summary.prediction_bytes)
      .field("bytes", summary.bytes);
  write_texts(json, "warnings", summary.warnings);
  json.end_object().finish();
}

std::string to_json(const Study& study, JsonDetail detail) {
  std::string text;
  write_json(study, [&text](std::string_view bytes) { text.append(bytes); }, detail);
  return text;
}
std::string to_json(const Sweep& sweep) { return collect(sweep); }
std::string to_json(const Explanations& explanations) { return collect(explanations); }
std::string to_json(const Scores& scores) { return collect(scores); }
std::string to_json(const Evaluation& evaluation) { return collect(evaluation); }
std::string to_json(const Inspection& inspection) { return collect(inspection); }
std::string to_json(const Ordering& ordering) { return collect(ordering); }
std::string to_json(const DigestSummary& summary) { return collect(summary); }

}  // namespace hqe
