// SPDX-License-Identifier: MIT
#include "cli/commands/commands.h"
#include "cli/compare_arguments.h"
#include "cli/pool_arguments.h"
#include "cli/session.h"
#include "cli/vote_arguments.h"
#include "hqe/documents/compare_json.h"
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
  session.publish(front(arguments.pool.open(session), options, session.run()), 0);
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
  add_front_arguments(command, arguments->options);
  add_vote_arguments(command, arguments->vote);
  add_pool_arguments(command, arguments->pool);
  command.run = [arguments](Session& session) { return run_front(*arguments, session); };
  return command;
}

}  // namespace hqe::cli
