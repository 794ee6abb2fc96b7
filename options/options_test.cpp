// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

#include "options/compare_options.h"
#include "options/prune_options.h"
#include "options/synth_options.h"
#include "options/team_options.h"
#include "options/vote_options.h"

namespace hqe::options {
namespace {

TEST_CASE("no words are the defaults") {
  const PruneOptions pruned = read_prune_options({}, true);
  CHECK_FALSE(pruned.size.has_value());
  CHECK(pruned.beta == PruneOptions{}.beta);
  CHECK(pruned.metrics.empty());
  CHECK(pruned.max_candidates == PruneOptions{}.max_candidates);
  CHECK(read_score_options({}).max_candidates == ScoreOptions{}.max_candidates);
  CHECK(read_compare_options({}).repeats == CompareOptions{}.repeats);
  CHECK(read_front_options({}).seed == FrontOptions{}.seed);
  CHECK_FALSE(read_vote_words({}).settled().vote.has_value());
}

TEST_CASE("words end in the fields of their names") {
  const PruneOptions asked = read_prune_options({{"size", "auto"},
                                                 {"beta", "20%,0.1"},
                                                 {"metrics", "gd,F-BD"},
                                                 {"metrics", "ck"},
                                                 {"by", "MEAN"},
                                                 {"scale", "all"},
                                                 {"keep", "1e3"},
                                                 {"keep_last_tier", "True"},
                                                 {"vote_weights", "log-odds"},
                                                 {"require", "3"},
                                                 {"require", "a,b"},
                                                 {"budget", "params=1e8"},
                                                 {"budget", "gflops=2"},
                                                 {"merit", "balanced"},
                                                 {"holdout", "50%"},
                                                 {"no_holdout", "False"},
                                                 {"seed", "7"}},
                                                true);
  CHECK(asked.size_auto);
  CHECK(asked.beta == std::vector<double>{0.2, 0.1});
  CHECK(asked.metrics == std::vector{Metric::gd, Metric::f_bd, Metric::ck});
  CHECK(asked.by == By::mean);
  CHECK(asked.scale == Scale::all);
  CHECK(asked.keep == 1000);
  CHECK(asked.keep_last_tier);
  CHECK(asked.vote.vote == Vote::weighted);
  CHECK(asked.vote.weigh_by == WeighBy::log_odds);
  CHECK(asked.require == std::vector<std::string>{"3", "a,b"});
  REQUIRE(asked.budget.size() == 2);
  CHECK(asked.budget[1].cost == Cost::gflops);
  CHECK(asked.merit == Merit::balanced);
  CHECK(asked.holdout == 0.5);
  CHECK(asked.judge_on_half);
  CHECK(asked.seed == 7);
}

TEST_CASE("a refusal names the option, what was found and every choice there is") {
  const auto refusal = [](const Words& words) -> std::string {
    try {
      (void)read_prune_options(words, true);
    } catch (const UsageError& error) {
      return error.message().text({.option = [](const OptionName& option) {
        return "<" + option.name + ":" + option.value.value_or("") + ">";
      }});
    }
    return "";
  };
  CHECK(refusal({{"vote", "loud"}}) ==
        "<vote:loud>: expected one of soft, weighted, plurality, majority.");
  CHECK(refusal({{"by", ""}}) == "<by:>: expected one of hierarchical, mean.");
  std::string pruning;
  for (const Metric metric : pruning_metrics()) pruning.append(" ").append(to_string(metric));
  CHECK(refusal({{"metrics", "QS"}}) == "<metrics:QS>: expected one of" + pruning + ".");
  CHECK(refusal({{"keep_last_tier", "1"}}) == "<keep_last_tier:1>: expected True or False.");
  CHECK(refusal({{"vote", "soft"}, {"vote_weights", "1,2"}}) ==
        "<vote_weights:> works with <vote:weighted>, not with soft.");
  CHECK(refusal({{"budget", "money=3"}}) ==
        "<budget:money=3>: expected COST=LIMIT such as params=1e8, with one of params, gflops, "
        "latency_ms, memory_mb.");
}

TEST_CASE("a name that is no option is told apart from a word that an option refuses") {
  CHECK_THROWS_AS((void)read_prune_options({{"sise", "3"}}, true), UnknownOption);
  CHECK_THROWS_AS((void)read_prune_options({{"holdout", "0.5"}}, false), UnknownOption);
  CHECK_THROWS_WITH_AS((void)read_score_options({{"seed", "3"}}),
                       "the option seed says how the option sample draws; give the option sample "
                       "RxT too.",
                       UsageError);
}

TEST_CASE("weights are one a model, or one a member of the one team") {
  const Words words{{"vote_weights", "3,1"}};
  const EvaluateOptions alone = read_evaluate_options(words, {{.members = {2, 0}}}, 4);
  CHECK(alone.vote.weights == std::vector<double>{1, 0, 3, 0});
  CHECK(alone.teams == std::vector{Team{0, 2}});
  CHECK(read_evaluate_options(words, {{.members = {2, 0}}, {.members = {1, 3}}}, 4).vote.weights ==
        std::vector<double>{3, 1});
}

TEST_CASE("every option says what it does, in names that are words of documents") {
  PruneWords prune;
  ScoreWords score;
  EvaluateWords evaluate;
  CompareOptions compared;
  SynthOptions made;
  std::vector<OptionList> lists(5);
  add_size_and_beta(lists[0], prune);
  add_prune_options(lists[0], prune);
  add_trust_options(lists[0], prune);
  add_score_options(lists[1], score);
  add_evaluate_options(lists[2], evaluate);
  add_compare_options(lists[3], compared);
  add_synth_options(lists[4], made);
  for (const OptionList& list : lists) {
    std::set<std::string> names;
    for (const Option& option : list) {
      CAPTURE(option.name);
      CHECK(option.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == std::string::npos);
      CHECK(names.insert(option.name).second);
      CHECK(option.help.text().ends_with('.'));
    }
  }
}

}  // namespace
}  // namespace hqe::options
