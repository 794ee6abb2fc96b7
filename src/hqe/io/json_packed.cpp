// SPDX-License-Identifier: MIT
#include "hqe/io/json_packed.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "hqe/io/packed_column.h"

namespace hqe {
namespace {

using Scored = StudyDetail::ScoredTeams;
using Integers = std::vector<std::uint32_t>;

/// No screen shows more steps than this between the lowest and the highest score.
constexpr double drawing_steps = 4096;

/// Teams come in size order, so those of one size lie together: [begin, end) of each.
struct Stretch {
  std::size_t begin = 0, end = 0, size = 0;
};

std::vector<Stretch> stretches(const TeamTable& teams) {
  std::vector<Stretch> result;
  for (std::size_t i = 0; i < teams.size(); ++i) {
    if (result.empty() || result.back().size != teams[i].size()) {
      result.push_back({.begin = i, .end = i, .size = teams[i].size()});
    }
    result.back().end = i + 1;
  }
  return result;
}

void write_teams(JsonWriter& json, const TeamTable& teams) {
  const std::vector<Stretch> tiers = stretches(teams);
  json.key("tiers").begin_array();
  for (const Stretch& tier : tiers) {
    json.begin_object()
        .field("size", std::uint64_t{tier.size})
        .field("count", std::uint64_t{tier.end - tier.begin})
        .end_object();
  }
  json.end_array();
  Integers members;
  for (const Stretch& tier : tiers) {
    for (std::size_t place = 0; place < tier.size; ++place) {
      for (std::size_t i = tier.begin; i < tier.end; ++i) members.push_back(teams[i][place]);
    }
  }
  write_packed_column(json, "members", members);
}

void write_scores(JsonWriter& json, const std::vector<double>& scores) {
  const auto [low, high] = std::ranges::minmax(scores);
  const double step = high > low ? (high - low) / drawing_steps : 1;
  Integers steps;
  steps.reserve(scores.size());
  for (const double score : scores) {
    steps.push_back(static_cast<std::uint32_t>(std::lround((score - low) / step)));
  }
  write_packed_column(json, "score", steps, low, step);
}

void write_counts(JsonWriter& json, std::string_view name,
                  const std::vector<std::uint64_t>& counts) {
  if (counts.empty()) return;
  const std::uint64_t least = std::ranges::min(counts);
  Integers above;
  above.reserve(counts.size());
  for (const std::uint64_t count : counts)
    above.push_back(static_cast<std::uint32_t>(count - least));
  write_packed_column(json, name, above, static_cast<double>(least));
}

void write_fates(JsonWriter& json, const std::vector<StudyDetail::Fate>& fates) {
  if (fates.empty()) return;
  Integers kept;
  kept.reserve(fates.size());
  for (const StudyDetail::Fate fate : fates) kept.push_back(fate == StudyDetail::Fate::kept);
  write_packed_column(json, "fate", kept);
}

/// The metric to draw: F-GD if it is there (the paper's best), otherwise the last focal one.
const Scored& shown(const StudyDetail& detail) {
  const Scored* chosen = &detail.scored.front();
  for (const Scored& scored : detail.scored) {
    if (scored.metric.starts_with("F-")) chosen = &scored;
  }
  return *chosen;
}

}  // namespace

bool is_packed(const StudyDetail& detail) {
  return std::ranges::any_of(
      detail.scored, [](const Scored& scored) { return scored.teams.size() > packed_above; });
}

void write_packed_scored(JsonWriter& json, const StudyDetail& detail) {
  const Scored& focal = shown(detail);
  json.line().key("scored").begin_array().line().begin_object();
  json.field("metric", std::string_view(focal.metric)).key("packed").begin_object();
  write_teams(json, focal.teams);
  write_scores(json, focal.scores);
  write_fates(json, focal.fates);
  write_counts(json, "correct", focal.correct);
  write_counts(json, "test_correct", focal.test_correct);
  json.end_object().end_object();

  const std::string baseline = focal.metric.substr(focal.metric.starts_with("F-") ? 2 : 0);
  const auto other = std::ranges::find(detail.scored, baseline, &Scored::metric);
  if (other != detail.scored.end() && other->metric != focal.metric &&
      other->teams == focal.teams) {
    json.line().begin_object().field("metric", std::string_view(other->metric));
    json.key("packed").begin_object().field("teams_of", std::string_view(focal.metric));
    write_scores(json, other->scores);
    write_fates(json, other->fates);
    json.end_object().end_object();
  }
  json.end_array();
}

}  // namespace hqe
