// SPDX-License-Identifier: MIT
/// One run of the command: how work is run, and where results go.

#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "cli/command.h"
#include "cli/progress_bar.h"
#include "hqe/base/error.h"
#include "hqe/base/run.h"
#include "hqe/io/csv_writer.h"
#include "hqe/io/json.h"
#include "hqe/report/text.h"

namespace hqe::cli {

/// A result could not be written. The command exits with 1.
class OutputError : public Error {
 public:
  using Error::Error;
};

class Session {
 public:
  explicit Session(Globals globals);

  [[nodiscard]] const Globals& globals() const { return globals_; }

  /// Threads as asked; draws progress on a terminal; throws Cancelled after Ctrl-C.
  [[nodiscard]] const Run& run() const { return run_; }

  /// Refuses a file to be written before the work begins rather than after it: where it is a
  /// folder, or its folder is missing or read-only. An empty name passes. Throws OutputError.
  static void check_output(const std::string& file);

  /// Prints `result`: to the file that -o names (CSV where the name ends so, JSON otherwise), and
  /// on standard output as --json, --csv, or a text for people.
  /// Throws OutputError.
  template <typename Result>
  void publish(const Result& result, std::size_t top);

  /// Writes bytes to standard output. Throws OutputError.
  static void print(std::string_view bytes);

  /// Runs `write` with a sink into the file; it appears whole or not at all. Throws OutputError.
  static void write_output(const std::string& path, const std::function<void(const Sink&)>& write);

  /// Writes the study as one page, or a page, and says where it is. Throws OutputError.
  void write_page(const std::string& path, const Study& study) const;
  void write_page(const std::string& path, const std::string& page) const;

  [[nodiscard]] TextOptions text_options(std::size_t top) const;

  /// True where -o together with --quiet asks for no text.
  [[nodiscard]] bool is_silent() const { return globals_.quiet && !globals_.output.empty(); }

 private:
  Globals globals_;
  std::unique_ptr<ProgressBar> bar_;
  Run run_;
};

/// --report FILE: the name for write_page(). `page` must outlive the command.
void add_page_argument(Command& command, std::string& page);

/// Ctrl-C and a polite kill are remembered; the second one ends the program at once.
void watch_signals();

/// The signal that was received, 0 for none.
[[nodiscard]] int received_signal();

namespace detail {

void write_printed_json(const Study& study, const Sink& sink);
template <typename Result>
void write_printed_json(const Result& result, const Sink& sink) {
  write_json(result, sink);
}

}  // namespace detail

template <typename Result>
void Session::publish(const Result& result, std::size_t top) {
  if (bar_) bar_->erase();
  if (!globals_.output.empty()) {
    write_output(globals_.output, [&](const Sink& sink) {
      globals_.output.ends_with(".csv") ? write_csv(result, sink) : write_json(result, sink);
    });
  }
  if (globals_.json) {
    detail::write_printed_json(result, print);
  } else if (globals_.csv) {
    write_csv(result, print);
  } else if (!is_silent()) {
    print(to_text(result, text_options(top)));
  }
}

}  // namespace hqe::cli
