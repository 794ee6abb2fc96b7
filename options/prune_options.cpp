// SPDX-License-Identifier: MIT
#include "options/prune_options.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "hqe/base/option_name.h"
#include "hqe/evaluation/contests.h"
#include "options/words.h"

namespace hqe::options {

namespace {

const PruneOptions prune_defaults;

void add_search_options(OptionList& list, PruneOptions& options) {
  list.push_back(
      {"by", "METHOD",
       fmt::format(
           "{}, or {}: keep what scores above the mean, sizes 2..M-1, M <= {} (default: {}).",
           to_string(By::hierarchical), to_string(By::mean), most_models_for_every_team,
           to_string(prune_defaults.by)),
       [&options](const std::string& word) { options.by = parse_choice("by", word, all_bys); }});
  list.push_back(
      {"choose", "WAY",
       fmt::format(
           "What is recommended: {} (what proves itself on halves of the samples, among all "
           "teams up to the size, single models and the entire ensemble) or {} (the paper's "
           "way: the best team that most focal metrics kept) (default: {}).",
           to_string(Choose::evidence), to_string(Choose::consensus),
           to_string(prune_defaults.choose)),
       [&options](const std::string& word) {
         options.choose = parse_choice("choose", word, all_chooses);
       }});
  list.push_back(
      {"prefer", "WHAT",
       fmt::format(
           "Of choices that are as good: {}, or {} for the cheapest, by the first known cost "
           "or by size (default: {}).",
           to_string(Prefer::accuracy), to_string(Prefer::cost), to_string(prune_defaults.prefer)),
       [&options](const std::string& word) {
         options.prefer = parse_choice("prefer", word, all_prefers);
       }});
  list.push_back(
      {"scale", "S",
       fmt::format("Scale focal scores over the tier's candidates or over all teams of that size "
                   "(default: {}).",
                   to_string(prune_defaults.scale)),
       [&options](const std::string& word) {
         options.scale = parse_choice("scale", word, all_scales);
       }});
  list.push_back(
      {"keep", "K", "A tier keeps at most its K best teams.",
       [&options](const std::string& word) { options.keep = parse_count("keep", word, 1); }});
  list.push_back({"keep_last_tier", "", "Do not prune the last tier.",
                  [&options](const std::string&) { options.keep_last_tier = true; }});
}

void add_limit_options(OptionList& list, PruneOptions& options) {
  list.push_back({"max_candidates", "N",
                  fmt::format("Refuse a tier with more candidates (default: {}).",
                              prune_defaults.max_candidates),
                  [&options](const std::string& word) {
                    options.max_candidates = parse_count("max_candidates", word, 1);
                  }});
  list.push_back(
      {"max_evaluate", "N",
       fmt::format("Above this many teams of a size, leave out what needs the accuracy of all "
                   "(default: {}).",
                   prune_defaults.max_evaluate),
       [&options](const std::string& word) {
         options.max_evaluate = parse_count("max_evaluate", word);
       }});
}

void add_wish_options(OptionList& list, PruneOptions& options) {
  list.push_back({"require", "MODEL",
                  "A model, by id or name, that every team must have; repeatable.",
                  [&options](const std::string& word) { options.require.push_back(word); }, true});
  list.push_back({"exclude", "MODEL", "A model, by id or name, that no team may have; repeatable.",
                  [&options](const std::string& word) { options.exclude.push_back(word); }, true});
  add_budget_option(list, options.budget);
}

/// Of the metrics that `is_wanted`, in their order.
std::string names_of(const auto& is_wanted) {
  std::string names;
  for (const Metric metric : all_metrics) {
    if (is_wanted(metric)) names.append(names.empty() ? "" : " ").append(to_string(metric));
  }
  return names;
}

static_assert(std::ranges::is_partitioned(metric_rows, &MetricRow::prunes),
              "the metrics that prune stand first, and help says so");

/// "eight" of 8.
std::string in_words(std::size_t count) {
  constexpr std::array<std::string_view, 13> words{"no",   "one",    "two",   "three", "four",
                                                   "five", "six",    "seven", "eight", "nine",
                                                   "ten",  "eleven", "twelve"};
  return count < words.size() ? std::string(words[count]) : std::to_string(count);
}

/// Throws UsageError naming the metrics that are allowed.
Metric parse_metric_word(const std::string& word, bool for_pruning) {
  const auto metric = parse_metric(word);
  if (metric && (can_prune(*metric) || !for_pruning)) return *metric;
  refuse_choice("metrics", word,
                names_of([&](Metric known) { return !for_pruning || can_prune(known); }));
}

}  // namespace

void add_metrics_option(OptionList& list, std::vector<Metric>& metrics, bool for_pruning) {
  list.push_back(
      {"metrics", "NAME",
       for_pruning
           ? fmt::format(
                 "{} or their focal forms {}; repeatable (default: the {} focal ones).",
                 names_of([](Metric metric) { return can_prune(metric) && !is_focal(metric); }),
                 names_of(is_focal), in_words(focal_metrics.size()))
           : fmt::format("{}; repeatable (default: the first {}).",
                         names_of([](Metric) { return true; }), in_words(pruning_metrics().size())),
       [&metrics, for_pruning](const std::string& word) {
         for (const std::string& name : split(word, ',')) {
           metrics.push_back(parse_metric_word(name, for_pruning));
         }
       },
       true});
}

void add_weights_option(OptionList& list, Weights& weights) {
  list.push_back(
      {"weights", "W",
       fmt::format("Weights of focal models in a score: {} (by accuracy) or {} (default: {}).",
                   to_string(Weights::rank), to_string(Weights::uniform),
                   to_string(prune_defaults.weights)),
       [&weights](const std::string& word) {
         weights = parse_choice("weights", word, all_weights);
       }});
}

void add_sample_options(OptionList& list, std::optional<SampleOptions>& sample,
                        std::optional<std::uint64_t>& seed) {
  list.push_back(
      {"sample", "RxT",
       "Score on R failures of the focal model drawn with replacement, T times, as the paper's "
       "authors do, in place of all.",
       [&sample](const std::string& word) { sample = parse_sample("sample", word); }});
  list.push_back(
      {"seed", "K",
       fmt::format("Seed of whatever is drawn at random (default: {}).", SampleOptions{}.seed),
       [&seed](const std::string& word) { seed = parse_count("seed", word); }});
}

std::optional<SampleOptions> settled_sample(std::optional<SampleOptions> sample,
                                            std::optional<std::uint64_t> seed) {
  if (seed && !sample) {
    throw UsageError(message("{} says how {} draws; give {} too.", option("seed"), option("sample"),
                             option("sample", "RxT")));
  }
  if (sample && seed) sample->seed = *seed;
  return sample;
}

void add_size_and_beta(OptionList& list, PruneWords& prune) {
  list.push_back(
      {"size", "S",
       fmt::format(
           "Size of the teams wanted, 2..M-1, or auto: the smallest whose best consensus team "
           "reaches the entire ensemble (default: {}, at most half of the models).",
           HierarchicalOptions{}.desired_size),
       [&prune](const std::string& word) {
         prune.options.size_auto = lower(word) == "auto";
         if (!prune.options.size_auto) prune.options.size = parse_int("size", word, 0);
       }});
  list.push_back(
      {"beta", "B",
       fmt::format("Share of each tier to prune, 0.1 or 10%; or one a tier, 0.2,0.1,0.1; or auto "
                   "(default: {}).",
                   prune_defaults.beta.front()),
       [&prune](const std::string& word) {
         prune.options.beta_auto = lower(word) == "auto";
         if (!prune.options.beta_auto) prune.options.beta = parse_fractions("beta", word);
       }});
}

void add_prune_options(OptionList& list, PruneWords& prune) {
  add_metrics_option(list, prune.options.metrics, true);
  add_search_options(list, prune.options);
  add_vote_options(list, prune.vote);
  add_weights_option(list, prune.options.weights);
  add_sample_options(list, prune.options.sample, prune.seed);
  add_wish_options(list, prune.options);
  add_limit_options(list, prune.options);
}

void add_trust_options(OptionList& list, PruneWords& prune) {
  PruneOptions& options = prune.options;
  prune.seeds_more = true;
  list.push_back(
      {"holdout", "SHARE",
       message(
           "Choose on the rest of the samples, and judge the choice on this share of them (0.5 or "
           "50%), drawn with {}, of every class alike.",
           option("seed")),
       [&options](const std::string& word) { options.holdout = parse_fraction("holdout", word); }});
  list.push_back(
      {"no_holdout", "",
       "Judge by the samples that the choice was made on alone. Otherwise, where nothing is held "
       "out, the same rule also chooses on one half of them and is judged on the other.",
       [&options](const std::string&) { options.judge_on_half = false; }});
  list.push_back(
      {"folds", "F",
       "Judge every sample once by a choice made without it: F parts, each choice made on the "
       "others. Costs F times as much.",
       [&options](const std::string& word) { options.folds = parse_int("folds", word, 0); }});
  list.push_back(
      {"stability", "R",
       "Choose again on R resamples of the pool: how often the same team, each member, the same "
       "kept teams. Costs R times as much.",
       [&options](const std::string& word) {
         options.stability = parse_int("stability", word, 0);
       }});
  list.push_back(
      {"margin", "M",
       fmt::format("Teams whose accuracies surely differ by no more than this are called as good "
                   "(default: {}).",
                   prune_defaults.margin),
       [&options](const std::string& word) { options.margin = parse_fraction("margin", word); }});
  list.push_back(
      {"merit", "M",
       fmt::format(
           "What makes a team good and recommended: {}, {} (mean accuracy of the classes) or "
           "{} (default: {}).",
           to_string(Merit::accuracy), to_string(Merit::balanced), to_string(Merit::logloss),
           to_string(prune_defaults.merit)),
       [&options](const std::string& word) {
         options.merit = parse_choice("merit", word, all_merits);
       }});
}

PruneOptions PruneWords::settled() const {
  PruneOptions settled = options;
  settled.vote = vote.settled();
  if (seed) settled.seed = *seed;
  settled.sample =
      settled_sample(options.sample, options.sample || !seeds_more ? seed : std::nullopt);
  return settled;
}

void add_budget_option(OptionList& list, std::vector<Budget>& budget) {
  list.push_back(
      {"budget", "COST=LIMIT",
       fmt::format("Only teams whose {} sum to at most this; repeatable.",
                   words_of(all_costs, " or ")),
       [&budget](const std::string& word) { budget.push_back(parse_budget("budget", word)); },
       true});
}

PruneOptions read_prune_options(const Words& words, bool own) {
  const auto add = [own](OptionList& list, PruneWords& prune) {
    add_size_and_beta(list, prune);
    add_prune_options(list, prune);
    if (own) add_trust_options(list, prune);
  };
  return read_words<PruneWords>(words, add).settled();
}

}  // namespace hqe::options
