// SPDX-License-Identifier: MIT
#include "cli/answer_file.h"
#include "cli/commands/commands.h"
#include "cli/pool_arguments.h"
#include "cli/session.h"
#include "cli/spelling.h"
#include "cli/team_argument.h"
#include "hqe/documents/answers.h"
#include "hqe/report/display.h"
#include "options/vote_options.h"

namespace hqe::cli {

namespace {

struct ApplyArguments {
  PoolArguments pool;
  options::VoteWords vote;
  std::string team;
  bool scores = false;
};

int run_apply(const ApplyArguments& arguments, Session& session) {
  const std::string& path = session.globals().output;
  if (arguments.team.empty()) throw UsageError("apply needs --team, such as --team 0,2,5.");
  (void)arguments.vote.settled();  // Refused before the pool is opened.
  const std::unique_ptr<AnswerFile> file = open_answer_file(path, arguments.scores);
  Pool pool = arguments.pool.open(session, true);
  const options::NamedTeam team = find_team(pool, arguments.team, session);
  ApplyOptions options{.vote = vote_of_teams(arguments.vote, {team}, true, pool.model_count())};
  if (team.file) options = apply_options(*team.file, options.vote, team.members);
  options.with_scores = file->needs_scores();
  const Combined combined =
      apply(std::move(pool), Team(team.members), options, session.run(), *file);
  file->commit();
  session.note_written(path);
  if (session.globals().json) {
    write_json(combined, Session::print);
  } else if (!session.is_silent()) {
    Session::show(to_text(combined, session.text_options(0)) + "Wrote " + message_text(path) +
                  ".\n");
  }
  return 0;
}

}  // namespace

Command apply_command() {
  const auto arguments = std::make_shared<ApplyArguments>();
  Command command{
      .name = "apply",
      .summary = "a team's combined predictions, written to a file",
      .arguments = "POOL --team 0,2,5|team.json [--vote V] -o answers.csv",
      .about =
          "Writes the class that the team answers for each sample, -1 where it has no answer; to "
          ".csv and .json also how probable it is, how far ahead, and how many members agree. The "
          "pool needs no labels; where it has some, they judge the team. A team file brings its "
          "vote, weights and temperature along.",
      .outputs = {Output::json, Output::file},
      .examples = {"hqe apply pool --team 0,2,5 -o preds.npy",
                   "hqe apply pool --team 0,2,5 --scores -o scores.npy",
                   "hqe apply pool --team 0,2,5 --vote-weights 3,1,1 -o preds.npy",
                   "hqe team pool --team 0,2,5 -o team.json",
                   "hqe apply pool --team team.json -o answers.csv"}};
  command.options = {
      {"--team", "TEAM", team_help,
       [arguments](const std::string& word) { arguments->team = word; }},
      {"--scores", "",
       "Write the members' mean class scores, N x C, in place of classes (soft and weighted "
       "votes); at the temperature of a team file.",
       [arguments](const std::string&) { arguments->scores = true; }}};
  options::OptionList vote;
  options::add_vote_options(vote, arguments->vote, true);
  add_options(command, vote);
  add_pool_arguments(command, arguments->pool);
  command.run = [arguments](Session& session) { return run_apply(*arguments, session); };
  return command;
}

}  // namespace hqe::cli
