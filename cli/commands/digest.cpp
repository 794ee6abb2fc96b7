// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <charconv>
#include <optional>

#include "cli/commands/commands.h"
#include "cli/pool_arguments.h"
#include "cli/session.h"
#include "cli/spelling.h"
#include "hqe/digest/write_digest.h"
#include "hqe/documents/json.h"
#include "hqe/files/output_place.h"
#include "hqe/report/display.h"
#include "options/words.h"

namespace hqe::cli {

namespace {

struct DigestArguments {
  PoolArguments pool;
  DigestOptions options;
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

std::string digest_text(const DigestSummary& summary) {
  const double times =
      static_cast<double>(summary.prediction_bytes) / static_cast<double>(summary.bytes);
  std::string text = fmt::format(
      "Wrote {}: {} bytes{}.\n", message_text(summary.file), summary.bytes,
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
  if (arguments.pool.words.size() == 1) check_not_in(file, arguments.pool.words.front());
  const DigestSummary summary =
      write_digest(std::move(pool), file, arguments.options, session.run(), check_signals);
  session.note_written(file);
  if (session.globals().json) {
    write_json(summary, Session::print);
  } else if (!session.is_silent()) {
    Session::show(digest_text(summary));
  }
  return 0;
}

}  // namespace

Command digest_command() {
  const auto arguments = std::make_shared<DigestArguments>();
  Command command{
      .name = "digest",
      .summary = "what any team's answer can depend on, as a file that is a pool",
      .arguments = "POOL [--rows A:B] [--first-row K] -o FILE.digest",
      .about =
          "Reads the predictions once and keeps what teams can depend on. Every command takes the "
          "file, or a folder of such files with the rows of one pool, where it takes a pool, and "
          "prints the same; order, radii, and more than labels of apply need the predictions where "
          "probabilities or logits vote.",
      .outputs = {Output::json, Output::file},
      .examples = {"hqe digest pool -o pool.digest", "hqe digest pool --rows 0:20 -o first.digest",
                   "hqe digest pool --first-row 50000 -o shard.digest"}};
  command.options = {
      {"--rows", "A:B", "Only the rows A to B - 1, counted from 0 (default: all).",
       [arguments](const std::string& word) { arguments->options.rows = parse_rows(word); }},
      {"--first-row", "K",
       "What the first of them is among the rows of all digests (default: what it is in POOL).",
       [arguments](const std::string& word) {
         arguments->options.first_row = options::parse_count("first_row", word);
       }}};
  add_pool_arguments(command, arguments->pool);
  command.run = [arguments](Session& session) { return run_digest(*arguments, session); };
  return command;
}

}  // namespace hqe::cli
