// SPDX-License-Identifier: MIT
#include "hqe/documents/csv_writer.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <optional>

#include "hqe/documents/compare_json.h"
#include "hqe/documents/csv_rows.h"
#include "hqe/documents/json_parts.h"
#include "hqe/serving/cascade.h"
#include "hqe/serving/early_exit.h"

namespace hqe {

namespace {

void write_rows(CsvWriter& csv, const Selection& selection) {
  const SelectedTeams& selected = selection.selected;
  for (std::size_t i = 0; i < selected.size(); ++i) {
    csv.cell(selection.metric)
        .cell(selected.teams[i])
        .cell(selected.votes.empty() ? std::nullopt : std::optional(selected.votes[i]))
        .cell(selected.scores[i])
        .cell(selected.correct[i])
        .cell(selected.test_correct.empty() ? std::nullopt
                                            : std::optional(selected.test_correct[i]))
        .end_row();
  }
}

}  // namespace

void write_csv(const Study& study, const Sink& sink) {
  CsvWriter csv(sink, {"metric", "team", "votes", "score", "correct", "test_correct"});
  csv.end_row();
  for (const Selection& selection : study.selections) write_rows(csv, selection);
  if (study.consensus) write_rows(csv, study.consensus->selection);
  csv.finish();
}

void write_csv(const Sweep& sweep, const Sink& sink) {
  CsvWriter csv(sink, {"size", "beta", "metric", "selected", "good", "true_positive", "precision",
                       "recall", "base_rate", "correct_min", "correct_max"});
  csv.end_row();
  for (const SweepRow& row : sweep.rows) {
    csv.cell(row.size)
        .cell(row.beta)
        .cell(row.metric)
        .cell(row.quality.selected)
        .cell(row.quality.good)
        .cell(row.quality.true_positive)
        .cell(row.quality.precision)
        .cell(row.quality.recall)
        .cell(row.quality.base_rate)
        .cell(row.quality.correct_min)
        .cell(row.quality.correct_max)
        .end_row();
  }
  csv.finish();
}

void write_csv(const Explanations& explanations, const Sink& sink) {
  CsvWriter csv(sink, {"team", "correct", "metric", "fate", "culprit", "tier", "score", "rank",
                       "candidates", "why"});
  csv.end_row();
  for (const Explanation& explanation : explanations.teams) {
    for (const Explanation::Opinion& opinion : explanation.opinions) {
      csv.cell(explanation.team.view())
          .cell(explanation.correct)
          .cell(opinion.metric)
          .cell(to_string(opinion.fate))
          .cell(opinion.culprit.view());
      if (opinion.culprit.empty()) {
        csv.cell("").cell("").cell("").cell("");
      } else {
        csv.cell(opinion.tier).cell(opinion.score).cell(opinion.rank).cell(opinion.candidates);
      }
      csv.cell(opinion.why).end_row();
    }
  }
  csv.finish();
}

void write_csv(const Scores& scores, const Sink& sink) {
  std::size_t largest = 0;
  for (std::size_t i = 0; i < scores.teams.size(); ++i) {
    largest = std::max(largest, scores.teams[i].size());
  }
  CsvWriter csv(sink, {"team"});
  for (const Scores::Column& column : scores.columns) {
    const std::string name(to_string(column.metric));
    csv.cell(name);
    if (column.focal.empty()) continue;
    for (std::size_t place = 1; place <= largest; ++place) {
      csv.cell(name + " focal " + std::to_string(place));
    }
  }
  csv.end_row();
  std::size_t first = 0;  // of the team's q_f
  for (std::size_t i = 0; i < scores.teams.size(); ++i) {
    const std::size_t size = scores.teams[i].size();
    csv.cell(scores.teams[i]);
    for (const Scores::Column& column : scores.columns) {
      csv.cell(column.scores[i]);
      if (column.focal.empty()) continue;
      for (std::size_t place = 0; place < largest; ++place) {
        csv.cell(place < size ? column.focal[first + place] : std::nan(""));
      }
    }
    csv.end_row();
    first += size;
  }
  csv.finish();
}

void write_csv(const Evaluation& evaluation, const Sink& sink) {
  const auto samples = static_cast<double>(evaluation.pool.sample_count);
  CsvWriter csv(sink, {"team", "correct", "accuracy"});
  csv.end_row();
  for (std::size_t i = 0; i < evaluation.teams.size(); ++i) {
    csv.cell(evaluation.teams[i])
        .cell(evaluation.correct[i])
        .cell(static_cast<double>(evaluation.correct[i]) / samples)
        .end_row();
  }
  csv.finish();
}

void write_csv(const Ordering& ordering, const Sink& sink) {
  CsvWriter csv(sink, {"place", "id", "name", "decided"});
  csv.end_row();
  const ExitRun& run = ordering.exit.selection;
  for (std::size_t k = 0; k < run.order.size(); ++k) {
    csv.cell(static_cast<std::uint64_t>(k + 1))
        .cell(static_cast<std::uint64_t>(run.order[k]))
        .cell(ordering.pool.models[run.order[k]].name)
        .cell(run.decided_after[k])
        .end_row();
  }
  csv.finish();
}

void write_csv(const Cascading& cascading, const Sink& sink) {
  CsvWriter csv(sink, {"rule", "agreeing", "confidence", "expected_models", "expected_cost",
                       "correct", "changed", "samples", "held_out_models", "held_out_cost",
                       "held_out_correct", "held_out_changed", "held_out_samples"});
  csv.end_row();
  const auto add = [&csv](const CascadeRun& run) {
    csv.cell(run.expected_models)
        .cell(run.expected_cost)
        .cell(run.correct)
        .cell(run.changed)
        .cell(run.samples);
  };
  for (const CascadeRow& row : cascading.front.rows) {
    const StopRule& stop = row.stop;
    csv.cell(to_string(stop.kind))
        .cell(stop.kind == StopKind::agreement ? std::optional(stop.agreeing) : std::nullopt)
        .cell(stop.kind == StopKind::confidence ? std::optional(stop.confidence) : std::nullopt);
    add(row.selection);
    if (row.held_out) {
      add(*row.held_out);
    } else {
      csv.cell("").cell("").cell("").cell("").cell("");
    }
    csv.end_row();
  }
  csv.finish();
}

void write_csv(const Inspection& inspection, const Sink& sink) {
  const auto samples = static_cast<double>(inspection.pool.sample_count);
  CsvWriter csv(sink, {"id", "name", "correct", "accuracy", "failures", "abstentions", "notes"});
  csv.end_row();
  for (std::size_t id = 0; id < inspection.pool.models.size(); ++id) {
    const PoolSummary::Member& model = inspection.pool.models[id];
    std::string notes;
    for (const std::string& note : inspection.models[id].notes) {
      if (!notes.empty()) notes += "; ";
      notes += note;
    }
    csv.cell(static_cast<std::uint64_t>(id))
        .cell(model.name)
        .cell(if_labelled(inspection.pool, model.correct))
        .cell(if_labelled(inspection.pool, static_cast<double>(model.correct) / samples))
        .cell(if_labelled(inspection.pool, inspection.pool.sample_count - model.correct))
        .cell(inspection.models[id].abstentions)
        .cell(notes)
        .end_row();
  }
  csv.finish();
}

void write_csv(const Comparison& comparison, const Sink& sink) {
  CsvWriter csv(
      sink, {"method", "team", "selection_correct", "test_correct", "test_samples", "mean_rank",
             "verdict", "p_value", "detectable", "significance_test", "seconds", "not_computed"});
  csv.end_row();
  const auto test = comparison.significance_test();
  for (const MethodResult& result : comparison.methods) {
    const bool is_ranked = result.mean_rank.has_value();
    csv.cell(to_string(result.method))
        .cell(result.chosen.team.view())
        .cell(result.chosen.not_computed.empty() ? std::optional(result.chosen.selection_correct)
                                                 : std::nullopt)
        .cell(is_ranked ? std::optional(result.test_correct) : std::nullopt)
        .cell(comparison.test_samples)
        .cell(result.mean_rank)
        .cell(result.verdict ? to_string(*result.verdict) : "")
        .cell(result.p_value)
        .cell(result.detectable)
        .cell(result.verdict && test ? to_string(*test) : "")
        .cell(result.seconds)
        .cell(result.chosen.not_computed)
        .end_row();
  }
  csv.finish();
}

void write_csv(const Front& front, const Sink& sink) {
  CsvWriter csv(sink, {"cost", "team", "value", "correct"});
  csv.end_row();
  for (const CostFront& each : front.fronts) {
    for (const FrontPoint& point : each.points) {
      csv.cell(name_of(each))
          .cell(point.team.view())
          .cell(point.cost)
          .cell(point.correct)
          .end_row();
    }
  }
  csv.finish();
}

}  // namespace hqe
