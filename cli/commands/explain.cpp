// SPDX-License-Identifier: MIT
#include "cli/commands/commands.h"
#include "cli/pool_arguments.h"
#include "cli/session.h"
#include "cli/spelling.h"
#include "cli/team_argument.h"
#include "options/prune_options.h"
#include "options/team_options.h"

namespace hqe::cli {

namespace {

struct ExplainArguments {
  PoolArguments pool;
  options::PruneWords prune;
  std::vector<std::string> teams;
};

int run_explain(const ExplainArguments& arguments, Session& session) {
  if (arguments.teams.empty()) throw UsageError("explain needs --team, such as --team 0,2,5.");
  PruneOptions options = arguments.prune.settled();
  Pool pool = arguments.pool.open(session);
  std::vector<options::NamedTeam> named;
  std::vector<Team> teams;
  for (const std::string& word : arguments.teams) {
    named.push_back(find_team(pool, word, session));
    teams.emplace_back(named.back().members);
  }
  options.vote = vote_of_teams(arguments.prune.vote, named, false, pool.model_count());
  session.publish(explain(std::move(pool), teams, options, session.run()), TextOptions{}.top);
  return 0;
}

}  // namespace

Command explain_command() {
  const auto arguments = std::make_shared<ExplainArguments>();
  Command command{.name = "explain",
                  .summary = "why a team was kept, pruned or cut",
                  .arguments = "POOL --team 0,2,5 [--team ...] [options of prune]",
                  .outputs = {Output::json, Output::csv, Output::file},
                  .examples = {"hqe explain pool --team 0,2,5 --size 3",
                               "hqe explain pool --team 0,1 --team 0,1,2,3 --beta 20%"}};
  command.options = {{"--team", "TEAM", options::teams_help,
                      [arguments](const std::string& word) { arguments->teams.push_back(word); },
                      true}};
  options::OptionList list;
  options::add_size_and_beta(list, arguments->prune);
  options::add_prune_options(list, arguments->prune);
  add_options(command, list);
  add_pool_arguments(command, arguments->pool);
  command.run = [arguments](Session& session) { return run_explain(*arguments, session); };
  return command;
}

}  // namespace hqe::cli
