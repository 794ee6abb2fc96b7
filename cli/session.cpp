// SPDX-License-Identifier: MIT
#include "cli/session.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "cli/words.h"
#include "hqe/io/atomic_file.h"
#include "hqe/report/html.h"

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
  // A second signal finds the default again: whoever insists is obeyed at once.
  action.sa_flags = SA_RESETHAND | SA_RESTART;
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  // A closed pipe is an error of write(), with a message, not a silent death.
  std::signal(SIGPIPE, SIG_IGN);
}

int received_signal() { return signal_number; }

Session::Session(Globals globals) : globals_(std::move(globals)) {
  if (!globals_.quiet && ::isatty(STDERR_FILENO) == 1) bar_ = std::make_unique<ProgressBar>();
  run_.threads = globals_.threads;
  run_.on_progress = [bar = bar_.get()](const Progress& progress) {
    if (received_signal() != 0) throw Cancelled("interrupted; nothing was written");
    if (bar != nullptr) bar->show(progress);
  };
}

void Session::check_output(const std::string& file) {
  if (file.empty()) return;
  const std::filesystem::path path = file;
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    throw OutputError(fmt::format("{}: is a folder. Give the name of a file.", path.string()));
  }
  if (std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error))
    return;
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  if (::access(folder.c_str(), W_OK | X_OK) != 0) {
    throw OutputError(fmt::format("{}: cannot be written: {}. Check the folder {}.", path.string(),
                                  std::strerror(errno), folder.string()));
  }
}

void Session::print(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      throw OutputError(
          fmt::format("standard output cannot be written: {}.", std::strerror(errno)));
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void Session::write_output(const std::string& path, const std::function<void(const Sink&)>& write) {
  try {
    AtomicFile file(path);
    write([&file](std::string_view bytes) {
      if (received_signal() != 0) throw Cancelled("interrupted; nothing was written");
      file.write(bytes);
    });
    file.commit();
  } catch (const InputError& error) {
    throw OutputError(error.what());
  }
}

void Session::write_page(const std::string& path, const Study& study) const {
  write_page(path, report_page(study));
}

void Session::write_page(const std::string& path, const std::string& page) const {
  write_output(path, [&](const Sink& sink) { sink(page); });
  if (!globals_.quiet && !globals_.json && !globals_.csv) {
    print("Report: " + path + " (open it in a browser).\n");
  }
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
          .top = globals_.top.value_or(top)};
}

void detail::write_printed_json(const Study& study, const Sink& sink) {
  write_json(study, sink, JsonDetail::left_out);
}

}  // namespace hqe::cli
