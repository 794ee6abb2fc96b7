// SPDX-License-Identifier: MIT
#include "cli/commands/commands.h"
#include "cli/pool_arguments.h"
#include "cli/session.h"
#include "cli/vote_arguments.h"
#include "cli/words.h"

namespace hqe::cli {

namespace {

struct Arguments {
  PoolArguments pool;
  EvaluateOptions options;
  VoteArguments vote;
  std::vector<std::string> teams;
};

int run_evaluate(const Arguments& arguments, Session& session) {
  EvaluateOptions options = arguments.options;
  options.vote = arguments.vote.settled();
  Pool pool = arguments.pool.open(session);
  for (const std::string& word : arguments.teams) options.teams.push_back(parse_team(pool, word));
  if (arguments.teams.size() == 1 && !options.size_min) {
    options.vote = with_member_weights(options.vote, parse_members(pool, arguments.teams.front()),
                                       pool.model_count());
  }
  session.publish(evaluate(std::move(pool), options, session.run()), 10);
  return 0;
}

}  // namespace

Command evaluate_command() {
  const auto arguments = std::make_shared<Arguments>();
  Command command{.name = "evaluate",
                  .summary = "exact correct counts of teams",
                  .arguments = "POOL [--size S] [--team 0,2,5]... [--vote V]",
                  .about =
                      "Without --size and --team: every team of sizes 1..M, for at most 24 "
                      "models.",
                  .outputs = {Output::json, Output::csv, Output::file},
                  .examples = {"hqe evaluate pool --size 3",
                               "hqe evaluate pool --team 0,2,5 --team 0,1 --vote majority",
                               "hqe evaluate pool --team 0,2,5 --vote-weights 3,1,1"}};
  command.options = {
      {"--size", "S", "Size of the teams, or a range: 2:4 means 2, 3 and 4.",
       [arguments](const std::string& word) {
         const auto [first, last] = parse_size_range("--size", word);
         arguments->options.size_min = first;
         arguments->options.size_max = last;
       }},
      {"--team", "TEAM", "A team: ids or names, joined by commas; repeatable.",
       [arguments](const std::string& word) { arguments->teams.push_back(word); }, true},
      {"--max-candidates", "N",
       "Refuse to evaluate more teams (default: " +
           std::to_string(EvaluateOptions{}.max_candidates) + ").",
       [arguments](const std::string& word) {
         arguments->options.max_candidates = parse_count("--max-candidates", word, 1);
       }}};
  add_vote_arguments(command, arguments->vote, true);
  add_pool_arguments(command, arguments->pool);
  command.run = [arguments](Session& session) { return run_evaluate(*arguments, session); };
  return command;
}

}  // namespace hqe::cli
