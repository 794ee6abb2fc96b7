// SPDX-License-Identifier: MIT
#include "cli/commands/commands.h"
#include "cli/pool_arguments.h"
#include "cli/session.h"
#include "cli/spelling.h"
#include "hqe/documents/compare_json.h"
#include "hqe/report/compare_text.h"
#include "options/compare_options.h"
#include "options/vote_options.h"

namespace hqe::cli {

namespace {

struct FrontArguments {
  PoolArguments pool;
  FrontOptions options;
  options::VoteWords vote;
};

int run_front(const FrontArguments& arguments, Session& session) {
  FrontOptions options = arguments.options;
  options.vote = arguments.vote.settled();
  session.publish(front(arguments.pool.open(session), options, session.run()), 0);
  return 0;
}

}  // namespace

Command front_command() {
  const auto arguments = std::make_shared<FrontArguments>();
  Command command{
      .name = "front",
      .summary = "the Pareto front of accuracy against each cost",
      .arguments = "POOL [--vote V]",
      .about =
          "Exact over all teams of up to 24 models; beyond that over the teams that the "
          "methods of compare choose, and the output says so.",
      .outputs = {Output::json, Output::csv, Output::file},
      .examples = {"hqe front pool", "hqe front pool --csv"}};
  options::OptionList own, vote;
  options::add_front_options(own, arguments->options);
  options::add_vote_options(vote, arguments->vote);
  add_options(command, own);
  add_options(command, vote);
  add_pool_arguments(command, arguments->pool);
  command.run = [arguments](Session& session) { return run_front(*arguments, session); };
  return command;
}

}  // namespace hqe::cli
