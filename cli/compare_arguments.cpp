// SPDX-License-Identifier: MIT
#include "cli/compare_arguments.h"

#include <fmt/format.h>

#include "cli/words.h"
#include "hqe/base/error.h"

namespace hqe::cli {

namespace {

Method method_of(const std::string& word) {
  if (const auto method = parse_method(lower(word))) return *method;
  std::string names;
  for (const Method method : all_methods()) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", to_string(method));
  }
  throw UsageError(fmt::format("unknown method '{}'. Use one of {}.", word, names));
}

void add_method_options(Command& command, CompareOptions& options) {
  const CompareOptions defaults;
  command.options.push_back(
      {"--method", "NAME", "Only this method; repeatable (default: all, see docs/methods.md).",
       [&options](const std::string& word) { options.methods.push_back(method_of(word)); }, true});
  command.options.push_back(
      {"--beta", "B", "Share of a tier that hierarchical pruning prunes (default: 0.1).",
       [&options](const std::string& word) { options.beta = parse_fractions("--beta", word); }});
  command.options.push_back(
      {"--keep", "K", "A tier of hierarchical pruning keeps at most its K best teams.",
       [&options](const std::string& word) { options.keep = parse_count("--keep", word, 1); }});
  command.options.push_back(
      {"--max-evaluate", "N",
       fmt::format("Above N teams exhaustive search is left out (default: {}).",
                   defaults.max_evaluate),
       [&options](const std::string& word) {
         options.max_evaluate = parse_count("--max-evaluate", word, 1);
       }});
  command.options.push_back(
      {"--time-limit", "SECONDS",
       "Stop each branch-and-bound search after this time, with the best team found and a proven "
       "bound (default: a fixed amount of work, some seconds).",
       [&options](const std::string& word) {
         options.time_limit = parse_number("--time-limit", word);
       }});
  command.options.push_back({"--no-times", "",
                             "Leave out how long choosing took, the one thing that varies.",
                             [&options](const std::string&) { options.times = false; }});
}

}  // namespace

void add_compare_arguments(Command& command, CompareOptions& options) {
  const CompareOptions defaults;
  command.options = {
      {"--size", "S", "Members of a team (default: min(5, M/2), at least 2).",
       [&options](const std::string& word) { options.size = parse_int("--size", word, 1); }},
      {"--repeats", "R", fmt::format("Splits (default: {}).", defaults.repeats),
       [&options](const std::string& word) { options.repeats = parse_int("--repeats", word, 1); }},
      {"--seed", "K", fmt::format("Seed of splits and methods (default: {}).", defaults.seed),
       [&options](const std::string& word) { options.seed = parse_count("--seed", word); }},
      {"--budget", "COST=LIMIT",
       "Only teams whose params, gflops, latency_ms or memory_mb sum to at most this; repeatable.",
       [&options](const std::string& word) {
         options.budget.push_back(parse_budget("--budget", word));
       },
       true}};
  add_method_options(command, options);
}

void add_front_arguments(Command& command, FrontOptions& options) {
  command.options = {
      {"--size", "S",
       "Above 24 models: teams that methods choose have 2 to S members (default: min(5, M/2)).",
       [&options](const std::string& word) { options.size = parse_int("--size", word, 1); }},
      {"--seed", "K",
       fmt::format("Above 24 models: seed of the methods (default: {}).", FrontOptions{}.seed),
       [&options](const std::string& word) { options.seed = parse_count("--seed", word); }}};
}

}  // namespace hqe::cli
