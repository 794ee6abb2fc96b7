// SPDX-License-Identifier: MIT
#include "hqe/synth/synth.h"

#include <fmt/format.h>

#include "cli/commands/commands.h"
#include "cli/session.h"
#include "cli/words.h"
#include "hqe/base/version.h"
#include "hqe/documents/json_writer.h"
#include "hqe/report/display.h"

namespace hqe::cli {

namespace {

const SynthOptions defaults;

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
  const auto options = std::make_shared<SynthOptions>();
  Command command{
      .name = "synth",
      .summary = "a pool with known accuracies and correlated failures",
      .arguments = "--models M --samples N --classes C [--kind K] [--seed K] -o FOLDER",
      .about = "Writes a pool for trying things out; the same options give the same bytes.",
      .outputs = {Output::json, Output::folder},
      .examples = {"hqe synth --models 10 --samples 5000 --classes 10 --seed 1 -o pool",
                   "hqe synth --models 8 --kind labels --abstain 5% --accuracy 0.6:0.9 -o votes"}};
  command.options = {
      {"--models", "M", fmt::format("Models (default: {}).", defaults.model_count),
       [options](const std::string& word) {
         options->model_count = parse_int("--models", word, 1);
       }},
      {"--samples", "N", fmt::format("Samples (default: {}).", defaults.sample_count),
       [options](const std::string& word) {
         options->sample_count = parse_count("--samples", word, 1);
       }},
      {"--classes", "C", fmt::format("Classes (default: {}).", defaults.class_count),
       [options](const std::string& word) {
         options->class_count = parse_int("--classes", word, 2);
       }},
      {"--kind", "KIND",
       fmt::format("probabilities, logits, labels or correctness (default: {}).",
                   to_string(defaults.kind)),
       [options](const std::string& word) {
         options->kind =
             parse_choice("--kind", word, parse_kind, "probabilities, logits, labels, correctness");
       }},
      {"--accuracy", "FROM:TO",
       fmt::format("The models' accuracies, spread evenly (default: {}:{}).", defaults.accuracy_min,
                   defaults.accuracy_max),
       [options](const std::string& word) {
         const auto ends = split(word, ':');
         if (ends.size() > 2) refuse_choice("--accuracy", word, "0.7 or 0.57:0.78");
         options->accuracy_min = parse_fraction("--accuracy", ends.front());
         options->accuracy_max = parse_fraction("--accuracy", ends.back());
       }},
      {"--correlation", "R",
       fmt::format("How alike the models find a sample hard, in [0, 1) (default: {}).",
                   defaults.correlation),
       [options](const std::string& word) {
         options->correlation = parse_fraction("--correlation", word);
       }},
      {"--abstain", "A",
       fmt::format("Share of abstentions, label pools only (default: {}).", defaults.abstain),
       [options](const std::string& word) {
         options->abstain = parse_fraction("--abstain", word);
       }},
      {"--seed", "K", fmt::format("Seed (default: {}).", defaults.seed),
       [options](const std::string& word) { options->seed = parse_count("--seed", word); }}};
  command.run = [options](Session& session) { return run_synth(*options, session); };
  return command;
}

}  // namespace hqe::cli
