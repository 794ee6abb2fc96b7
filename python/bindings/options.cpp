// SPDX-License-Identifier: MIT
// Options are read by the library that the command reads them with: what the command gains, Python
// has at once, with the same meaning and the same refusals.
#include "hqe/study/options.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <string_view>
#include <vector>

#include "hqe/diversity/metric.h"
#include "hqe/documents/json_parts.h"
#include "hqe/ensemble/team.h"
#include "hqe/evaluation/contests.h"
#include "hqe/verbs/verbs.h"
#include "hqe/votes/vote.h"
#include "options/compare_options.h"
#include "options/prune_options.h"
#include "options/team_options.h"
#include "options/vote_options.h"
#include "options/words.h"
#include "python/bindings/bindings.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace hqe::python {
namespace {

using options::Words;

/// Reads words as `read` does; a name that it does not know is Python's TypeError, as for any
/// function.
template <typename... Arguments>
auto read_words(auto read, const Words& words, Arguments... arguments) {
  try {
    return read(words, arguments...);
  } catch (const options::UnknownOption& error) {
    throw nb::type_error(error.what());
  }
}

PruneOptions prune_options(const Words& words, bool own, bool detail) {
  PruneOptions asked = read_words(options::read_prune_options, words, own);
  asked.detail = detail;
  return asked;
}

EvaluateOptions evaluate_options(
    const Words& words,
    const std::vector<std::pair<std::vector<int>, std::optional<TeamFile>>>& teams,
    int model_count) {
  std::vector<options::NamedTeam> named;
  for (const auto& [members, file] : teams) {
    named.push_back({.members = to_ids(members), .file = file});
  }
  return read_words(options::read_evaluate_options, words, named, model_count);
}

/// A reader that takes words alone.
template <auto read>
auto read_alone(const Words& words) {
  return read_words(read, words);
}

template <typename Options>
std::string defaults_of() {
  std::string text;
  JsonWriter json([&text](std::string_view bytes) { text += bytes; });
  write_options(json, Options{});
  json.finish();
  return text;
}

/// The words of a table of choices.
template <typename Choices>
std::vector<std::string_view> words_of(const Choices& choices) {
  std::vector<std::string_view> words;
  for (const auto choice : choices) words.push_back(to_string(choice));
  return words;
}

}  // namespace

void bind_options(nb::module_& module) {
  nb::class_<PruneOptions>(module, "PruneOptions", "What prune, sweep and explain are asked.");
  nb::class_<ScoreOptions>(module, "ScoreOptions", "What score is asked.");
  nb::class_<EvaluateOptions>(module, "EvaluateOptions", "What evaluate is asked.");
  nb::class_<CompareOptions>(module, "CompareOptions", "What compare is asked.");
  nb::class_<FrontOptions>(module, "FrontOptions", "What front is asked.");
  module.def("compare_options", &read_alone<options::read_compare_options>, "words"_a);
  module.def("front_options", &read_alone<options::read_front_options>, "words"_a);
  module.def("prune_options", &prune_options, "words"_a, "own"_a, "detail"_a);
  module.def("score_options", &read_alone<options::read_score_options>, "words"_a);
  module.def("evaluate_options", &evaluate_options, "words"_a, "teams"_a, "model_count"_a);
  module.def("prune_defaults", &defaults_of<PruneOptions>, "The defaults, as JSON.");
  module.def("score_defaults", &defaults_of<ScoreOptions>, "The defaults, as JSON.");
  module.def("default_size", &default_size, "model_count"_a,
             "Members wanted where none are asked.");
  module.def("votes", [] { return words_of(all_votes); }, "The votes that there are.");
  module.def(
      "adds_scores",
      [](std::string_view vote, std::string_view kind) {
        return adds_scores(options::parse_choice("vote", vote, all_votes),
                           options::parse_choice("kind", kind, all_kinds));
      },
      "vote"_a, "kind"_a, "Whether a vote adds scores up, and does not count labels.");
  module.def("kinds", [] { return words_of(all_kinds); }, "The kinds of predictions.");
  module.def(
      "pruning_metrics", [] { return words_of(pruning_metrics()); }, "What teams are pruned by.");
  module.attr("max_model_count") = max_model_count;
  module.attr("most_models_for_every_team") = most_models_for_every_team;
  module.def("parse_threads", &options::parse_threads, "word"_a, "A number of threads.");
  module.def("parse_sizes", &options::parse_sizes, "option"_a, "word"_a,
             "'3:6' or '3,5' as sizes.");
  module.def("parse_fraction_range", &options::parse_fraction_range, "option"_a, "word"_a,
             "'0.05:0.35:0.05' or '5%,10%' as fractions.");
}

}  // namespace hqe::python
