// SPDX-License-Identifier: MIT
#include "cli/commands/commands.h"
#include "cli/pool_arguments.h"
#include "cli/session.h"
#include "cli/spelling.h"
#include "cli/team_argument.h"
#include "hqe/documents/team_json.h"
#include "hqe/report/team_text.h"

namespace hqe::cli {

namespace {

struct TeamArguments {
  PoolArguments pool;
  options::VoteWords vote;
  std::string team;
};

/// The one word is a file rather than a pool.
bool names_a_file(const TeamArguments& arguments) {
  return arguments.pool.words.size() == 1 && options::is_team_file(arguments.pool.words.front());
}

/// A team, and how the pool was read that it was made of.
struct MadeTeam {
  TeamFile file;
  std::vector<Message> notes;
};

MadeTeam make_team(const TeamArguments& arguments, const Session& session) {
  if (names_a_file(arguments)) {
    const options::VoteWords& vote = arguments.vote;
    if (!arguments.team.empty() || vote.options.vote || vote.has_ties || !vote.weights.empty()) {
      throw UsageError("a study has its team and its vote. Leave --team and the vote out.");
    }
    return {read_team_file(arguments.pool.words.front(), session), {}};
  }
  if (arguments.team.empty()) throw UsageError("team needs a study, or a pool and --team 0,2,5.");
  Pool pool = arguments.pool.open(session);
  const options::NamedTeam team = find_team(pool, arguments.team, session);
  const int models = pool.model_count();
  std::vector<Message> notes = pool.notes;
  return {team_of(std::move(pool), Team(team.members),
                  {.vote = vote_of_teams(arguments.vote, {team}, true, models)}, session.run()),
          std::move(notes)};
}

int run_team(const TeamArguments& arguments, Session& session) {
  const auto [file, notes] = make_team(arguments, session);
  const std::string& path = session.globals().output;
  if (!path.empty()) {
    session.write_output(path, [&team = file](const Sink& sink) { write_json(team, sink); });
  }
  if (session.globals().json) {
    write_json(file, Session::print);
  } else if (!session.is_silent()) {
    Session::show(to_text(file, session.text_options(0), notes));
  }
  return 0;
}

}  // namespace

Command team_command() {
  const auto arguments = std::make_shared<TeamArguments>();
  Command command{
      .name = "team",
      .summary = "a team as a file: members, vote, temperature, order",
      .arguments = "STUDY.json | POOL --team 0,2,5 [--vote V] -o team.json",
      .about =
          "Writes what the study recommends, or any team of a pool, as one small file that --team "
          "takes everywhere, by the names of the models. It holds all that the vote rests on, so "
          "that the team answers alike on other data.",
      .outputs = {Output::json, Output::file},
      .examples = {"hqe prune pool -o study.json", "hqe team study.json -o team.json",
                   "hqe team pool --team 0,2,5 -o team.json",
                   "hqe apply pool --team team.json -o answers.csv"}};
  command.options = {{"--team", "TEAM", team_help,
                      [arguments](const std::string& word) { arguments->team = word; }}};
  options::OptionList vote;
  options::add_vote_options(vote, arguments->vote, true);
  add_options(command, vote);
  add_pool_arguments(command, arguments->pool);
  command.run = [arguments](Session& session) { return run_team(*arguments, session); };
  return command;
}

}  // namespace hqe::cli
