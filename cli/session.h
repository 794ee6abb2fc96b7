// SPDX-License-Identifier: MIT
/// One run of the command: how work is run, and where results go.

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "cli/progress_bar.h"
#include "hqe/base/error.h"
#include "hqe/base/run.h"
#include "hqe/documents/csv_writer.h"
#include "hqe/documents/json.h"
#include "hqe/report/text.h"

namespace hqe::cli {

/// Whoever read standard output has enough (`hqe ... | head`). Not worth a message.
class ClosedPipe : public Error {
 public:
  using Error::Error;
};

/// --report: the file, and what makes its page.
struct PageOutput {
  std::string path;
  std::function<std::string()> make;
};

class Session {
 public:
  explicit Session(Globals globals);

  [[nodiscard]] const Globals& globals() const { return globals_; }

  /// Threads as asked; draws progress on a terminal; throws Cancelled after a signal.
  [[nodiscard]] const Run& run() const { return run_; }

  /// Announces a file that this run will write, so that it is refused before the work begins
  /// rather than after it. An empty name passes. Throws OutputError where it cannot be written,
  /// UsageError where another result goes there too.
  void announce_output(const std::string& file);

  /// Throws UsageError where an announced file is one of these, which this run reads.
  void protect_inputs(const std::vector<std::string>& files) const;

  /// Writes `result` to the file that -o names (CSV where the name ends so, JSON otherwise), then
  /// the page, then prints it on standard output as --json, --csv, or a text for people: what
  /// becomes of standard output, the files are there. Throws OutputError, Cancelled.
  template <typename Result>
  void publish(const Result& result, std::size_t top, const PageOutput& page = {});

  /// Writes bytes to standard output as they are: documents. Throws OutputError, ClosedPipe,
  /// Cancelled.
  static void print(std::string_view bytes);

  /// Writes text for people to standard output, whatever strangers' names are in it. Throws as
  /// print().
  static void show(std::string_view text);

  /// Runs `write` with a sink into the file; it appears whole or not at all. Throws OutputError,
  /// Cancelled.
  void write_output(const std::string& path, const std::function<void(const Sink&)>& write);

  /// Says that a file is written, for messages about what comes after it.
  void note_written(const std::string& path) { written_.push_back(path); }

  /// Tells people where the page is.
  void print_page_note(const std::string& path) const;

  /// "a.json was already written", or "nothing was written".
  [[nodiscard]] std::string what_was_written() const;
  [[nodiscard]] bool has_written() const { return !written_.empty(); }

  /// The exit code 4 of an empty answer, whose last warning says why. Says so on standard error
  /// where nothing that was printed does: rows have no warnings.
  [[nodiscard]] int nothing_selected(const std::vector<Message>& warnings) const;

  [[nodiscard]] TextOptions text_options(std::size_t top) const;

  /// True where -o together with --quiet asks for no text.
  [[nodiscard]] bool is_silent() const { return globals_.quiet && !globals_.output.empty(); }

 private:
  /// True where standard output is the terminal that shows the progress.
  [[nodiscard]] static bool is_on_screen();
  void erase_progress();

  Globals globals_;
  std::vector<std::string> outputs_;  ///< Announced.
  std::vector<std::string> written_;
  std::unique_ptr<ProgressBar> bar_;
  Run run_;
};

/// --report FILE: the name of the page. `page` must outlive the command.
void add_page_argument(Command& command, std::string& page);

/// The name of a file or folder to write: anything but nothing. Throws UsageError naming `option`.
[[nodiscard]] std::string parse_output(std::string_view option, const std::string& word);

/// Ctrl-C, a polite kill and a closed terminal are remembered, unless whoever started us wants them
/// ignored (nohup); the second one ends the program at once. A closed pipe and a file beyond its
/// limit become errors of the write.
void watch_signals();

/// The signal that was received, 0 for none.
[[nodiscard]] int received_signal();

/// Throws Cancelled after a signal.
void check_signals();

namespace detail {

void write_printed_json(const Study& study, const Sink& sink);
template <typename Result>
void write_printed_json(const Result& result, const Sink& sink) {
  write_json(result, sink);
}

}  // namespace detail

template <typename Result>
void Session::publish(const Result& result, std::size_t top, const PageOutput& page) {
  if (bar_) bar_->show("writing");
  if (!globals_.output.empty()) {
    write_output(globals_.output, [&](const Sink& sink) {
      globals_.output.ends_with(".csv") ? write_csv(result, sink) : write_json(result, sink);
    });
  }
  if (!page.path.empty()) {
    write_output(page.path, [&](const Sink& sink) { sink(page.make()); });
  }
  if (is_on_screen()) erase_progress();
  if (globals_.json) {
    detail::write_printed_json(result, print);
  } else if (globals_.csv) {
    write_csv(result, print);
  } else if (!is_silent()) {
    show(to_text(result, text_options(top)));
  }
  erase_progress();
  if (!page.path.empty()) print_page_note(page.path);
}

}  // namespace hqe::cli
