// SPDX-License-Identifier: MIT
#include "hqe/documents/json_packed.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "hqe/diversity/metric.h"
#include "hqe/documents/packed_column.h"

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

/// Scores are compared after rounding to 12 decimals: fine enough for these to come out right.
constexpr double exact_unit = 2e-13;

/// Scores at drawing precision, and what the listed ones lack to be exact.
void write_scores(JsonWriter& json, const Scored& scored, ScoredForm form) {
  const auto [low, high] = std::ranges::minmax(scored.scores);
  const double spread = (high - low) / drawing_steps;
  const double step = spread > 0 ? spread : 1;  // Scores may be so close that it is 0.
  // Never finer than 32 bits can say: a file from elsewhere may hold any number as a score.
  const double unit = std::max(exact_unit, step / (std::int64_t{1} << 31));
  const std::int64_t half = std::llround(step / 2 / unit) + 1;
  Integers steps;
  Integers rests;
  steps.reserve(scored.scores.size());
  for (std::size_t i = 0; i < scored.scores.size(); ++i) {
    const auto drawn = static_cast<std::uint32_t>(std::lround((scored.scores[i] - low) / step));
    steps.push_back(drawn);
    const bool kept = !scored.fates.empty() && scored.fates[i] == StudyDetail::Fate::kept;
    if (form == ScoredForm::big && !kept) continue;
    const double rest = scored.scores[i] - (low + step * drawn);
    rests.push_back(static_cast<std::uint32_t>(half + std::llround(rest / unit)));
  }
  write_packed_column(json, "score", steps, low, step);
  if (!rests.empty()) {
    write_packed_column(json, "score_rest", rests, -static_cast<double>(half) * unit, unit);
  }
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

void write_packed_fates(JsonWriter& json, const std::vector<StudyDetail::Fate>& fates) {
  if (fates.empty()) return;
  Integers kept;
  kept.reserve(fates.size());
  for (const StudyDetail::Fate fate : fates) kept.push_back(fate == StudyDetail::Fate::kept);
  write_packed_column(json, "fate", kept);
}

/// The metric to draw: the last focal one, otherwise the first.
const Scored& shown(const std::vector<Scored>& all) {
  const Scored* chosen = &all.front();
  for (const Scored& scored : all) {
    const auto metric = parse_metric(scored.metric);
    if (metric && is_focal(*metric)) chosen = &scored;
  }
  return *chosen;
}

/// "GD" of "F-GD", and of itself.
std::string_view baseline_name(std::string_view name) {
  const auto metric = parse_metric(name);
  return metric ? to_string(baseline_of(*metric)) : name;
}

/// Every metric, or in a big page the one to draw and its baseline where that is not longer.
std::vector<const Scored*> written(const std::vector<Scored>& all, ScoredForm form) {
  std::vector<const Scored*> chosen;
  if (form == ScoredForm::big) {
    const Scored& focal = shown(all);
    chosen.push_back(&focal);
    const auto other = std::ranges::find(all, baseline_name(focal.metric), &Scored::metric);
    if (other != all.end() && &*other != &focal && other->teams == focal.teams) {
      chosen.push_back(&*other);
    }
  } else {
    for (const Scored& scored : all) chosen.push_back(&scored);
  }
  return chosen;
}

}  // namespace

ScoredForm page_form(const StudyDetail& detail) {
  std::size_t all = 0;
  std::size_t most = 0;
  for (const Scored& scored : detail.scored) {
    all += scored.teams.size();
    most = std::max(most, scored.teams.size());
  }
  return most > big_above     ? ScoredForm::big
         : all > packed_above ? ScoredForm::packed
                              : ScoredForm::shared;
}

void write_packed_scored(JsonWriter& json, const StudyDetail& detail, ScoredForm form) {
  json.line().key("scored").begin_array();
  const std::vector<const Scored*> metrics = written(detail.scored, form);
  for (auto at = metrics.begin(); at != metrics.end(); ++at) {
    const Scored& scored = **at;
    json.line().begin_object().field("metric", std::string_view(scored.metric));
    json.key("packed").begin_object();
    const auto same = std::find_if(metrics.begin(), at, [&](const Scored* earlier) {
      return has_columns_of(scored, *earlier);
    });
    if (same != at) {
      json.field("teams_of", std::string_view((*same)->metric));
    } else {
      write_teams(json, scored.teams);
      write_counts(json, "correct", scored.correct);
      write_counts(json, "test_correct", scored.test_correct);
    }
    if (!scored.scores.empty()) write_scores(json, scored, form);
    write_packed_fates(json, scored.fates);
    json.end_object().end_object();
  }
  json.end_array();
}

bool has_columns_of(const Scored& scored, const Scored& earlier) {
  return scored.teams == earlier.teams && scored.correct == earlier.correct &&
         scored.test_correct == earlier.test_correct;
}

}  // namespace hqe
