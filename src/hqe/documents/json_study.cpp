// SPDX-License-Identifier: MIT
#include <algorithm>
#include <functional>
#include <limits>

#include "hqe/documents/json.h"
#include "hqe/documents/json_packed.h"
#include "hqe/documents/json_parts.h"
#include "hqe/documents/json_serving.h"

namespace hqe {

namespace {

/// Which of its two counts a study is asked for.
enum class On { selection_pool, test_pool };

/// How much of each selected team is written.
struct Listing {
  std::size_t teams = std::numeric_limits<std::size_t>::max();
  bool costs = true;  ///< The page sums its models' costs.
};

bool has_costs(const PoolSummary& pool) {
  return std::ranges::any_of(pool.models, [](const PoolSummary::Member& model) {
    return std::ranges::any_of(model.costs.values, [](const auto& cost) { return bool(cost); });
  });
}

void write_tiers(JsonWriter& json, const std::vector<TierSummary>& tiers) {
  json.key("tiers").begin_array();
  for (const TierSummary& tier : tiers) {
    json.begin_object()
        .field("size", tier.size)
        .field("candidates", tier.candidates)
        .field("pruned", tier.pruned)
        .field("cut", tier.cut)
        .field("beta", tier.beta)
        .end_object();
  }
  json.end_array();
}

void write_selected(JsonWriter& json, const PoolSummary& pool, const SelectedTeams& selected,
                    const Listing& listing) {
  const bool with_costs = listing.costs && has_costs(pool);
  json.key("teams").begin_array();
  for (std::size_t i = 0; i < std::min(listing.teams, selected.size()); ++i) {
    json.line().begin_object().field("team", selected.teams[i]);
    if (!selected.votes.empty()) json.field("votes", selected.votes[i]);
    json.field("score", selected.scores[i]).field("correct", selected.correct[i]);
    if (!selected.merit.empty()) json.field("merit", selected.merit[i]);
    if (listing.costs) {
      write_costs(json, with_costs ? team_costs(pool, selected.teams[i]) : TeamCosts{});
    }
    json.end_object();
  }
  json.end_array();
}

void write_selection_fields(JsonWriter& json, const PoolSummary& pool, const Selection& selection,
                            const Listing& listing) {
  json.field("metric", std::string_view(selection.metric));
  if (selection.threshold) {
    json.field("threshold", *selection.threshold);
  } else {
    write_tiers(json, selection.tiers);
  }
  write_selected(json, pool, selection.selected, listing);
  write_quality_fields(json, selection.quality);
}

void write_test_selection_fields(JsonWriter& json, const Selection& selection,
                                 const Listing& listing) {
  json.field("metric", std::string_view(selection.metric));
  json.key("teams").begin_array();
  for (std::size_t i = 0; i < std::min(listing.teams, selection.selected.test_correct.size());
       ++i) {
    json.line().begin_object().field("team", selection.selected.teams[i]);
    json.field("correct", selection.selected.test_correct[i]);
    if (!selection.selected.test_merit.empty()) {
      json.field("merit", selection.selected.test_merit[i]);
    }
    json.end_object();
  }
  json.end_array();
  if (selection.test_quality) write_quality_fields(json, *selection.test_quality);
}

void write_figures(JsonWriter& json, const TeamFigures& figures, On on) {
  json.begin_object().field("team", figures.team.view()).key("correct");
  on == On::selection_pool ? json.value(figures.correct) : json.value(figures.test_correct);
  if (const auto merit = on == On::selection_pool ? figures.merit : figures.test_merit) {
    json.field("merit", *merit);
  }
  json.end_object();
}

void write_baselines(JsonWriter& json, const Baselines& baselines, On on) {
  json.line().key("baselines").begin_object().key("best_single");
  write_figures(json, baselines.best_single, on);
  json.key("most_accurate");
  write_figures(json, baselines.most_accurate, on);
  json.key("best_of_size");
  if (baselines.best_of_size) {
    write_figures(json, *baselines.best_of_size, on);
  } else {
    json.null();
  }
  if (on == On::selection_pool && !baselines.best_of_size_not_computed.empty()) {
    json.field("best_of_size_not_computed", std::string_view(baselines.best_of_size_not_computed));
  }
  json.end_object();
}

void write_errors(JsonWriter& json, const TeamErrors& errors) {
  json.key("errors")
      .begin_object()
      .field("error_correlation", errors.error_correlation)
      .field("posterior_error_correlation", errors.posterior_error_correlation)
      .field("added_error_ratio", errors.added_error_ratio)
      .end_object();
}

void write_robustness(JsonWriter& json, const Robustness& robustness) {
  json.key("robustness").begin_object().field("median_radius", robustness.median_radius);
  json.key("certified").begin_array();
  for (const Robustness::Certified& certified : robustness.certified) {
    json.begin_object()
        .field("radius", certified.radius)
        .field("share", certified.share)
        .end_object();
  }
  json.end_array();
  if (robustness.estimated) json.field("estimated", true);
  json.end_object();
}

void write_names(JsonWriter& json, const PoolSummary& pool, const Team& team) {
  json.key("names").begin_array();
  for (const ModelId model : team) json.value(std::string_view(pool.models[model].name));
  json.end_array();
}

/// One a member where the vote is weighted.
void write_weights(JsonWriter& json, const Study& study) {
  json.key("weights");
  if (study.weights.empty()) {
    json.null();
    return;
  }
  json.begin_array();
  for (const ModelId model : study.recommended->figures.team) json.value(study.weights[model]);
  json.end_array();
}

void write_verdicts(JsonWriter& json, const Trust& trust) {
  json.key("verdicts").begin_array();
  for (const BaselineComparison& comparison : trust.comparisons) {
    json.begin_object()
        .field("against", to_string(comparison.against))
        .field("verdict", to_string(comparison.verdict))
        .field("difference", comparison.difference())
        .end_object();
  }
  json.end_array();
}

void write_alternatives(JsonWriter& json, const Study& study) {
  json.line().key("alternatives").begin_array();
  for (const Alternative& alternative : study.recommended->alternatives) {
    json.begin_object()
        .field("role", to_string(alternative.role))
        .field("team", alternative.figures.team.view());
    write_names(json, study.pool, alternative.figures.team);
    json.field("correct", alternative.figures.correct);
    if (alternative.figures.test_correct) {
      json.field("test_correct", *alternative.figures.test_correct);
    }
    if (alternative.figures.merit) json.field("merit", *alternative.figures.merit);
    json.field("rule", std::string_view(alternative.rule))
        .field("expected", alternative.expected)
        .field("says", std::string_view(alternative.says));
    write_costs(json, team_costs(study.pool, alternative.figures.team.view()));
    json.end_object();
  }
  json.end_array();
}

void write_evidence(JsonWriter& json, const std::vector<CandidateFigures>& evidence) {
  json.line().key("evidence").begin_array();
  for (const CandidateFigures& candidate : evidence) {
    json.line()
        .begin_object()
        .field("rule", std::string_view(candidate.rule))
        .field("team", candidate.team.view())
        .field("worth", candidate.worth)
        .field("expected", candidate.expected)
        .field("ahead", candidate.ahead)
        .field("standard_error", candidate.standard_error)
        .end_object();
  }
  json.end_array();
}

void write_recommended(JsonWriter& json, const Study& study) {
  json.line().key("recommended");
  if (!study.recommended) {
    json.null();
    return;
  }
  const Recommendation& recommended = *study.recommended;
  json.begin_object()
      .field("team", recommended.figures.team.view())
      .field("correct", recommended.figures.correct);
  if (recommended.figures.merit) json.field("merit", *recommended.figures.merit);
  json.field("why", std::string_view(recommended.why))
      .field("from", std::string_view(recommended.from));
  write_names(json, study.pool, recommended.figures.team);
  json.field("decision", to_string(shape_of(recommended.figures.team,
                                            static_cast<int>(study.pool.models.size()))))
      .field("vote", to_string(study.vote));
  write_weights(json, study);
  write_verdicts(json, study.trust);
  write_alternatives(json, study);
  write_costs(json, team_costs(study.pool, recommended.figures.team.view()));
  if (study.recommended_errors) write_errors(json, *study.recommended_errors);
  if (study.recommended_robustness) write_robustness(json, *study.recommended_robustness);
  write_serving(json, recommended, study.pool);
  json.end_object();
}

/// The correct counts of all selected teams.
std::vector<const std::vector<std::uint32_t>*> counts_of(const Study& study, On on) {
  std::vector<const std::vector<std::uint32_t>*> columns;
  const auto add = [&](const SelectedTeams& selected) {
    columns.push_back(on == On::selection_pool ? &selected.correct : &selected.test_correct);
  };
  for (const Selection& selection : study.selections) add(selection.selected);
  if (study.consensus) add(study.consensus->selection.selected);
  return columns;
}

void write_test(JsonWriter& json, const Study& study, const Listing& listing) {
  json.line().key("test").begin_object().key("pool");
  write_pool(json, study.test->pool);
  json.key("reference");
  TeamFigures reference = study.reference;
  reference.test_correct = study.test->reference_correct;
  write_figures(json, reference, On::test_pool);
  json.line().key("selections").begin_array();
  for (const Selection& selection : study.selections) {
    json.line().begin_object();
    write_test_selection_fields(json, selection, listing);
    json.end_object();
  }
  json.end_array().line().key("consensus");
  if (study.consensus) {
    json.begin_object();
    write_test_selection_fields(json, study.consensus->selection, listing);
    json.end_object();
  } else {
    json.null();
  }
  write_baselines(json, study.baselines, On::test_pool);
  json.line().key("recommended");
  if (study.recommended) {
    write_figures(json, study.recommended->figures, On::test_pool);
  } else {
    json.null();
  }
  write_accuracy_intervals(json, counts_of(study, On::test_pool), study.test->pool.sample_count);
  json.end_object();
}

void write_consensus(JsonWriter& json, const Study& study, const Listing& listing) {
  json.line().key("consensus");
  if (!study.consensus) {
    json.null();
    return;
  }
  json.begin_object();
  write_selection_fields(json, study.pool, study.consensus->selection, listing);
  json.field("metrics", study.consensus->metrics)
      .field("distinct_metrics", study.consensus->distinct_metrics)
      .end_object();
}

}  // namespace

void write_json(const Study& study, const Sink& sink, JsonDetail detail) {
  const bool page = detail == JsonDetail::for_page;
  const ScoredForm form = page && study.detail ? page_form(*study.detail) : ScoredForm::whole;
  Listing listing;
  listing.costs = !page;
  if (form == ScoredForm::packed || form == ScoredForm::big) listing.teams = packed_selected;
  if (detail == JsonDetail::summary) listing.teams = 0;
  JsonWriter json(sink);
  write_head(json, "prune", study.pool);
  json.line().key("options");
  write_options(json, study.options);
  json.line().field("vote", to_string(study.vote)).key("reference");
  write_figures(json, study.reference, On::selection_pool);
  json.line().key("selections").begin_array();
  for (const Selection& selection : study.selections) {
    json.line().begin_object();
    write_selection_fields(json, study.pool, selection, listing);
    json.end_object();
  }
  json.end_array();
  write_consensus(json, study, listing);
  write_baselines(json, study.baselines, On::selection_pool);
  write_evidence(json, study.evidence);
  write_recommended(json, study);
  json.line();
  write_texts(json, "warnings", study.warnings);
  if (study.test) write_test(json, study, listing);
  write_trust(json, study.trust);
  write_accuracy_intervals(json, counts_of(study, On::selection_pool), study.pool.sample_count);
  json.line().field("desired_size", study.desired_size).key("metrics").begin_array();
  for (const Metric metric : study.metrics) json.value(to_string(metric));
  json.end_array();
  const bool with_detail = page || detail == JsonDetail::included;
  if (study.detail && with_detail) write_detail(json, study, form);
  json.end_object().finish();
}

}  // namespace hqe
