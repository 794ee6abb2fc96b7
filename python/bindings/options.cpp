// SPDX-License-Identifier: MIT
// Options by the command's own words: what the command gains, Python has at once, with the same
// meaning and the same refusals. Defaults stay where they are, in the option structs.
#include "hqe/study/options.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "cli/compare_arguments.h"
#include "cli/prune_arguments.h"
#include "cli/vote_arguments.h"
#include "cli/words.h"
#include "hqe/base/error.h"
#include "hqe/documents/json_parts.h"
#include "hqe/verbs/verbs.h"
#include "python/bindings/bindings.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace hqe::python {
namespace {

/// Gives each word to the option of that name, as a command line would; to a flag, True.
void take_words(const cli::Command& command, const Words& words) {
  for (const auto& [name, word] : words) {
    std::string option = "--" + name;
    std::ranges::replace(option, '_', '-');
    const auto found = std::ranges::find(command.options, option, &cli::Option::names);
    if (found == command.options.end()) {
      throw nb::type_error(("there is no option '" + name + "'").c_str());
    }
    if (!found->value.empty()) {
      found->take(word);
    } else if (word == "True") {
      found->take("");
    } else if (word != "False") {
      throw UsageError(option + " " + word + ": expected True or False.");
    }
  }
}

void add_limit(cli::Command& command, std::uint64_t& limit) {
  command.options.push_back({"--max-candidates", "N", "", [&limit](const std::string& word) {
                               limit = cli::parse_count("--max-candidates", word, 1);
                             }});
}

VoteOptions vote_options(const Words& words) {
  cli::Command command;
  cli::VoteArguments vote;
  add_vote_arguments(command, vote);
  take_words(command, words);
  return vote.settled();
}

/// `own` adds what prune takes and sweep and explain do not.
PruneOptions prune_options(const Words& words, bool own, bool detail) {
  cli::Command command;
  cli::PruneArguments prune;
  add_size_and_beta(command, prune);
  add_prune_arguments(command, prune);
  if (own) add_trust_arguments(command, prune);
  take_words(command, words);
  PruneOptions options = prune.settled();
  options.detail = detail;
  return options;
}

ScoreOptions score_options(const Words& words) {
  cli::Command command;
  ScoreOptions options;
  std::optional<std::uint64_t> seed;
  command.options = {{"--size", "S", "",
                      [&options](const std::string& word) {
                        std::tie(options.size_min, options.size_max) =
                            cli::parse_size_range("--size", word);
                      }},
                     {"--focal", "", "", [&options](const std::string&) { options.focal = true; }}};
  add_metric_argument(command, options.metrics, false);
  add_weights_argument(command, options.weights);
  add_sample_arguments(command, options.sample, seed);
  add_limit(command, options.max_candidates);
  take_words(command, words);
  options.sample = cli::settled_sample(options.sample, seed);
  return options;
}

EvaluateOptions evaluate_options(const Words& words, const std::vector<std::vector<int>>& teams,
                                 int model_count) {
  cli::Command command;
  EvaluateOptions options;
  cli::VoteArguments vote;
  command.options = {{"--size", "S", "", [&options](const std::string& word) {
                        std::tie(options.size_min, options.size_max) =
                            cli::parse_size_range("--size", word);
                      }}};
  add_vote_arguments(command, vote);
  add_limit(command, options.max_candidates);
  take_words(command, words);
  options.vote = vote.settled();
  for (const std::vector<int>& members : teams) options.teams.push_back(to_team(members));
  if (teams.size() == 1 && !options.size_min) {
    options.vote = with_member_weights(options.vote, to_ids(teams.front()), model_count);
  }
  return options;
}

/// The options of a verb whose words are its own and those of the vote.
template <typename Options>
Options options_with_vote(const Words& words, void (*add_own)(cli::Command&, Options&)) {
  cli::Command command;
  Options options;
  cli::VoteArguments vote;
  add_own(command, options);
  add_vote_arguments(command, vote);
  take_words(command, words);
  options.vote = vote.settled();
  return options;
}

CompareOptions compare_options(const Words& words) {
  return options_with_vote<CompareOptions>(words, cli::add_compare_arguments);
}

FrontOptions front_options(const Words& words) {
  return options_with_vote<FrontOptions>(words, cli::add_front_arguments);
}

template <typename Options>
std::string defaults_of() {
  std::string text;
  JsonWriter json([&text](std::string_view bytes) { text += bytes; });
  write_options(json, Options{});
  json.finish();
  return text;
}

}  // namespace

void bind_options(nb::module_& module) {
  nb::class_<VoteOptions>(module, "VoteOptions", "How a team answers.");
  nb::class_<PruneOptions>(module, "PruneOptions", "What prune, sweep and explain are asked.");
  nb::class_<ScoreOptions>(module, "ScoreOptions", "What score is asked.");
  nb::class_<EvaluateOptions>(module, "EvaluateOptions", "What evaluate is asked.");
  nb::class_<CompareOptions>(module, "CompareOptions", "What compare is asked.");
  nb::class_<FrontOptions>(module, "FrontOptions", "What front is asked.");
  module.def("compare_options", &compare_options, "words"_a);
  module.def("front_options", &front_options, "words"_a);
  module.def("vote_options", &vote_options, "words"_a);
  module.def("prune_options", &prune_options, "words"_a, "own"_a, "detail"_a);
  module.def("score_options", &score_options, "words"_a);
  module.def("evaluate_options", &evaluate_options, "words"_a, "teams"_a, "model_count"_a);
  module.def("prune_defaults", &defaults_of<PruneOptions>, "The defaults, as JSON.");
  module.def("score_defaults", &defaults_of<ScoreOptions>, "The defaults, as JSON.");
  module.def("parse_threads", &cli::parse_threads, "word"_a, "A number of threads.");
  module.def("parse_sizes", &cli::parse_sizes, "option"_a, "word"_a, "'3:6' or '3,5' as sizes.");
  module.def("parse_fraction_range", &cli::parse_fraction_range, "option"_a, "word"_a,
             "'0.05:0.35:0.05' or '5%,10%' as fractions.");
}

}  // namespace hqe::python
