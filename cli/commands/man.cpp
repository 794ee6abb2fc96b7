// SPDX-License-Identifier: MIT
#include <algorithm>

#include "cli/command_line.h"
#include "cli/commands/commands.h"
#include "cli/manual.h"
#include "cli/session.h"
#include "hqe/base/error.h"
#include "hqe/text/nearest.h"

namespace hqe::cli {

namespace {

int run_man(const std::vector<Command>& commands, const std::string& name) {
  Globals globals;
  const std::vector<Option> shared = global_options(globals);
  if (name.empty()) {
    Session::print(manual(commands, shared));
    return 0;
  }
  const auto found = std::ranges::find(commands, name, &Command::name);
  if (found == commands.end()) {
    std::vector<std::string> names;
    for (const Command& command : commands) names.push_back(command.name);
    throw UsageError("man: there is no command " + name + "; did you mean " +
                     nearest_word(name, names) + "?");
  }
  Session::print(manual(*found, shared));
  return 0;
}

}  // namespace

Command man_command(std::vector<Command> (*all)()) {
  const auto name = std::make_shared<std::string>();
  Command command{.name = "man",
                  .summary = "the manual page of hqe or of a command",
                  .arguments = "[COMMAND]",
                  .about = "As `man` reads it: `hqe man prune | man -l -` shows it.",
                  .examples = {"hqe man > hqe.1", "hqe man prune > hqe-prune.1"}};
  command.take_words = [name](const std::vector<std::string>& words) {
    if (words.size() > 1) throw UsageError("man: one command at a time.");
    if (!words.empty()) *name = words.front();
  };
  command.run = [name, all](Session&) { return run_man(all(), *name); };
  return command;
}

}  // namespace hqe::cli
