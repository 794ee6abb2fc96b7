// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include "cli/commands/commands.h"
#include "cli/pool_arguments.h"
#include "cli/session.h"
#include "cli/vote_arguments.h"
#include "cli/words.h"
#include "hqe/io/compare_json.h"
#include "hqe/report/compare_text.h"

namespace hqe::cli {

namespace {

struct Arguments {
  PoolArguments pool, test;
  CompareOptions options;
  VoteArguments vote;
};

Method method_of(const std::string& word) {
  if (const auto method = parse_method(lower(word))) return *method;
  std::string names;
  for (const Method method : all_methods()) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", to_string(method));
  }
  throw UsageError(fmt::format("unknown method '{}'. Use one of {}.", word, names));
}

int run_compare(const Arguments& arguments, Session& session) {
  CompareOptions options = arguments.options;
  options.vote = arguments.vote.settled();
  Pool pool = arguments.pool.open();
  std::optional<Pool> test;
  if (!arguments.test.words.empty()) test = arguments.test.open();
  session.publish(compare(std::move(pool), options, session.run(), std::move(test)), 0);
  return 0;
}

void add_method_options(Command& command, CompareOptions& options) {
  const CompareOptions defaults;
  command.options.push_back(
      {"--method", "NAME", "Only this method; repeatable (default: all, see docs/methods.md).",
       [&options](const std::string& word) { options.methods.push_back(method_of(word)); }, true});
  command.options.push_back(
      {"--beta", "B", "Share of a tier that hierarchical pruning prunes (default: 0.1).",
       [&options](const std::string& word) { options.beta = parse_fractions("--beta", word); }});
  command.options.push_back(
      {"--keep", "K", "A tier of hierarchical pruning keeps at most its K best teams.",
       [&options](const std::string& word) { options.keep = parse_count("--keep", word, 1); }});
  command.options.push_back(
      {"--max-evaluate", "N",
       fmt::format("Above N teams exhaustive search is left out (default: {}).",
                   defaults.max_evaluate),
       [&options](const std::string& word) {
         options.max_evaluate = parse_count("--max-evaluate", word, 1);
       }});
  command.options.push_back(
      {"--time-limit", "SECONDS",
       "Stop each branch-and-bound search after this time, with the best team found and a proven "
       "bound (default: a fixed amount of work, some seconds).",
       [&options](const std::string& word) {
         options.time_limit = parse_number("--time-limit", word);
       }});
  command.options.push_back({"--no-times", "",
                             "Leave out how long choosing took, the one thing that varies.",
                             [&options](const std::string&) { options.times = false; }});
}

}  // namespace

Command compare_command() {
  const auto arguments = std::make_shared<Arguments>();
  const CompareOptions defaults;
  Command command{
      .name = "compare",
      .summary = "a fair tournament of pruning methods on this pool",
      .arguments = "POOL [--size S] [--budget latency_ms=20] [--repeats R] [--test POOL2]",
      .about =
          "Every method chooses a team on one half of the samples and is judged on the other, over "
          "repeated seeded splits, or chooses on POOL and is judged on POOL2.",
      .outputs = {Output::json, Output::csv, Output::file},
      .examples = {"hqe compare pool --size 3",
                   "hqe compare pool --size 3 --method branch-and-bound --time-limit 60",
                   "hqe compare pool -o compare.json"}};
  CompareOptions& options = arguments->options;
  command.options = {
      {"--size", "S", "Members of a team (default: min(5, M/2), at least 2).",
       [&options](const std::string& word) { options.size = parse_int("--size", word, 1); }},
      {"--repeats", "R", fmt::format("Splits (default: {}).", defaults.repeats),
       [&options](const std::string& word) { options.repeats = parse_int("--repeats", word, 1); }},
      {"--seed", "K", fmt::format("Seed of splits and methods (default: {}).", defaults.seed),
       [&options](const std::string& word) { options.seed = parse_count("--seed", word); }},
      {"--test", "POOL2", "Choose on POOL, and judge on this pool in place of splits.",
       [arguments](const std::string& word) { arguments->test.words = {word}; }},
      {"--budget", "COST=LIMIT",
       "Only teams whose params, gflops, latency_ms or memory_mb sum to at most this; repeatable.",
       [&options](const std::string& word) {
         options.budget.push_back(parse_budget("--budget", word));
       },
       true}};
  add_method_options(command, options);
  add_vote_arguments(command, arguments->vote);
  add_pool_arguments(command, arguments->pool);
  command.run = [arguments](Session& session) { return run_compare(*arguments, session); };
  return command;
}

}  // namespace hqe::cli
