// SPDX-License-Identifier: MIT
#include "cli/session.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>

#include "cli/spelling.h"
#include "hqe/files/atomic_file.h"
#include "hqe/files/descriptor.h"
#include "hqe/files/output_place.h"
#include "hqe/files/patient_write.h"
#include "hqe/report/display.h"

namespace hqe::cli {

namespace {

volatile std::sig_atomic_t signal_number = 0;

extern "C" void remember_signal(int number) { signal_number = number; }

int terminal_width() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 100;
  return std::clamp<int>(size.ws_col, 60, 100);
}

bool wants_colour() {
  const char* const no_colour = std::getenv("NO_COLOR");
  if (no_colour != nullptr && *no_colour != '\0') return false;
  const char* const terminal = std::getenv("TERM");
  if (terminal == nullptr || std::string_view(terminal) == "dumb") return false;
  return ::isatty(STDOUT_FILENO) == 1;
}

}  // namespace

void watch_signals() {
  struct sigaction action{};
  action.sa_handler = remember_signal;
  // A second signal finds the default again: whoever insists is obeyed at once. No SA_RESTART: a
  // call that waits must end.
  action.sa_flags = SA_RESETHAND;
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before{};
    ::sigaction(number, nullptr, &before);
    if (before.sa_handler != SIG_IGN) ::sigaction(number, &action, nullptr);
  }
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

int received_signal() { return signal_number; }

void check_signals() {
  if (received_signal() != 0) throw Cancelled("interrupted");
}

Session::Session(Globals globals) : globals_(std::move(globals)) {
  if (!globals_.quiet && ::isatty(STDERR_FILENO) == 1) bar_ = std::make_unique<ProgressBar>();
  run_.threads = globals_.threads;
  run_.on_progress = [bar = bar_.get()](const Progress& progress) {
    check_signals();
    if (bar != nullptr) bar->show(progress);
  };
}

bool Session::is_on_screen() { return ::isatty(STDOUT_FILENO) == 1; }

void Session::erase_progress() {
  if (bar_) bar_->erase();
}

void Session::announce_output(const std::string& file) {
  if (file.empty()) return;
  check_output(file);
  outputs_.push_back(file);
  check_outputs(outputs_, {});
}

void Session::protect_inputs(const std::vector<std::string>& files) const {
  check_outputs(outputs_, files);
}

void Session::print(std::string_view bytes) {
  const int reason = write_patiently(STDOUT_FILENO, bytes, check_signals);
  if (reason == EPIPE) throw ClosedPipe("standard output is closed");
  if (reason != 0) {
    throw OutputError("standard output", "cannot be written: " + system_reason(reason), "");
  }
}

void Session::show(std::string_view text) { print(page_text(text, wants_colour())); }

void Session::write_output(const std::string& path, const std::function<void(const Sink&)>& write) {
  AtomicFile file(path, check_signals);
  write([&file](std::string_view bytes) { file.write(bytes); });
  file.commit();
  note_written(path);
}

void Session::print_page_note(const std::string& path) const {
  if (globals_.quiet || globals_.json || globals_.csv) return;
  show("Report: " + message_text(path) + " (open it in a browser).\n");
}

std::string Session::what_was_written() const {
  if (written_.empty()) return "nothing was written";
  return fmt::format("{} {} already written", fmt::join(written_, " and "),
                     written_.size() == 1 ? "was" : "were");
}

int Session::nothing_selected(const std::vector<Message>& warnings) const {
  if ((globals_.csv || (is_silent() && !globals_.json)) && !warnings.empty()) {
    const std::string line =
        "hqe: " + message_text(warnings.back().text(command_line_spelling())) + ".\n";
    // Where even standard error is closed, the exit code has to do.
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line.data(), line.size());
  }
  return 4;
}

std::string parse_output(std::string_view option, const std::string& word) {
  if (word.empty()) {
    throw UsageError(fmt::format("{} '': expected the name of a file.", option));
  }
  return word;
}

void add_page_argument(Command& command, std::string& page) {
  command.options.push_back(
      {"--report", "FILE", "Write the report, one page for a browser, too.",
       [&page](const std::string& word) { page = parse_output("--report", word); }});
}

TextOptions Session::text_options(std::size_t top) const {
  return {.width = terminal_width(),
          .colour = wants_colour(),
          .by_name = globals_.by_name,
          .verbose = globals_.verbose,
          .top = globals_.top.value_or(top),
          .spelling = command_line_spelling(),
          .next =
              "Next: --verbose for every table, --report page.html for a look, hqe compare for "
              "every method.",
          .all_notes = "--verbose"};
}

void detail::write_printed_json(const Study& study, const Sink& sink) {
  write_json(study, sink, JsonDetail::left_out);
}

}  // namespace hqe::cli
