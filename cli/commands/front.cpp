// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <utility>

#include "cli/commands/commands.h"
#include "cli/pool_arguments.h"
#include "cli/session.h"
#include "cli/spelling.h"
#include "cli/team_argument.h"
#include "hqe/documents/compare_json.h"
#include "hqe/evaluation/contests.h"
#include "hqe/report/compare_text.h"
#include "hqe/report/html.h"
#include "options/compare_options.h"
#include "options/vote_options.h"

namespace hqe::cli {

namespace {

struct FrontArguments {
  PoolArguments pool;
  FrontOptions options;
  PoolArguments test;
  options::VoteWords vote;
  bool cascade = false;
  std::string team, page;
};

int run_cascade(const FrontArguments& arguments, Session& session) {
  session.announce_output(arguments.page);
  OrderOptions options{.vote = arguments.vote.settled(), .seed = arguments.options.seed};
  Pool pool = arguments.pool.open(session);
  std::optional<Team> team;
  if (!arguments.team.empty()) {
    const options::NamedTeam named = find_team(pool, arguments.team, session);
    options.vote = vote_of_teams(arguments.vote, {named}, true, pool.model_count());
    team = Team(named.members);
  }
  std::optional<Pool> test;
  if (!arguments.test.words.empty()) test = arguments.test.open(session);
  const Cascading found = cascade(std::move(pool), team, options, session.run(), test);
  session.publish(found, 0, {arguments.page, [&] { return report_page(found); }});
  return 0;
}

int run_front(const FrontArguments& arguments, Session& session) {
  if (arguments.cascade) return run_cascade(arguments, session);
  for (const auto& [name, word] :
       {std::pair("--team", &arguments.team), std::pair("--report", &arguments.page)}) {
    if (!word->empty()) throw UsageError(std::string(name) + " of front goes with --cascade.");
  }
  if (!arguments.test.words.empty()) throw UsageError("--test of front goes with --cascade.");
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
      .arguments = "POOL [--vote V] [--cascade [--team 0,2,5] [--test POOL2]]",
      .about = fmt::format(
          "Exact over all teams of up to {} models; beyond that over the teams that the "
          "methods of compare choose, and the output says so. With --cascade the front of one "
          "team's expected cost: its members run in the order of hqe order and stop where the "
          "first of them agree, or are sure enough, which saves more than an exact exit and "
          "changes some answers. Rules are chosen on one half of the samples and judged on the "
          "other, or on POOL2.",
          most_models_for_every_team),
      .outputs = {Output::json, Output::csv, Output::file},
      .examples = {"hqe front pool", "hqe front pool --csv",
                   "hqe front pool --cascade --team 0,2,5 --report cascades.html"}};
  command.options = {
      {"--cascade", "", "Cascades of one team, in place of all teams.",
       [arguments](const std::string&) { arguments->cascade = true; }},
      {"--team", "TEAM",
       "With --cascade: ids or names, joined by commas, a team file or a study (default: "
       "the team that hqe prune recommends).",
       [arguments](const std::string& word) { arguments->team = word; }},
      {"--test", "POOL2",
       "With --cascade: choose on POOL, and judge on this pool in place of a half.",
       [arguments](const std::string& word) { arguments->test.words = {word}; }}};
  add_page_argument(command, arguments->page);
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
