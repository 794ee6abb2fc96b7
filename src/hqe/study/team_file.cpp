// SPDX-License-Identifier: MIT
#include "hqe/study/team_file.h"

#include <fmt/core.h>

#include <algorithm>

#include "hqe/base/error.h"

namespace hqe {
namespace {

TeamFile::Exit exit_of(const EarlyExit& exit, const Team& team, const TeamFile& file) {
  TeamFile::Exit result{.order = {},
                        .bound = exit.bound,
                        .cost = exit.cost,
                        .full_cost = exit.full_cost,
                        .expected_models = exit.selection.expected_models,
                        .expected_cost = exit.selection.expected_cost};
  for (const ModelId model : exit.selection.order) {
    result.order.push_back(
        static_cast<std::size_t>(std::ranges::lower_bound(team, model) - team.begin()));
  }
  // Studies of older versions do not tell.
  if (file.adds_scores() && !result.bound) {
    result.bound = file.kind == Kind::logits ? 1 : widest_score_bound;
  }
  return result;
}

TeamFile::Expected expected_of(const Study& study) {
  const TeamFigures& figures = study.recommended->figures;
  const Trust& trust = study.trust;
  const auto recommended =
      std::ranges::find(trust.teams, JudgedRule::recommended, &SideBySide::rule);
  if (recommended != trust.teams.end() && recommended->held_out) {
    const AccuracyFigures& held_out = *recommended->held_out;
    return {.accuracy = held_out.accuracy(),
            .interval = held_out.interval,
            .judged_on = trust.held_out,
            .samples = held_out.samples};
  }
  const std::uint64_t samples = study.pool.sample_count;
  return {
      .accuracy = static_cast<double>(figures.correct) / static_cast<double>(samples),
      .interval = trust.chosen ? trust.chosen->interval : wilson_interval(figures.correct, samples),
      .judged_on = HeldOut::nothing,
      .samples = samples};
}

[[noreturn]] void refuse(const Pool& pool, const std::string& reason, const std::string& advice) {
  throw InputError(pool.name, "", reason, advice);
}

void check_kind(const TeamFile& file, const Pool& pool) {
  const bool fits = adds_scores(file.vote, pool.kind) == file.adds_scores() &&
                    (!file.adds_scores() || has_scores(pool.kind)) &&
                    (file.kind == Kind::correctness) == (pool.kind == Kind::correctness);
  if (fits) return;
  refuse(pool,
         fmt::format("holds {}, and the {} vote of the team was chosen on {}", to_string(pool.kind),
                     to_string(file.vote), to_string(file.kind)),
         "Give predictions of the kind that the team was chosen on");
}

void match_classes(const TeamFile& file, Pool& pool) {
  // Nobody said how many classes there are: labels only show the largest that occurs.
  const bool is_guessed = pool.kind == Kind::labels && pool.class_names.empty();
  if (is_guessed && pool.class_count < file.class_count) pool.class_count = file.class_count;
  if (pool.class_count != file.class_count) {
    refuse(pool,
           fmt::format("has {} classes, and the team was chosen on {}", pool.class_count,
                       file.class_count),
           "The classes must be those of the team, in its order");
  }
  if (file.class_names.empty()) return;
  if (pool.class_names.empty()) pool.class_names = file.class_names;
  const auto [here, there] = std::ranges::mismatch(pool.class_names, file.class_names);
  if (here == pool.class_names.end()) return;
  refuse(pool,
         fmt::format("class {} is called \"{}\", and the team calls it \"{}\"",
                     here - pool.class_names.begin(), *here, *there),
         "The classes must be those of the team, in its order");
}

/// Where each member is in a pool whose models have no names.
std::vector<ModelId> match_positions(const TeamFile& file, Pool& pool) {
  std::vector<ModelId> members;
  for (const TeamFile::Member& member : file.members) {
    const auto model = std::ranges::find(pool.models, member.name, &Model::name);
    if (model == pool.models.end()) break;
    members.push_back(static_cast<ModelId>(model - pool.models.begin()));
  }
  const bool is_same_pool =
      members.size() == file.members.size() && pool.model_count() == file.model_count;
  if (!is_same_pool && pool.model_count() != file.size()) {
    refuse(pool,
           fmt::format("its {} models have no names, and the team has {} members",
                       pool.model_count(), file.size()),
           "Name the models, or give the members alone, in the team's order");
  }
  pool.notes.emplace_back("the models have no names: the team's members were matched by position");
  if (is_same_pool) return members;
  const Team everybody = Team::all(file.size());
  return {everybody.begin(), everybody.end()};
}

}  // namespace

TeamFile team_file_of(const Study& study) {
  if (!study.recommended) {
    throw UsageError("the study recommends no team, so there is none to write");
  }
  const PoolSummary& pool = study.pool;
  const Team& team = study.recommended->figures.team;
  TeamFile file{.name = pool.name,
                .kind = pool.kind,
                .sample_count = pool.sample_count,
                .model_count = static_cast<int>(pool.models.size()),
                .members = {},
                .vote = study.vote,
                .ties = study.options.vote.ties,
                .weights = {},
                .temperature = {},
                .class_count = pool.class_count,
                .class_names = pool.class_names,
                .early_exit = {},
                .expected = expected_of(study),
                .costs = team_costs(pool, team.view())};
  for (const ModelId model : team) {
    file.members.push_back({pool.models[model].name, pool.models[model].correct});
    if (!study.weights.empty()) file.weights.push_back(study.weights[model]);
  }
  if (study.recommended->serving) file.temperature = study.recommended->serving->temperature;
  if (study.recommended->early_exit) {
    file.early_exit = exit_of(*study.recommended->early_exit, team, file);
  }
  return file;
}

std::vector<Message> warnings_of(const TeamFile& file) {
  // Of the predictions only a team without any weight has no temperature.
  const bool has_shares = file.weights.empty() || std::ranges::max(file.weights) > 0;
  if (!file.adds_scores() || file.temperature || !has_shares) return {};
  return {Message(fmt::format(
      "the team has no temperature{}: {} the scores of every class, which a digest does not keep, "
      "so that probabilities are as the members give them. Make the team from the predictions",
      file.early_exit ? "" : " and no order in which to stop early",
      file.early_exit ? "it needs" : "both need"))};
}

TeamVote team_vote(const TeamFile& file) {
  TeamVote vote{.vote = file.vote,
                .ties = file.ties,
                .class_count = file.class_count,
                .has_scores = file.adds_scores(),
                .largest_score = 1,
                .weights = file.weights};
  if (file.adds_scores() && file.kind == Kind::probabilities) {
    vote.largest_score = widest_score_bound;
  }
  if (file.early_exit && file.early_exit->bound) vote.largest_score = *file.early_exit->bound;
  for (const TeamFile::Member& member : file.members) vote.correct.push_back(member.correct);
  return vote;
}

std::vector<ModelId> match_team(const TeamFile& file, Pool& pool) {
  check_kind(file, pool);
  match_classes(file, pool);
  if (!pool.has_names) return match_positions(file, pool);
  std::vector<std::string> names;
  for (const TeamFile::Member& member : file.members) names.push_back(member.name);
  const auto found = find_models(pool, names);
  std::vector<ModelId> members;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!found[i]) {
      refuse(pool, fmt::format("the team's member \"{}\" is not in this pool", names[i]),
             "Every member of the team must be there, by its name");
    }
    members.push_back(*found[i]);
  }
  return members;
}

VoteOptions vote_of(const TeamFile& file, const std::vector<ModelId>& members, int model_count) {
  VoteOptions options{.vote = file.vote, .weights = {}, .ties = file.ties};
  const auto models = static_cast<std::size_t>(model_count);
  if (!file.weights.empty()) options.weights.resize(models);
  options.correct.resize(models);
  for (std::size_t place = 0; place < members.size(); ++place) {
    if (!file.weights.empty()) options.weights[members[place]] = file.weights[place];
    options.correct[members[place]] = file.members[place].correct;
  }
  return options;
}

}  // namespace hqe
