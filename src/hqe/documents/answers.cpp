// SPDX-License-Identifier: MIT
#include "hqe/documents/answers.h"

#include <cmath>
#include <utility>

#include "hqe/documents/csv_rows.h"
#include "hqe/documents/json_parts.h"
#include "hqe/statistics/intervals.h"

namespace hqe {
namespace {

void write_begin(JsonWriter& json, const Combined& known) {
  write_head(json, "apply", known.pool);
  json.line()
      .field("vote", to_string(known.vote))
      .field("team", known.figures.team.view())
      .key("names")
      .begin_array();
  for (const ModelId model : known.figures.team) {
    json.value(std::string_view(known.pool.models[model].name));
  }
  json.end_array().field("temperature", known.temperature);
}

void write_judgement(JsonWriter& json, const Combined& combined) {
  const PoolSummary& pool = combined.pool;
  const std::uint64_t correct = combined.figures.correct;
  const double share = static_cast<double>(correct) / static_cast<double>(pool.sample_count);
  json.field("correct", if_labelled(pool, correct))
      .field("answers", combined.answers)
      .field("accuracy", if_labelled(pool, share))
      .key("interval");
  if (pool.has_labels) {
    const Interval interval = wilson_interval(correct, pool.sample_count);
    json.begin_array().value(interval.low).value(interval.high).end_array();
  } else {
    json.null();
  }
  if (combined.expected) {
    write_expected(json, *combined.expected);
  } else {
    json.key("expected").null();
  }
  write_texts(json, "warnings", combined.warnings);
}

/// One row, as both kinds of files have it.
struct AnswerRow {
  std::optional<std::int32_t> label;
  std::optional<double> probability, margin;
  std::int32_t agree = 0;
  std::optional<bool> correct;
};

AnswerRow row_at(const AnswerBlock& block, std::size_t i) {
  AnswerRow row{
      .label = {}, .probability = {}, .margin = {}, .agree = block.agreeing[i], .correct = {}};
  if (block.labels[i] >= 0) {
    row.label = block.labels[i];
    row.margin = block.margins[i];
    if (!block.probabilities.empty()) row.probability = block.probabilities[i];
  }
  if (!block.truth.empty()) row.correct = block.labels[i] == block.truth[i];
  return row;
}

class JsonAnswers : public AnswerConsumer {
 public:
  explicit JsonAnswers(Sink sink) : json_(std::move(sink)) {}

  void start(const Combined& known) override {
    classes_ = known.pool.class_names;
    write_begin(json_, known);
    json_.line().key("rows").begin_array();
  }

  void take(const AnswerBlock& block) override {
    for (std::size_t i = 0; i < block.labels.size(); ++i) {
      const AnswerRow row = row_at(block, i);
      json_.line().begin_object().key("label");
      if (row.label && !classes_.empty()) {
        json_.value(std::string_view(classes_[static_cast<std::size_t>(*row.label)]));
      } else {
        json_.value(row.label);
      }
      json_.field("probability", row.probability)
          .field("margin", row.margin)
          .field("agree", row.agree)
          .field("correct", row.correct)
          .end_object();
    }
  }

  void finish(const Combined& combined) override {
    json_.end_array().line();
    write_judgement(json_, combined);
    json_.end_object().finish();
  }

 private:
  JsonWriter json_;
  std::vector<std::string> classes_;
};

class CsvAnswers : public AnswerConsumer {
 public:
  explicit CsvAnswers(const Sink& sink)
      : csv_(sink, {"sample", "label", "probability", "margin", "agree", "correct"}) {
    csv_.end_row();
  }

  void start(const Combined& known) override { classes_ = known.pool.class_names; }

  void take(const AnswerBlock& block) override {
    for (std::size_t i = 0; i < block.labels.size(); ++i) {
      const AnswerRow row = row_at(block, i);
      csv_.cell(block.first + i);
      if (row.label && !classes_.empty()) {
        csv_.cell(classes_[static_cast<std::size_t>(*row.label)]);
      } else {
        csv_.cell(row.label);
      }
      csv_.cell(row.probability).cell(row.margin).cell(row.agree);
      csv_.cell(row.correct ? std::optional<int>(*row.correct ? 1 : 0) : std::nullopt).end_row();
    }
  }

  void finish(const Combined&) override { csv_.finish(); }

 private:
  CsvWriter csv_;
  std::vector<std::string> classes_;
};

}  // namespace

void write_json(const Combined& combined, const Sink& sink) {
  JsonWriter json(sink);
  write_begin(json, combined);
  write_judgement(json, combined);
  json.end_object().finish();
}

std::string to_json(const Combined& combined) {
  std::string text;
  write_json(combined, [&text](std::string_view bytes) { text.append(bytes); });
  return text;
}

std::unique_ptr<AnswerConsumer> answers_as_json(Sink sink) {
  return std::make_unique<JsonAnswers>(std::move(sink));
}

std::unique_ptr<AnswerConsumer> answers_as_csv(const Sink& sink) {
  return std::make_unique<CsvAnswers>(sink);
}

}  // namespace hqe
