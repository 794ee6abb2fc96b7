// SPDX-License-Identifier: MIT
#include "options/synth_options.h"

#include <fmt/core.h>

#include "options/words.h"

namespace hqe::options {

void add_synth_options(OptionList& list, SynthOptions& options) {
  const SynthOptions defaults;
  list.push_back({"models", "M", fmt::format("Models (default: {}).", defaults.model_count),
                  [&options](const std::string& word) {
                    options.model_count = parse_int("models", word, 1);
                  }});
  list.push_back({"samples", "N", fmt::format("Samples (default: {}).", defaults.sample_count),
                  [&options](const std::string& word) {
                    options.sample_count = parse_count("samples", word, 1);
                  }});
  list.push_back({"classes", "C", fmt::format("Classes (default: {}).", defaults.class_count),
                  [&options](const std::string& word) {
                    options.class_count = parse_int("classes", word, 2);
                  }});
  list.push_back(
      {"kind", "KIND",
       fmt::format("{} (default: {}).", words_of(all_kinds, " or "), to_string(defaults.kind)),
       [&options](const std::string& word) {
         options.kind = parse_choice("kind", word, all_kinds);
       }});
  list.push_back({"accuracy", "FROM:TO",
                  fmt::format("The models' accuracies, spread evenly (default: {}:{}).",
                              defaults.accuracy_min, defaults.accuracy_max),
                  [&options](const std::string& word) {
                    const auto ends = split(word, ':');
                    if (ends.size() > 2) refuse_choice("accuracy", word, "0.7 or 0.57:0.78");
                    options.accuracy_min = parse_fraction("accuracy", ends.front());
                    options.accuracy_max = parse_fraction("accuracy", ends.back());
                  }});
  list.push_back({"correlation", "R",
                  fmt::format("How alike the models find a sample hard, in [0, 1) (default: {}).",
                              defaults.correlation),
                  [&options](const std::string& word) {
                    options.correlation = parse_fraction("correlation", word);
                  }});
  list.push_back(
      {"abstain", "A",
       fmt::format("Share of abstentions, label pools only (default: {}).", defaults.abstain),
       [&options](const std::string& word) { options.abstain = parse_fraction("abstain", word); }});
  list.push_back(
      {"seed", "K", fmt::format("Seed (default: {}).", defaults.seed),
       [&options](const std::string& word) { options.seed = parse_count("seed", word); }});
}

}  // namespace hqe::options
