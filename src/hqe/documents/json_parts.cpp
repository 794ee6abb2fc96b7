// SPDX-License-Identifier: MIT
#include "hqe/documents/json_parts.h"

#include "hqe/base/version.h"
#include "hqe/base/words.h"

namespace hqe {

namespace {

void write_model_costs(JsonWriter& json, const ModelCosts& costs) {
  json.key("costs").begin_object();
  for (const Cost cost : all_costs) {
    if (costs[cost]) json.field(to_string(cost), *costs[cost]);
  }
  if (costs.lipschitz) json.field("lipschitz", *costs.lipschitz);
  if (costs.lipschitz_radius) json.field("lipschitz_radius", *costs.lipschitz_radius);
  if (costs.lipschitz_estimated) json.field("lipschitz_estimated", true);
  json.end_object();
}

void write_metrics(JsonWriter& json, const std::vector<Metric>& metrics) {
  json.key("metrics").begin_array();
  for (const Metric metric : metrics) json.value(to_string(metric));
  json.end_array();
}

void write_sample(JsonWriter& json, const std::optional<SampleOptions>& sample) {
  json.key("sample");
  if (!sample) {
    json.null();
    return;
  }
  json.begin_object().field("draws", sample->draws).field("repeats", sample->repeats);
  write_seed(json, sample->seed);
  json.end_object();
}

void write_beta(JsonWriter& json, const PruneOptions& options) {
  json.key("beta");
  if (options.beta_auto) {
    json.value("auto");
  } else if (options.beta.size() == 1) {
    json.value(options.beta.front());
  } else {
    json.begin_array();
    for (const double beta : options.beta) json.value(beta);
    json.end_array();
  }
}

}  // namespace

void write_vote_options(JsonWriter& json, const VoteOptions& options) {
  json.key("vote");
  options.vote ? json.value(to_string(*options.vote)) : json.null();
  json.key("vote_weights");
  if (options.weights.empty() && options.weigh_by != WeighBy::accuracy) {
    json.value(to_string(options.weigh_by));
  } else {
    json.begin_array();
    for (const double weight : options.weights) json.value(weight);
    json.end_array();
  }
  json.field("ties", to_string(options.ties));
}

void write_budget(JsonWriter& json, const std::vector<Budget>& budgets) {
  json.key("budget").begin_array();
  for (const Budget& budget : budgets) {
    json.begin_object()
        .field("cost", to_string(budget.cost))
        .field("limit", budget.limit)
        .end_object();
  }
  json.end_array();
}

void write_seed(JsonWriter& json, std::uint64_t seed) {
  json.key("seed");
  seed > largest_json_integer ? json.value(std::to_string(seed)) : json.value(seed);
}

void write_texts(JsonWriter& json, std::string_view name, const std::vector<std::string>& texts) {
  json.key(name).begin_array();
  for (const std::string& text : texts) json.value(std::string_view(text));
  json.end_array();
}

void write_texts(JsonWriter& json, std::string_view name, const std::vector<Message>& messages) {
  std::vector<std::string> texts;
  for (const Message& message : messages) texts.push_back(message.text());
  write_texts(json, name, texts);
}

void begin_model(JsonWriter& json, const PoolSummary& pool, std::size_t id) {
  json.line()
      .begin_object()
      .field("id", static_cast<std::uint64_t>(id))
      .field("name", std::string_view(pool.models[id].name))
      .field("correct", if_labelled(pool, pool.models[id].correct));
}

void write_pool(JsonWriter& json, const PoolSummary& pool) {
  json.begin_object()
      .field("name", std::string_view(pool.name))
      .field("kind", to_string(pool.kind))
      .field("samples", pool.sample_count)
      .field("class_count", pool.class_count);
  json.key("models").begin_array();
  for (std::size_t id = 0; id < pool.models.size(); ++id) {
    begin_model(json, pool, id);
    write_model_costs(json, pool.models[id].costs);
    json.end_object();
  }
  json.end_array().field("kind_detected", pool.kind_detected);
  write_texts(json, "classes", pool.class_names);
  json.field("about", std::string_view(pool.about))
      .field("licence", std::string_view(pool.licence))
      .field("source", std::string_view(pool.source))
      .end_object();
}

void write_head(JsonWriter& json, std::string_view command, const PoolSummary& pool) {
  json.begin_object()
      .field("schema", 1)
      .field("command", command)
      .field("version", version())
      .line()
      .key("pool");
  write_pool(json, pool);
}

void write_options(JsonWriter& json, const PruneOptions& options) {
  json.begin_object().key("size");
  options.size_auto ? json.value("auto") : json.value(options.size);
  write_beta(json, options);
  write_metrics(json, options.metrics);
  json.field("by", to_string(options.by))
      .field("choose", to_string(options.choose))
      .field("prefer", to_string(options.prefer));
  write_vote_options(json, options.vote);
  json.field("weights", to_string(options.weights))
      .field("scale", to_string(options.scale))
      .field("keep", options.keep)
      .field("keep_last_tier", options.keep_last_tier)
      .field("max_candidates", options.max_candidates)
      .field("max_evaluate", options.max_evaluate);
  write_sample(json, options.sample);
  write_texts(json, "require", options.require);
  write_texts(json, "exclude", options.exclude);
  write_budget(json, options.budget);
  json.field("merit", to_string(options.merit))
      .field("holdout", options.holdout)
      .field("folds", options.folds);
  write_seed(json, options.seed);
  json.field("judge_on_half", options.judge_on_half);
  json.field("stability", options.stability).field("margin", options.margin).end_object();
}

void write_options(JsonWriter& json, const ScoreOptions& options) {
  json.begin_object().field("size_min", options.size_min).field("size_max", options.size_max);
  write_metrics(json, options.metrics);
  json.field("focal", options.focal).field("weights", to_string(options.weights));
  write_sample(json, options.sample);
  json.field("max_candidates", options.max_candidates).end_object();
}

void write_options(JsonWriter& json, const EvaluateOptions& options) {
  json.begin_object().field("size_min", options.size_min).field("size_max", options.size_max);
  json.key("teams").begin_array();
  for (const Team& team : options.teams) json.value(team.view());
  json.end_array();
  write_vote_options(json, options.vote);
  json.field("max_candidates", options.max_candidates).end_object();
}

void write_figures(JsonWriter& json, TeamView team, std::uint64_t correct) {
  json.begin_object().field("team", team).field("correct", correct).end_object();
}

void write_quality_fields(JsonWriter& json, const Quality& quality) {
  json.field("selected", quality.selected)
      .field("good", quality.good)
      .field("true_positive", quality.true_positive)
      .field("teams_of_size", quality.teams_of_size)
      .field("precision", quality.precision)
      .field("recall", quality.recall)
      .field("base_rate", quality.base_rate)
      .field("correct_min", quality.correct_min)
      .field("correct_max", quality.correct_max)
      .field("cost_reduction", quality.cost_reduction);
  if (!quality.not_computed.empty()) {
    json.field("not_computed", std::string_view(quality.not_computed));
  }
}

void write_sweep_rows(JsonWriter& json, std::string_view name, const std::vector<SweepRow>& rows) {
  json.line().key(name).begin_array();
  for (const SweepRow& row : rows) {
    json.line()
        .begin_object()
        .field("size", row.size)
        .field("beta", row.beta)
        .field("metric", std::string_view(row.metric))
        .field("selected", row.quality.selected)
        .field("good", row.quality.good)
        .field("true_positive", row.quality.true_positive)
        .field("precision", row.quality.precision)
        .field("recall", row.quality.recall)
        .field("teams_of_size", row.quality.teams_of_size)
        .field("base_rate", row.quality.base_rate)
        .field("correct_min", row.quality.correct_min)
        .field("correct_max", row.quality.correct_max)
        .end_object();
  }
  json.end_array();
}

void write_costs(JsonWriter& json, const TeamCosts& costs) {
  json.key("costs").begin_object();
  for (const Cost cost : all_costs) {
    const auto& known = costs.values[static_cast<std::size_t>(cost)];
    if (!known) continue;
    json.key(to_string(cost))
        .begin_object()
        .field("sum", known->sum)
        .field("reduction", known->reduction);
    if (known->parallel) json.field("parallel", *known->parallel);
    if (known->parallel_reduction) json.field("parallel_reduction", *known->parallel_reduction);
    json.end_object();
  }
  json.end_object();
}

void write_matrix(JsonWriter& json, std::string_view name, std::span<const std::uint64_t> values,
                  std::size_t columns) {
  json.line().key(name);
  write_matrix(json, values, columns);
}

void write_matrix(JsonWriter& json, std::span<const std::uint64_t> values, std::size_t columns) {
  json.begin_array();
  for (std::size_t begin = 0; begin < values.size(); begin += columns) {
    json.line().begin_array();
    for (const std::uint64_t count : values.subspan(begin, columns)) json.value(count);
    json.end_array();
  }
  json.end_array();
}

namespace {

constexpr std::array fate_words{Word{Explanation::Fate::kept, "kept"},
                                Word{Explanation::Fate::pruned, "pruned"},
                                Word{Explanation::Fate::cut, "cut"},
                                Word{Explanation::Fate::not_eligible, "not_eligible"},
                                Word{Explanation::Fate::larger, "larger"},
                                Word{Explanation::Fate::single, "single"}};

}  // namespace

std::string_view to_string(Explanation::Fate fate) { return word_of(fate_words, fate); }

void write_certificate(JsonWriter& json, const Choice& choice) {
  if (!choice.certificate) return;
  json.key("certificate")
      .begin_object()
      .field("upper_bound", choice.certificate->upper_bound)
      .field("is_proven", choice.certificate->is_proven)
      .field("counted", choice.certificate->counted)
      .end_object();
}

}  // namespace hqe
