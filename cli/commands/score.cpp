// SPDX-License-Identifier: MIT
#include "cli/commands/commands.h"
#include "cli/pool_arguments.h"
#include "cli/session.h"
#include "cli/spelling.h"
#include "options/team_options.h"

namespace hqe::cli {

namespace {

struct ScoreArguments {
  PoolArguments pool;
  options::ScoreWords words;
};

int run_score(const ScoreArguments& arguments, Session& session) {
  if (!arguments.words.has_size) {
    throw UsageError("score needs --size S, or a range such as --size 2:4.");
  }
  const ScoreOptions options = arguments.words.settled();
  session.publish(score(arguments.pool.open(session), options, session.run()), 10);
  return 0;
}

}  // namespace

Command score_command() {
  const auto arguments = std::make_shared<ScoreArguments>();
  Command command{.name = "score",
                  .summary = "diversity scores of every team of a size",
                  .arguments = "POOL --size S [--metric NAME]... [--focal]",
                  .outputs = {Output::json, Output::csv, Output::file},
                  .examples = {"hqe score pool --size 3",
                               "hqe score pool --size 2:4 --metric F-GD --metric GD --csv"}};
  options::OptionList list;
  options::add_score_options(list, arguments->words);
  add_options(command, list);
  add_pool_arguments(command, arguments->pool);
  command.run = [arguments](Session& session) { return run_score(*arguments, session); };
  return command;
}

}  // namespace hqe::cli
