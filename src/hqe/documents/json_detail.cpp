// SPDX-License-Identifier: MIT
#include <algorithm>

#include "hqe/documents/json_packed.h"
#include "hqe/documents/json_parts.h"

namespace hqe {

namespace {

template <typename T>
void write_column(JsonWriter& json, std::string_view name, const std::vector<T>& values) {
  json.line().key(name).begin_array();
  for (const T value : values) json.value(value);
  json.end_array();
}

void write_fates(JsonWriter& json, const std::vector<StudyDetail::Fate>& fates) {
  std::string letters;
  for (const StudyDetail::Fate fate : fates) {
    letters.push_back(fate == StudyDetail::Fate::kept ? 'k' : 'p');
  }
  json.line().field("fate", std::string_view(letters));
}

/// Columns, not rows: a report may hold a million teams, and names of keys would be most of it.
void write_scored(JsonWriter& json, const std::vector<StudyDetail::ScoredTeams>& scored,
                  ScoredForm form) {
  json.line().key("scored").begin_array();
  for (auto metric = scored.begin(); metric != scored.end(); ++metric) {
    json.line().begin_object().field("metric", std::string_view(metric->metric));
    const auto same = std::find_if(scored.begin(), metric, [&](const auto& earlier) {
      return has_columns_of(*metric, earlier);
    });
    const bool shares = form == ScoredForm::shared && same != metric;
    if (shares) {
      json.field("teams_of", std::string_view(same->metric));
    } else {
      json.line().key("teams").begin_array();
      for (std::size_t i = 0; i < metric->teams.size(); ++i) json.value(metric->teams[i]);
      json.end_array();
    }
    write_column(json, "score", metric->scores);
    if (!metric->fates.empty()) write_fates(json, metric->fates);
    if (!shares && !metric->correct.empty()) write_column(json, "correct", metric->correct);
    if (!shares && !metric->test_correct.empty()) {
      write_column(json, "test_correct", metric->test_correct);
    }
    json.end_object();
  }
  json.end_array();
}

/// `teams_of`: the metric whose scored teams they are, empty where it is `metric` itself.
void write_correlations(JsonWriter& json, const std::vector<Correlation>& correlations,
                        std::string_view metric, std::string_view teams_of) {
  for (const Correlation& correlation : correlations) {
    json.line()
        .begin_object()
        .field("metric", metric)
        .field("size", correlation.size)
        .field("teams", correlation.teams)
        .field("spearman", correlation.spearman)
        .field("kendall", correlation.kendall);
    if (!teams_of.empty()) json.field("teams_of", teams_of);
    json.end_object();
  }
}

void write_correlations(JsonWriter& json, const Study& study) {
  json.line().key("correlations").begin_array();
  for (const Selection& selection : study.selections) {
    write_correlations(json, selection.correlations, selection.metric, "");
    if (selection.baseline_correlations.empty()) continue;
    const auto metric = parse_metric(selection.metric);
    write_correlations(json, selection.baseline_correlations,
                       metric ? to_string(baseline_of(*metric)) : "", selection.metric);
  }
  if (study.consensus) {
    const Selection& selection = study.consensus->selection;
    write_correlations(json, selection.correlations, selection.metric, "");
  }
  json.end_array();
}

void write_deciding_sample(JsonWriter& json, const StudyDetail::DecidingSample& sample) {
  json.line()
      .begin_object()
      .field("sample", sample.sample)
      .field("truth", sample.truth)
      .field("answer", sample.answer)
      .field("repaired", sample.repaired);
  json.key("members").begin_array();
  for (const StudyDetail::DecidingSample::Opinion& opinion : sample.members) {
    json.begin_object().field("model", std::uint64_t{opinion.model}).key("classes").begin_array();
    for (const std::int32_t label : opinion.classes) json.value(label);
    json.end_array().key("confidences").begin_array();
    for (const double confidence : opinion.confidences) json.value(confidence);
    json.end_array().end_object();
  }
  json.end_array().end_object();
}

void write_deciding_samples(JsonWriter& json, const Study& study) {
  json.line().key("deciding_samples").begin_object();
  if (study.recommended) json.field("team", study.recommended->figures.team.view());
  json.field("repaired", study.detail->repaired_count)
      .field("broken", study.detail->broken_count)
      .key("samples")
      .begin_array();
  for (const auto& sample : study.detail->deciding_samples) write_deciding_sample(json, sample);
  json.end_array().end_object();
}

void write_focal_co_failures(JsonWriter& json, std::span<const std::uint64_t> values,
                             std::size_t models) {
  json.line().key("focal_co_failures").begin_array();
  const std::size_t square = models * models;
  for (std::size_t begin = 0; begin < values.size(); begin += square) {
    write_matrix(json, values.subspan(begin, square), models);
  }
  json.end_array();
}

}  // namespace

void write_detail(JsonWriter& json, const Study& study, ScoredForm form) {
  const StudyDetail& detail = *study.detail;
  const std::size_t models = study.pool.models.size();
  if (form == ScoredForm::packed || form == ScoredForm::big) {
    write_packed_scored(json, detail, form);
  } else {
    write_scored(json, detail.scored, form);
  }
  write_matrix(json, "co_failures", detail.co_failures, models);
  write_focal_co_failures(json, detail.focal_co_failures, models);
  write_correlations(json, study);
  write_deciding_samples(json, study);
  write_sweep_rows(json, "sweep", detail.sweep);
}

}  // namespace hqe
