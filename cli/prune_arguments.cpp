// SPDX-License-Identifier: MIT
#include "cli/prune_arguments.h"

#include <fmt/format.h>

#include "cli/words.h"
#include "hqe/base/error.h"

namespace hqe::cli {

namespace {

const PruneOptions defaults;

void add_search_arguments(Command& command, PruneOptions& options) {
  command.options.push_back(
      {"--by", "METHOD",
       fmt::format("hierarchical, or mean: keep what scores above the mean, sizes 2..M-1, M <= 24 "
                   "(default: {}).",
                   to_string(defaults.by)),
       [&options](const std::string& word) {
         options.by = parse_choice("--by", word, parse_by, "hierarchical, mean");
       }});
  command.options.push_back(
      {"--choose", "WAY",
       fmt::format("What is recommended: evidence (what proves itself on halves of the samples, "
                   "among all teams up to the size, single models and the entire ensemble) or "
                   "consensus (the paper's way: the best team that most focal metrics kept) "
                   "(default: {}).",
                   to_string(defaults.choose)),
       [&options](const std::string& word) {
         options.choose = parse_choice("--choose", word, parse_choose, "evidence, consensus");
       }});
  command.options.push_back(
      {"--prefer", "WHAT",
       fmt::format("Of choices that are as good: accuracy, or cost for the cheapest, by the first "
                   "known cost or by size (default: {}).",
                   to_string(defaults.prefer)),
       [&options](const std::string& word) {
         options.prefer = parse_choice("--prefer", word, parse_prefer, "accuracy, cost");
       }});
  command.options.push_back(
      {"--scale", "S",
       fmt::format("Scale focal scores over the tier's candidates or over all teams of that size "
                   "(default: {}).",
                   to_string(defaults.scale)),
       [&options](const std::string& word) {
         options.scale = parse_choice("--scale", word, parse_scale, "candidates, all");
       }});
  command.options.push_back(
      {"--keep", "K", "A tier keeps at most its K best teams.",
       [&options](const std::string& word) { options.keep = parse_count("--keep", word, 1); }});
  command.options.push_back({"--keep-last-tier", "", "Do not prune the last tier.",
                             [&options](const std::string&) { options.keep_last_tier = true; }});
}

void add_limit_arguments(Command& command, PruneOptions& options) {
  command.options.push_back(
      {"--max-candidates", "N",
       fmt::format("Refuse a tier with more candidates (default: {}).", defaults.max_candidates),
       [&options](const std::string& word) {
         options.max_candidates = parse_count("--max-candidates", word, 1);
       }});
  command.options.push_back(
      {"--max-evaluate", "N",
       fmt::format("Above this many teams of a size, leave out what needs the accuracy of all "
                   "(default: {}).",
                   defaults.max_evaluate),
       [&options](const std::string& word) {
         options.max_evaluate = parse_count("--max-evaluate", word);
       }});
}

void add_wish_arguments(Command& command, PruneOptions& options) {
  command.options.push_back(
      {"--require", "MODEL", "A model, by id or name, that every team must have; repeatable.",
       [&options](const std::string& word) { options.require.push_back(word); }, true});
  command.options.push_back(
      {"--exclude", "MODEL", "A model, by id or name, that no team may have; repeatable.",
       [&options](const std::string& word) { options.exclude.push_back(word); }, true});
  command.options.push_back(
      {"--budget", "COST=LIMIT",
       "Only teams whose params, gflops, latency_ms or memory_mb sum to at most this; repeatable.",
       [&options](const std::string& word) {
         options.budget.push_back(parse_budget("--budget", word));
       },
       true});
}

/// Of the metrics that `is_wanted`, in their order.
std::string names_of(const auto& is_wanted) {
  std::string names;
  for (const Metric metric : all_metrics) {
    if (is_wanted(metric)) names.append(names.empty() ? "" : " ").append(to_string(metric));
  }
  return names;
}

}  // namespace

Metric parse_metric_word(const std::string& word, bool for_pruning) {
  const auto metric = parse_metric(word);
  if (metric && (can_prune(*metric) || !for_pruning)) return *metric;
  refuse_choice("--metric", word,
                names_of([&](Metric known) { return !for_pruning || can_prune(known); }));
}

void add_metric_argument(Command& command, std::vector<Metric>& metrics, bool for_pruning) {
  command.options.push_back(
      {"--metric", "NAME",
       for_pruning
           ? fmt::format(
                 "{} or their focal forms {}; repeatable (default: the four focal ones).",
                 names_of([](Metric metric) { return can_prune(metric) && !is_focal(metric); }),
                 names_of(is_focal))
           : fmt::format("{}; repeatable (default: the first eight).",
                         names_of([](Metric) { return true; })),
       [&metrics, for_pruning](const std::string& word) {
         for (const std::string& name : split(word, ',')) {
           metrics.push_back(parse_metric_word(name, for_pruning));
         }
       },
       true});
}

void add_weights_argument(Command& command, Weights& weights) {
  command.options.push_back(
      {"--weights", "W",
       fmt::format("Weights of focal models in a score: rank (by accuracy) or uniform (default: "
                   "{}).",
                   to_string(defaults.weights)),
       [&weights](const std::string& word) {
         weights = parse_choice("--weights", word, parse_weights, "rank, uniform");
       }});
}

void add_sample_arguments(Command& command, std::optional<SampleOptions>& sample,
                          std::optional<std::uint64_t>& seed) {
  command.options.push_back(
      {"--sample", "RxT",
       "Score on R failures of the focal model drawn with replacement, T times, as the paper's "
       "authors do, in place of all.",
       [&sample](const std::string& word) { sample = parse_sample("--sample", word); }});
  command.options.push_back(
      {"--seed", "K",
       fmt::format("Seed of whatever is drawn at random (default: {}).", SampleOptions{}.seed),
       [&seed](const std::string& word) { seed = parse_count("--seed", word); }});
}

std::optional<SampleOptions> settled_sample(std::optional<SampleOptions> sample,
                                            std::optional<std::uint64_t> seed) {
  if (seed && !sample) throw UsageError("--seed says how --sample draws; give --sample RxT too.");
  if (sample && seed) sample->seed = *seed;
  return sample;
}

void add_size_and_beta(Command& command, PruneArguments& prune) {
  command.options.push_back(
      {"--size", "S",
       "Size of the teams wanted, 2..M-1, or auto: the smallest whose best consensus team reaches "
       "the entire ensemble (default: 5, at most half of the models).",
       [&prune](const std::string& word) {
         prune.options.size_auto = lower(word) == "auto";
         if (!prune.options.size_auto) prune.options.size = parse_int("--size", word, 0);
       }});
  command.options.push_back(
      {"--beta", "B",
       fmt::format("Share of each tier to prune, 0.1 or 10%; or one a tier, 0.2,0.1,0.1; or auto "
                   "(default: {}).",
                   defaults.beta.front()),
       [&prune](const std::string& word) {
         prune.options.beta_auto = lower(word) == "auto";
         if (!prune.options.beta_auto) prune.options.beta = parse_fractions("--beta", word);
       }});
}

void add_prune_arguments(Command& command, PruneArguments& prune) {
  add_metric_argument(command, prune.options.metrics, true);
  add_search_arguments(command, prune.options);
  add_vote_arguments(command, prune.vote);
  add_weights_argument(command, prune.options.weights);
  add_sample_arguments(command, prune.options.sample, prune.seed);
  add_wish_arguments(command, prune.options);
  add_limit_arguments(command, prune.options);
}

void add_trust_arguments(Command& command, PruneArguments& prune) {
  PruneOptions& options = prune.options;
  prune.seeds_more = true;
  command.options.push_back(
      {"--holdout", "SHARE",
       "Choose on the rest of the samples, and judge the choice on this share of them (0.5 or "
       "50%), drawn with --seed, of every class alike.",
       [&options](const std::string& word) {
         options.holdout = parse_fraction("--holdout", word);
       }});
  command.options.push_back(
      {"--no-holdout", "",
       "Judge by the samples that the choice was made on alone. Otherwise, where nothing is held "
       "out, the same rule also chooses on one half of them and is judged on the other.",
       [&options](const std::string&) { options.judge_on_half = false; }});
  command.options.push_back(
      {"--folds", "F",
       "Judge every sample once by a choice made without it: F parts, each choice made on the "
       "others. Costs F times as much.",
       [&options](const std::string& word) { options.folds = parse_int("--folds", word, 0); }});
  command.options.push_back(
      {"--stability", "R",
       "Choose again on R resamples of the pool: how often the same team, each member, the same "
       "kept teams. Costs R times as much.",
       [&options](const std::string& word) {
         options.stability = parse_int("--stability", word, 0);
       }});
  command.options.push_back(
      {"--margin", "M",
       fmt::format("Teams whose accuracies surely differ by no more than this are called as good "
                   "(default: {}).",
                   defaults.margin),
       [&options](const std::string& word) { options.margin = parse_fraction("--margin", word); }});
  command.options.push_back(
      {"--merit", "M",
       fmt::format("What makes a team good and recommended: accuracy, balanced (mean accuracy of "
                   "the classes) or logloss (default: {}).",
                   to_string(defaults.merit)),
       [&options](const std::string& word) {
         options.merit = parse_choice("--merit", word, parse_merit, "accuracy, balanced, logloss");
       }});
}

PruneOptions PruneArguments::settled() const {
  PruneOptions settled = options;
  settled.vote = vote.settled();
  if (seed) settled.seed = *seed;
  settled.sample =
      settled_sample(options.sample, options.sample || !seeds_more ? seed : std::nullopt);
  return settled;
}

}  // namespace hqe::cli
