// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include "cli/commands/commands.h"
#include "cli/pool_arguments.h"
#include "cli/session.h"
#include "cli/spelling.h"
#include "cli/team_argument.h"
#include "hqe/evaluation/contests.h"
#include "options/team_options.h"

namespace hqe::cli {

namespace {

struct EvaluateArguments {
  PoolArguments pool;
  options::EvaluateWords words;
};

int run_evaluate(const EvaluateArguments& arguments, Session& session) {
  const options::EvaluateWords& words = arguments.words;
  (void)words.vote.settled();  // Refused before the pool is opened.
  Pool pool = arguments.pool.open(session);
  std::vector<options::NamedTeam> teams;
  for (const std::string& word : words.teams) teams.push_back(find_team(pool, word, session));
  const EvaluateOptions options = words.settled(teams, pool.model_count());
  session.publish(evaluate(std::move(pool), options, session.run()), 10);
  return 0;
}

}  // namespace

Command evaluate_command() {
  const auto arguments = std::make_shared<EvaluateArguments>();
  Command command{
      .name = "evaluate",
      .summary = "exact correct counts of teams",
      .arguments = "POOL [--size S] [--team 0,2,5]... [--vote V]",
      .about = fmt::format("Without --size and --team: every team of sizes 1..M, for at "
                           "most {} models.",
                           most_models_for_every_team),
      .outputs = {Output::json, Output::csv, Output::file},
      .examples = {"hqe evaluate pool --size 3",
                   "hqe evaluate pool --team 0,2,5 --team 0,1 --vote majority",
                   "hqe evaluate pool --team 0,2,5 --vote-weights 3,1,1"}};
  options::OptionList list;
  options::add_evaluate_options(list, arguments->words);
  add_options(command, list);
  add_pool_arguments(command, arguments->pool);
  command.run = [arguments](Session& session) { return run_evaluate(*arguments, session); };
  return command;
}

}  // namespace hqe::cli
