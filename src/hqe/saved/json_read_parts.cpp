// SPDX-License-Identifier: MIT
#include "hqe/saved/json_read_parts.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "hqe/base/version.h"
#include "hqe/diversity/focal.h"
#include "hqe/ensemble/costs.h"
#include "hqe/study/team_file.h"

namespace hqe {

namespace {

constexpr int largest_int = std::numeric_limits<int>::max();

SampleOptions read_sample(const Entry& entry) {
  return {.draws = entry.at("draws").whole(1, largest_int),
          .repeats = entry.at("repeats").whole(1, largest_int),
          .seed = entry.at("seed").seed()};
}

std::vector<double> read_shares(const Entry& entry) {
  std::vector<double> shares;
  for (const Entry share : entry.list()) shares.push_back(share.share());
  return shares;
}

void require_auto(const Entry& entry) {
  if (entry.text() != "auto") entry.refuse_value("is neither a number nor \"auto\"");
}

void read_size_and_beta(const Entry& entry, PruneOptions& options) {
  if (const auto size = entry.find("size")) {
    options.size_auto = size->is_text();
    if (options.size_auto) {
      require_auto(*size);
    } else {
      options.size = size->whole(1, max_model_count);
    }
  }
  const Entry beta = entry.at("beta");
  options.beta_auto = beta.is_text();
  if (options.beta_auto) {
    require_auto(beta);
  } else {
    options.beta = beta.is_list() ? read_shares(beta) : std::vector{beta.share()};
  }
}

double read_cost(const Entry& entry) { return entry.not_negative(); }

PoolSummary::Member read_model(const Entry& entry, std::size_t place, const Limit& samples) {
  if (const auto id = entry.find("id"); id && id->count() != place) {
    id->refuse_value(fmt::format("stands in the place of model {}", place));
  }
  PoolSummary::Member model{
      .name = entry.at("name").text(), .correct = entry.at("correct").count(samples), .costs = {}};
  if (const auto costs = entry.find("costs")) {
    for (const Cost cost : all_costs) model.costs[cost] = maybe(*costs, to_string(cost), read_cost);
    model.costs.lipschitz = maybe(*costs, "lipschitz", read_cost);
    model.costs.lipschitz_radius = maybe(*costs, "lipschitz_radius", read_cost);
    model.costs.lipschitz_estimated =
        maybe(*costs, "lipschitz_estimated", truth_of).value_or(false);
  }
  return model;
}

}  // namespace

std::vector<Metric> read_metrics(const Entry& entry) {
  std::vector<Metric> metrics;
  for (const Entry name : entry.list()) metrics.push_back(name.word(parse_metric));
  return metrics;
}

std::string read_metric_name(const Entry& entry) {
  return std::string(to_string(entry.word(parse_metric)));
}

std::vector<std::string> read_texts(const Entry& entry) {
  std::vector<std::string> texts;
  for (const Entry one : entry.list()) texts.push_back(one.text());
  return texts;
}

std::vector<Message> read_messages(const Entry& entry) {
  const std::vector<std::string> texts = read_texts(entry);
  return {texts.begin(), texts.end()};
}

std::string read_text_or_nothing(const Entry& entry, std::string_view name) {
  const auto found = entry.find(name);
  return found ? found->text() : std::string();
}

std::uint64_t read_pool_samples(const Entry& document) {
  const Entry samples = document.at("samples");
  const std::uint64_t count =
      samples.count({max_sample_count, "the", "samples that a pool can have"});
  if (count == 0) samples.refuse_value("samples are no pool");
  return count;
}

PoolSummary read_pool(const Entry& entry) {
  PoolSummary pool;
  pool.name = entry.at("name").text();
  pool.kind = entry.at("kind").word(parse_kind);
  pool.sample_count = read_pool_samples(entry);
  pool.class_count = entry.at("class_count").whole(1, max_class_count);
  const Entry models = entry.at("models");
  if (const std::size_t count = models.list().size(); count == 0 || count > max_model_count) {
    models.refuse(fmt::format("holds {} models, a pool has 1 to {}", count, max_model_count));
  }
  for (const Entry model : models.list()) {
    pool.models.push_back(read_model(model, pool.models.size(), sample_limit(pool)));
  }
  if (const auto detected = entry.find("kind_detected")) pool.kind_detected = detected->truth();
  if (const auto names = entry.find("classes"); names && !names->list().empty()) {
    static_cast<void>(names->list_of(static_cast<std::size_t>(pool.class_count), "one a class"));
    pool.class_names = read_texts(*names);
  }
  pool.about = read_text_or_nothing(entry, "about");
  pool.licence = read_text_or_nothing(entry, "licence");
  pool.source = read_text_or_nothing(entry, "source");
  return pool;
}

PoolSummary read_test_pool(const Entry& entry, const PoolSummary& pool) {
  PoolSummary test = read_pool(entry);
  static_cast<void>(entry.at("models").list_of(pool.models.size(), "one a model of the pool"));
  return test;
}

VoteOptions read_vote_options(const Entry& entry) {
  VoteOptions options;
  if (const auto vote = entry.find("vote")) options.vote = vote->word(parse_vote);
  const Entry weights = entry.at("vote_weights");
  if (weights.is_text()) {
    options.weigh_by = weights.word(parse_weigh_by);
  } else {
    for (const Entry weight : weights.list()) options.weights.push_back(weight.not_negative());
  }
  options.ties = entry.at("ties").word(parse_ties);
  return options;
}

std::vector<Budget> read_budget(const Entry& entry) {
  std::vector<Budget> budget;
  for (const Entry one : entry.list()) {
    budget.push_back({one.at("cost").word(parse_cost), one.at("limit").number()});
  }
  return budget;
}

PruneOptions read_options(const Entry& entry) {
  PruneOptions options;
  read_size_and_beta(entry, options);
  options.metrics = read_metrics(entry.at("metrics"));
  options.by = entry.at("by").word(parse_by);
  // Documents of before there was a choice were the consensus's.
  const auto choose = entry.find("choose");
  options.choose = choose ? choose->word(parse_choose) : Choose::consensus;
  if (const auto prefer = entry.find("prefer")) options.prefer = prefer->word(parse_prefer);
  options.vote = read_vote_options(entry);
  options.weights = entry.at("weights").word(parse_weights);
  options.scale = entry.at("scale").word(parse_scale);
  options.keep = maybe(entry, "keep", count_of);
  options.keep_last_tier = entry.at("keep_last_tier").truth();
  options.max_candidates = maybe(entry, "max_candidates", count_of).value_or(UINT64_MAX);
  options.max_evaluate = maybe(entry, "max_evaluate", count_of).value_or(UINT64_MAX);
  options.sample = maybe(entry, "sample", read_sample);
  options.require = read_texts(entry.at("require"));
  options.exclude = read_texts(entry.at("exclude"));
  options.budget = read_budget(entry.at("budget"));
  if (const auto merit = entry.find("merit")) options.merit = merit->word(parse_merit);
  options.holdout = maybe(entry, "holdout", share_of);
  const auto whole = [](const Entry& number) { return number.whole(0, largest_int); };
  options.folds = maybe(entry, "folds", whole);
  if (const auto seed = entry.find("seed")) options.seed = seed->seed();
  options.stability = maybe(entry, "stability", whole).value_or(options.stability);
  if (const auto half = entry.find("judge_on_half")) options.judge_on_half = half->truth();
  if (const auto margin = entry.find("margin")) options.margin = margin->share();
  return options;
}

Team read_team(const Entry& entry, const PoolSummary& pool, bool may_be_empty) {
  std::vector<ModelId> members;
  for (const Entry member : entry.list()) {
    const std::uint64_t id = member.count();
    if (id >= pool.models.size()) {
      member.refuse_value(fmt::format("is none of the pool's {} models", pool.models.size()));
    }
    members.push_back(static_cast<ModelId>(id));
  }
  if (members.empty() && !may_be_empty) entry.refuse("is a team without members");
  std::ranges::sort(members);
  if (const auto twice = std::ranges::adjacent_find(members); twice != members.end()) {
    entry.refuse(fmt::format("names model {} twice", *twice));
  }
  return Team(std::move(members));
}

std::vector<ModelId> read_order(const Entry& entry, const Team& team) {
  std::vector<ModelId> order;
  for (const Entry member :
       entry.list_of(static_cast<std::size_t>(team.size()), "one a member of the team")) {
    order.push_back(static_cast<ModelId>(member.whole(0, max_model_count - 1)));
  }
  std::vector<ModelId> sorted = order;
  std::ranges::sort(sorted);
  if (!std::ranges::equal(sorted, team))
    entry.refuse("does not hold every member of the team once");
  return order;
}

Limit sample_limit(const PoolSummary& pool, std::string_view whose) {
  return {pool.sample_count, whose, "samples"};
}

double read_score(const Entry& entry) {
  constexpr double far_beyond = 1e6;
  return entry.number(-far_beyond, far_beyond);
}

double read_score_bound(const Entry& entry) { return entry.number(1, widest_score_bound); }

Interval read_interval(const Entry& low, const Entry& high) {
  const Interval interval{low.number(), high.number()};
  if (interval.low > interval.high) low.refuse_value("is above the interval's upper end");
  return interval;
}

void check_same_version(const Entry& document) {
  const Entry made = document.at("version");
  if (made.text() == version()) return;
  made.refuse_value(fmt::format("worked this out, and here is hqe {}: use one version", version()));
}

}  // namespace hqe
