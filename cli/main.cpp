// SPDX-License-Identifier: MIT
/// The list of commands, and errors to exit codes: 0 done, 1 unexpected (also: a result that cannot
/// be written), 2 wrong command line, 3 bad input, 4 nothing selected, 128 + N ended by signal N;
/// 141, and no message, where whoever read standard output has closed it.

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "cli/commands/commands.h"
#include "cli/completions.h"
#include "cli/help.h"
#include "cli/python.h"
#include "cli/session.h"
#include "cli/spelling.h"
#include "hqe/base/error.h"
#include "hqe/bits/target.h"
#include "hqe/report/display.h"

namespace hqe::cli {

namespace {

std::vector<Command> all_commands() {
  std::vector<Command> commands;  // In the order of the overview.
  commands.push_back(inspect_command());
  commands.push_back(score_command());
  commands.push_back(evaluate_command());
  commands.push_back(prune_command());
  commands.push_back(sweep_command());
  commands.push_back(compare_command());
  commands.push_back(front_command());
  commands.push_back(explain_command());
  commands.push_back(team_command());
  commands.push_back(order_command());
  commands.push_back(apply_command());
  commands.push_back(digest_command());
  commands.push_back(synth_command());
  commands.push_back(report_command());
  commands.push_back(plot_command());
  commands.push_back(demo_command());
  commands.push_back(doctor_command());
  commands.push_back(completion_command());
  commands.push_back(man_command(all_commands));
  commands.push_back(version_command());
  return commands;
}

int run(const std::vector<std::string>& arguments) {
  if (!arguments.empty()) {
    const PythonCommand* python = python_command(arguments.front());
    if (python != nullptr) become_python(*python, arguments);
    if (arguments.size() > 1 && arguments.front() == "help") python = python_command(arguments[1]);
    if (python != nullptr) become_python(*python, {arguments[1], "--help"});
  }
  const std::vector<Command> commands = all_commands();
  // Not in the overview: only the scripts of `hqe completion` call it.
  if (!arguments.empty() && arguments.front() == "complete") {
    Session::print(completions(commands, {arguments.begin() + 1, arguments.end()}));
    return 0;
  }
  const Parsed parsed = parse_command_line(commands, arguments);
  if (parsed.command == nullptr) {
    Session::print(parsed.text);
    return 0;
  }
  apply_target_from_environment();
  Session session(parsed.globals);
  const auto& outputs = parsed.command->outputs;
  if (std::ranges::find(outputs, Output::file) != outputs.end()) {
    session.announce_output(session.globals().output);
  }
  try {
    return parsed.command->run(session);
  } catch (const Cancelled&) {
    throw Cancelled("interrupted; " + session.what_was_written());
  } catch (const OutputError& error) {
    if (!session.has_written()) throw;
    throw OutputError(
        error.file(), error.reason(),
        error.advice() + (error.advice().empty() ? "" : "; ") + session.what_was_written());
  }
}

int complain(const Message& message, int exit_code) {
  const std::string line = "hqe: " + message_text(message.text(command_line_spelling())) + "\n";
  // Standard error may be the very pipe in which nobody reads: whoever ended us does not wait.
  pollfd entry{.fd = STDERR_FILENO, .events = POLLOUT, .revents = 0};
  if (received_signal() != 0 && ::poll(&entry, 1, 0) != 1) return exit_code;
  // Where even standard error is closed, the exit code has to do.
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line.data(), line.size());
  return exit_code;
}

int guarded(const std::vector<std::string>& arguments) {
  try {
    return run(arguments);
  } catch (const UsageError& error) {
    return complain(error.message(), 2);
  } catch (const InputError& error) {
    return complain(error.message(), 3);
  } catch (const ClosedPipe&) {
    return 128 + SIGPIPE;
  } catch (const Cancelled& error) {
    return complain(error.message(), 128 + received_signal());
  } catch (const Error& error) {
    return complain(error.message(), 1);
  } catch (const std::bad_alloc&) {
    return complain("out of memory. Try fewer teams (--keep) or a smaller --size.", 1);
  } catch (const std::exception& error) {
    return complain(std::string("unexpected: ") + error.what(), 1);
  }
}

}  // namespace

}  // namespace hqe::cli

int main(int argument_count, char** arguments) {
  hqe::cli::watch_signals();
  return hqe::cli::guarded({arguments + 1, arguments + argument_count});
}
