// SPDX-License-Identifier: MIT
#include "cli/commands/commands.h"
#include "cli/session.h"
#include "cli/study_argument.h"

namespace hqe::cli {

namespace {

int run_report(const StudyArgument& argument, Session& session) {
  const std::string& path = session.globals().output;
  if (path.empty()) throw UsageError("report needs -o FILE, such as -o report.html.");
  const std::string page = argument.page(session);
  session.write_output(path, [&](const Sink& sink) { sink(page); });
  session.print_page_note(path);
  return 0;
}

}  // namespace

Command report_command() {
  const auto argument = std::make_shared<StudyArgument>();
  Command command{
      .name = "report",
      .summary = "one page with everything a study found, to open in a browser",
      .arguments = "STUDY.json -o report.html",
      .about =
          "The page holds its data and asks the network for nothing: send it to whom you like. Of "
          "a comparison that hqe compare POOL -o FILE wrote it shows the ranks of the methods, of "
          "what hqe front POOL --cascade -o FILE wrote the cascades.",
      .outputs = {Output::file},
      .examples = {"hqe prune pool -o study.json", "hqe report study.json -o report.html"}};
  add_study_argument(command, *argument);
  command.run = [argument](Session& session) { return run_report(*argument, session); };
  return command;
}

}  // namespace hqe::cli
