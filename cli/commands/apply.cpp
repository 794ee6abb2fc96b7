// SPDX-License-Identifier: MIT
#include <charconv>

#include "cli/commands/commands.h"
#include "cli/pool_arguments.h"
#include "cli/session.h"
#include "cli/spelling.h"
#include "hqe/formats/npy_writer.h"
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

void write_labels_csv(const std::string& path, const Combined& combined, Session& session) {
  session.write_output(path, [&](const Sink& sink) {
    std::string text = "label\n";
    for (const std::int32_t label : combined.labels) {
      text.append(std::to_string(label)).append("\n");
    }
    sink(text);
  });
}

void write_npy(const std::string& path, const Combined& combined, bool scores, Session& session) {
  const auto samples = static_cast<std::int64_t>(combined.pool.sample_count);
  const std::int64_t classes = combined.pool.class_count;
  if (scores) {
    NpyWriter file(path, DType::float64, {samples, classes}, check_signals);
    file.write<double>(combined.scores);
    file.commit();
  } else {
    NpyWriter file(path, DType::int32, {samples}, check_signals);
    file.write<std::int32_t>(combined.labels);
    file.commit();
  }
  session.note_written(path);
}

int run_apply(const ApplyArguments& arguments, Session& session) {
  const std::string& path = session.globals().output;
  if (arguments.team.empty()) throw UsageError("apply needs --team, such as --team 0,2,5.");
  if (!path.ends_with(".npy") && !path.ends_with(".csv")) {
    throw UsageError("apply needs -o FILE, a name that ends in .npy or .csv.");
  }
  const VoteOptions settled = arguments.vote.settled();
  Pool pool = arguments.pool.open(session);
  const std::vector<ModelId> members = parse_members(pool, arguments.team);
  const VoteOptions vote = with_member_weights(settled, members, pool.model_count());
  const Combined combined = apply(std::move(pool), Team(members), vote, session.run());
  if (arguments.scores && (combined.scores.empty() || path.ends_with(".csv"))) {
    throw UsageError(
        "--scores needs a soft or weighted vote of probabilities or logits, and a file that ends "
        "in .npy.");
  }
  if (path.ends_with(".csv")) {
    write_labels_csv(path, combined, session);
  } else {
    write_npy(path, combined, arguments.scores, session);
  }
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
      .arguments = "POOL --team 0,2,5 [--vote V] -o preds.npy",
      .about = "Writes the class that the team answers for each sample, -1 where it has no answer.",
      .outputs = {Output::json, Output::file},
      .examples = {"hqe apply pool --team 0,2,5 -o preds.npy",
                   "hqe apply pool --team 0,2,5 --scores -o scores.npy",
                   "hqe apply pool --team 0,2,5 --vote-weights 3,1,1 -o preds.npy"}};
  command.options = {
      {"--team", "TEAM", "The team: ids or names, joined by commas.",
       [arguments](const std::string& word) { arguments->team = word; }},
      {"--scores", "",
       "Write the members' mean class scores, N x C, in place of classes (soft and weighted "
       "votes).",
       [arguments](const std::string&) { arguments->scores = true; }}};
  options::OptionList vote;
  options::add_vote_options(vote, arguments->vote, true);
  add_options(command, vote);
  add_pool_arguments(command, arguments->pool);
  command.run = [arguments](Session& session) { return run_apply(*arguments, session); };
  return command;
}

}  // namespace hqe::cli
