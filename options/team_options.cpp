// SPDX-License-Identifier: MIT
#include "options/team_options.h"

#include <fmt/core.h>

#include <tuple>

#include "options/prune_options.h"
#include "options/words.h"

namespace hqe::options {

namespace {

constexpr const char* size_about = "Size of the teams, or a range: 2:4 means 2, 3 and 4.";

void add_limit(OptionList& list, std::uint64_t& limit, std::string_view verb) {
  list.push_back(
      {"max_candidates", "N", fmt::format("Refuse to {} more teams (default: {}).", verb, limit),
       [&limit](const std::string& word) { limit = parse_count("max_candidates", word, 1); }});
}

}  // namespace

void add_score_options(OptionList& list, ScoreWords& score) {
  ScoreOptions& options = score.options;
  list.push_back({"size", "S", size_about, [&score](const std::string& word) {
                    score.has_size = true;
                    std::tie(score.options.size_min, score.options.size_max) =
                        parse_size_range("size", word);
                  }});
  list.push_back({"focal", "", "Also the unscaled score on each focal model's failures.",
                  [&options](const std::string&) { options.focal = true; }});
  add_metrics_option(list, options.metrics, false);
  add_weights_option(list, options.weights);
  add_sample_options(list, options.sample, score.seed);
  add_limit(list, options.max_candidates, "score");
}

ScoreOptions ScoreWords::settled() const {
  ScoreOptions settled = options;
  settled.sample = settled_sample(options.sample, seed);
  return settled;
}

ScoreOptions read_score_options(const Words& words) {
  return read_words<ScoreWords>(words, add_score_options).settled();
}

void add_evaluate_options(OptionList& list, EvaluateWords& evaluate) {
  EvaluateOptions& options = evaluate.options;
  list.push_back({"size", "S", size_about, [&options](const std::string& word) {
                    std::tie(options.size_min, options.size_max) = parse_size_range("size", word);
                  }});
  list.push_back({"teams", "TEAM", teams_help,
                  [&evaluate](const std::string& word) { evaluate.teams.push_back(word); }, true});
  add_limit(list, options.max_candidates, "evaluate");
  add_vote_options(list, evaluate.vote, true);
}

EvaluateOptions EvaluateWords::settled(const std::vector<NamedTeam>& named, int model_count) const {
  EvaluateOptions settled = options;
  for (const NamedTeam& team : named) settled.teams.emplace_back(team.members);
  settled.vote = vote_of_teams(vote, named, named.size() == 1 && !settled.size_min, model_count);
  return settled;
}

EvaluateOptions read_evaluate_options(const Words& words, const std::vector<NamedTeam>& teams,
                                      int model_count) {
  return read_words<EvaluateWords>(words, add_evaluate_options).settled(teams, model_count);
}

}  // namespace hqe::options
