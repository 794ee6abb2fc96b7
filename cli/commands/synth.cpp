// SPDX-License-Identifier: MIT
#include "hqe/synth/synth.h"

#include <fmt/core.h>

#include "cli/commands/commands.h"
#include "cli/session.h"
#include "cli/spelling.h"
#include "hqe/base/version.h"
#include "hqe/documents/json_writer.h"
#include "hqe/report/display.h"
#include "options/synth_options.h"

namespace hqe::cli {

namespace {

void print_json(const SynthOptions& options, const std::string& folder) {
  JsonWriter json(Session::print);
  json.begin_object()
      .field("schema", 1)
      .field("command", "synth")
      .field("version", version())
      .field("folder", std::string_view(folder))
      .key("options")
      .begin_object()
      .field("models", options.model_count)
      .field("samples", options.sample_count)
      .field("classes", options.class_count)
      .field("kind", to_string(options.kind))
      .field("seed", options.seed)
      .field("accuracy_min", options.accuracy_min)
      .field("accuracy_max", options.accuracy_max)
      .field("correlation", options.correlation)
      .field("abstain", options.abstain)
      .end_object()
      .end_object()
      .finish();
}

int run_synth(const SynthOptions& options, Session& session) {
  const std::string& folder = session.globals().output;
  if (folder.empty()) throw UsageError("synth needs -o FOLDER, the folder to make.");
  write_synthetic_pool(folder, options, session.run());
  if (session.globals().json) {
    print_json(options, folder);
  } else if (!session.is_silent()) {
    Session::show(fmt::format("Wrote {}: {} models, {} samples, {} classes, {}, seed {}.\n",
                              message_text(folder), options.model_count, options.sample_count,
                              options.class_count, to_string(options.kind), options.seed));
  }
  return 0;
}

}  // namespace

Command synth_command() {
  const auto made = std::make_shared<SynthOptions>();
  Command command{
      .name = "synth",
      .summary = "a pool with known accuracies and correlated failures",
      .arguments = "--models M --samples N --classes C [--kind K] [--seed K] -o FOLDER",
      .about = "Writes a pool for trying things out; the same options give the same bytes.",
      .outputs = {Output::json, Output::folder},
      .examples = {"hqe synth --models 10 --samples 5000 --classes 10 --seed 1 -o pool",
                   "hqe synth --models 8 --kind labels --abstain 5% --accuracy 0.6:0.9 -o votes"}};
  options::OptionList list;
  options::add_synth_options(list, *made);
  add_options(command, list);
  command.run = [made](Session& session) { return run_synth(*made, session); };
  return command;
}

}  // namespace hqe::cli
