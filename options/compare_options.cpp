// SPDX-License-Identifier: MIT
#include "options/compare_options.h"

#include <fmt/core.h>

#include "hqe/evaluation/contests.h"
#include "options/prune_options.h"
#include "options/words.h"

namespace hqe::options {

namespace {

Method method_of(const std::string& word) {
  if (const auto method = parse_method(lower(word))) return *method;
  const std::string allowed = words_of(all_methods());
  throw UnknownChoice(fmt::format("unknown method '{}'. Use one of {}.", word, allowed), allowed);
}

void add_method_options(OptionList& list, CompareOptions& options) {
  const CompareOptions defaults;
  list.push_back(
      {"methods", "NAME", "Only this method; repeatable (default: all, see docs/methods.md).",
       [&options](const std::string& word) { options.methods.push_back(method_of(word)); }, true});
  list.push_back(
      {"beta", "B",
       fmt::format("Share of a tier that hierarchical pruning prunes (default: {}).",
                   defaults.beta.front()),
       [&options](const std::string& word) { options.beta = parse_fractions("beta", word); }});
  list.push_back(
      {"keep", "K", "A tier of hierarchical pruning keeps at most its K best teams.",
       [&options](const std::string& word) { options.keep = parse_count("keep", word, 1); }});
  list.push_back({"max_evaluate", "N",
                  fmt::format("Above N teams exhaustive search is left out (default: {}).",
                              defaults.max_evaluate),
                  [&options](const std::string& word) {
                    options.max_evaluate = parse_count("max_evaluate", word, 1);
                  }});
  list.push_back(
      {"time_limit", "SECONDS",
       "Stop each branch-and-bound search after this time, with the best team found and a proven "
       "bound (default: a fixed amount of work, some seconds).",
       [&options](const std::string& word) {
         options.time_limit = parse_number("time_limit", word);
       }});
  list.push_back({"no_times", "", "Leave out how long choosing took, the one thing that varies.",
                  [&options](const std::string&) { options.times = false; }});
}

std::string default_size_text() {
  return fmt::format("min({}, M/2)", HierarchicalOptions{}.desired_size);
}

/// The options of a verb whose words are its own and those of the vote.
template <typename Options>
Options read_with_vote(const Words& words, void (*add_own)(OptionList&, Options&)) {
  struct Asked {
    Options options;
    VoteWords vote;
  };
  Asked asked = read_words<Asked>(words, [add_own](OptionList& list, Asked& filled) {
    add_own(list, filled.options);
    add_vote_options(list, filled.vote);
  });
  asked.options.vote = asked.vote.settled();
  return asked.options;
}

}  // namespace

void add_compare_options(OptionList& list, CompareOptions& options) {
  const CompareOptions defaults;
  list.push_back(
      {"size", "S",
       fmt::format("Members of a team (default: {}, at least 2).", default_size_text()),
       [&options](const std::string& word) { options.size = parse_int("size", word, 1); }});
  list.push_back(
      {"repeats", "R", fmt::format("Splits (default: {}).", defaults.repeats),
       [&options](const std::string& word) { options.repeats = parse_int("repeats", word, 1); }});
  list.push_back(
      {"seed", "K", fmt::format("Seed of splits and methods (default: {}).", defaults.seed),
       [&options](const std::string& word) { options.seed = parse_count("seed", word); }});
  add_budget_option(list, options.budget);
  add_method_options(list, options);
}

void add_front_options(OptionList& list, FrontOptions& options) {
  list.push_back(
      {"size", "S",
       fmt::format("Above {} models: teams that methods choose have 2 to S members (default: {}).",
                   most_models_for_every_team, default_size_text()),
       [&options](const std::string& word) { options.size = parse_int("size", word, 1); }});
  list.push_back(
      {"seed", "K",
       fmt::format(
           "Seed of the methods above {} models, and of halves that judge cascades (default: {}).",
           most_models_for_every_team, FrontOptions{}.seed),
       [&options](const std::string& word) { options.seed = parse_count("seed", word); }});
}

CompareOptions read_compare_options(const Words& words) {
  return read_with_vote<CompareOptions>(words, add_compare_options);
}

FrontOptions read_front_options(const Words& words) {
  return read_with_vote<FrontOptions>(words, add_front_options);
}

}  // namespace hqe::options
