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
  PoolArguments pool;
  FrontOptions options;
  VoteArguments vote;
};

int run_front(const Arguments& arguments, Session& session) {
  FrontOptions options = arguments.options;
  options.vote = arguments.vote.settled();
  session.publish(front(arguments.pool.open(), options, session.run()), 0);
  return 0;
}

}  // namespace

Command front_command() {
  const auto arguments = std::make_shared<Arguments>();
  Command command{
      .name = "front",
      .summary = "the Pareto front of accuracy against each cost",
      .arguments = "POOL [--vote V]",
      .about =
          "Exact over all teams of up to 24 models; beyond that over the teams that the "
          "methods of compare choose, and the output says so.",
      .outputs = {Output::json, Output::csv, Output::file},
      .examples = {"hqe front pool", "hqe front pool --csv"}};
  FrontOptions& options = arguments->options;
  command.options = {
      {"--size", "S",
       "Above 24 models: teams that methods choose have 2 to S members (default: min(5, M/2)).",
       [&options](const std::string& word) { options.size = parse_int("--size", word, 1); }},
      {"--seed", "K",
       fmt::format("Above 24 models: seed of the methods (default: {}).", FrontOptions{}.seed),
       [&options](const std::string& word) { options.seed = parse_count("--seed", word); }}};
  add_vote_arguments(command, arguments->vote);
  add_pool_arguments(command, arguments->pool);
  command.run = [arguments](Session& session) { return run_front(*arguments, session); };
  return command;
}

}  // namespace hqe::cli
