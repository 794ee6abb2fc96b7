// SPDX-License-Identifier: MIT
#include "hqe/io/json_read_parts.h"

namespace hqe {

namespace {

std::uint64_t read_seed(const Json& seed) {
  return seed.is_string() ? std::stoull(seed.get<std::string>()) : seed.get<std::uint64_t>();
}

SampleOptions read_sample(const Json& json) {
  return {
      .draws = json.at("draws"), .repeats = json.at("repeats"), .seed = read_seed(json.at("seed"))};
}

void read_size_and_beta(const Json& json, PruneOptions& options) {
  const Json& size = json.at("size");
  options.size_auto = size.is_string();
  if (size.is_number()) options.size = size.get<int>();
  const Json& beta = json.at("beta");
  options.beta_auto = beta.is_string();
  if (beta.is_number()) options.beta = {beta.get<double>()};
  if (beta.is_array()) options.beta = beta.get<std::vector<double>>();
}

}  // namespace

std::vector<Metric> read_metrics(const Json& json) {
  std::vector<Metric> metrics;
  for (const Json& name : json) {
    const auto metric = parse_metric(name.get<std::string>());
    if (!metric) throw NotAStudy{"unknown metric " + name.dump()};
    metrics.push_back(*metric);
  }
  return metrics;
}

PoolSummary read_pool(const Json& json) {
  PoolSummary pool;
  pool.name = json.at("name");
  pool.kind = word(json, "kind", parse_kind);
  pool.sample_count = json.at("samples");
  pool.class_count = json.at("class_count");
  for (const Json& entry : json.at("models")) {
    PoolSummary::Member& model = pool.models.emplace_back();
    model.name = entry.at("name");
    model.correct = entry.at("correct");
    const auto costs = entry.find("costs");
    if (costs == entry.end()) continue;
    for (const Cost cost : all_costs) {
      model.costs[cost] = maybe<double>(*costs, std::string(to_string(cost)).c_str());
    }
    model.costs.lipschitz = maybe<double>(*costs, "lipschitz");
  }
  if (pool.models.size() > static_cast<std::size_t>(max_model_count)) {
    throw NotAStudy{"more than " + std::to_string(max_model_count) + " models"};
  }
  pool.kind_detected = value_or(json, "kind_detected", false);
  pool.class_names = value_or(json, "classes", std::vector<std::string>{});
  pool.about = value_or(json, "about", std::string());
  pool.licence = value_or(json, "licence", std::string());
  pool.source = value_or(json, "source", std::string());
  return pool;
}

PruneOptions read_options(const Json& json) {
  PruneOptions options;
  read_size_and_beta(json, options);
  options.metrics = read_metrics(json.at("metrics"));
  options.by = word(json, "by", parse_by);
  if (maybe<std::string>(json, "vote")) options.vote.vote = word(json, "vote", parse_vote);
  options.vote.weights = json.at("vote_weights").get<std::vector<double>>();
  options.vote.ties = word(json, "ties", parse_ties);
  options.weights = word(json, "weights", parse_weights);
  options.scale = word(json, "scale", parse_scale);
  options.keep = maybe<std::uint64_t>(json, "keep");
  options.keep_last_tier = json.at("keep_last_tier");
  options.max_candidates = value_or(json, "max_candidates", UINT64_MAX);
  options.max_evaluate = value_or(json, "max_evaluate", UINT64_MAX);
  if (!json.at("sample").is_null()) options.sample = read_sample(json.at("sample"));
  options.require = json.at("require").get<std::vector<std::string>>();
  options.exclude = json.at("exclude").get<std::vector<std::string>>();
  for (const Json& budget : json.at("budget")) {
    options.budget.push_back({word(budget, "cost", parse_cost), budget.at("limit")});
  }
  if (json.contains("merit")) options.merit = word(json, "merit", parse_merit);
  options.holdout = maybe<double>(json, "holdout");
  options.folds = maybe<int>(json, "folds");
  if (json.contains("seed")) options.seed = read_seed(json.at("seed"));
  options.stability = value_or(json, "stability", options.stability);
  options.margin = value_or(json, "margin", options.margin);
  return options;
}

}  // namespace hqe
