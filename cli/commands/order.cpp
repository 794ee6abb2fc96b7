// SPDX-License-Identifier: MIT
#include "cli/commands/commands.h"
#include "cli/pool_arguments.h"
#include "cli/session.h"
#include "cli/spelling.h"
#include "cli/team_argument.h"
#include "options/vote_options.h"

namespace hqe::cli {

namespace {

struct OrderArguments {
  PoolArguments pool;
  PoolArguments test;
  options::VoteWords vote;
  std::string team;
};

int run_order(const OrderArguments& arguments, Session& session) {
  if (arguments.team.empty()) throw UsageError("order needs --team, such as --team 0,2,5.");
  (void)arguments.vote.settled();  // Refused before the pool is opened.
  Pool pool = arguments.pool.open(session);
  const options::NamedTeam team = find_team(pool, arguments.team, session);
  const OrderOptions options{.vote =
                                 vote_of_teams(arguments.vote, {team}, true, pool.model_count())};
  std::optional<Pool> test;
  if (!arguments.test.words.empty()) test = arguments.test.open(session);
  session.publish(order(std::move(pool), Team(team.members), options, session.run(), test), 0);
  return 0;
}

}  // namespace

Command order_command() {
  const auto arguments = std::make_shared<OrderArguments>();
  Command command{
      .name = "order",
      .summary = "in which order to run a team, stopping early with the same answers",
      .arguments = "POOL --team 0,2,5|team.json [--vote V] [--test POOL2]",
      .about =
          "Members run one after another until the rest cannot change the answer. Up to eight of "
          "them every order is weighed by latency_ms, else gflops, else params, else the number of "
          "models; the order is judged on samples that did not choose it.",
      .outputs = {Output::json, Output::csv, Output::file},
      .examples = {"hqe order pool --team 0,2,5",
                   "hqe order pool --team 0,2,5 --vote majority --json"}};
  command.options = {{"--team", "TEAM", team_help,
                      [arguments](const std::string& word) { arguments->team = word; }},
                     {"--test", "POOL2", "Choose the order on POOL, and judge it on this pool.",
                      [arguments](const std::string& word) { arguments->test.words = {word}; }}};
  options::OptionList vote;
  options::add_vote_options(vote, arguments->vote);
  add_options(command, vote);
  add_pool_arguments(command, arguments->pool);
  command.run = [arguments](Session& session) { return run_order(*arguments, session); };
  return command;
}

}  // namespace hqe::cli
