// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <charconv>
#include <optional>

#include "cli/commands/commands.h"
#include "cli/pool_arguments.h"
#include "cli/session.h"
#include "cli/spelling.h"
#include "hqe/base/version.h"
#include "hqe/digest/write_digest.h"
#include "hqe/documents/json_writer.h"
#include "hqe/report/display.h"

namespace hqe::cli {

namespace {

struct DigestArguments {
  PoolArguments pool;
  std::optional<RowRange> rows;
};

std::optional<std::uint64_t> parse_row(std::string_view word) {
  std::uint64_t row = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), row);
  const bool is_whole = error == std::errc() && end == word.data() + word.size();
  return is_whole ? std::optional(row) : std::nullopt;
}

RowRange parse_rows(const std::string& word) {
  const std::size_t colon = word.find(':');
  const auto begin = parse_row(std::string_view(word).substr(0, colon));
  const auto end = colon == std::string::npos ? std::nullopt
                                              : parse_row(std::string_view(word).substr(colon + 1));
  if (!begin || !end) {
    throw UsageError("--rows needs A:B, the rows A to B - 1 counted from 0, such as 0:50000, not " +
                     message_text(word) + ".");
  }
  return {*begin, *end};
}

void print_json(const DigestSummary& summary, const std::string& file) {
  JsonWriter json(Session::print);
  json.begin_object()
      .field("schema", 1)
      .field("command", "digest")
      .field("version", version())
      .field("file", std::string_view(file))
      .field("pool", std::string_view(summary.pool))
      .field("kind", to_string(summary.kind))
      .field("first_row", summary.rows.begin)
      .field("samples", summary.rows.end - summary.rows.begin)
      .field("models", summary.model_count)
      .field("class_count", summary.class_count)
      .key("contested");
  summary.contested ? json.value(*summary.contested) : json.null();
  json.field("prediction_bytes", summary.prediction_bytes)
      .field("bytes", summary.bytes)
      .key("warnings")
      .begin_array();
  for (const Message& warning : summary.warnings) json.value(std::string_view(warning.text()));
  json.end_array().end_object().finish();
}

std::string digest_text(const DigestSummary& summary, const std::string& file) {
  const double times =
      static_cast<double>(summary.prediction_bytes) / static_cast<double>(summary.bytes);
  std::string text = fmt::format(
      "Wrote {}: {} bytes{}.\n", message_text(file), summary.bytes,
      times >= 1.05 ? fmt::format(", the predictions have {:.1f} times as many", times) : "");
  text += fmt::format("Rows {} to {} of {}: {} models, {} classes, {}.\n", summary.rows.begin,
                      summary.rows.end - 1, message_text(summary.pool), summary.model_count,
                      summary.class_count, to_string(summary.kind));
  if (summary.contested) {
    text += fmt::format("Teams can differ on {} of {} samples.\n", *summary.contested,
                        summary.rows.end - summary.rows.begin);
  }
  for (const Message& warning : summary.warnings) text += "Note: " + warning.text() + ".\n";
  return text;
}

int run_digest(const DigestArguments& arguments, Session& session) {
  const std::string& file = session.globals().output;
  if (!file.ends_with(".digest")) {
    throw UsageError("digest needs -o FILE, a name that ends in .digest.");
  }
  Pool pool = arguments.pool.open(session);
  const DigestSummary summary =
      write_digest(std::move(pool), file, arguments.rows, session.run(), check_signals);
  session.note_written(file);
  if (session.globals().json) {
    print_json(summary, file);
  } else if (!session.is_silent()) {
    Session::show(digest_text(summary, file));
  }
  return 0;
}

}  // namespace

Command digest_command() {
  const auto arguments = std::make_shared<DigestArguments>();
  Command command{
      .name = "digest",
      .summary = "what any team's answer can depend on, as a file that is a pool",
      .arguments = "POOL [--rows A:B] -o FILE.digest",
      .about =
          "Reads the predictions once and keeps what teams can depend on. Every command takes the "
          "file, or a folder of such files with the rows of one pool, where it takes a pool, and "
          "prints the same; apply, order and radii of probabilities and logits need the "
          "predictions.",
      .outputs = {Output::json, Output::file},
      .examples = {"hqe digest pool -o pool.digest",
                   "hqe digest pool --rows 0:20 -o first.digest"}};
  command.options = {
      {"--rows", "A:B", "Only the rows A to B - 1, counted from 0 (default: all).",
       [arguments](const std::string& word) { arguments->rows = parse_rows(word); }}};
  add_pool_arguments(command, arguments->pool);
  command.run = [arguments](Session& session) { return run_digest(*arguments, session); };
  return command;
}

}  // namespace hqe::cli
