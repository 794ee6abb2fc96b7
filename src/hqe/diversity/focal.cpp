// SPDX-License-Identifier: MIT
#include "hqe/diversity/focal.h"

#include <algorithm>
#include <cassert>
#include <limits>

#include "hqe/statistics/ranks.h"

namespace hqe {
namespace {

constexpr std::size_t most_remembered_bytes = std::size_t{512} << 20;
constexpr std::uint64_t teams_a_range = 2048;

/// The lowest and highest q_f among the teams that contain f.
struct Extent {
  double lowest = std::numeric_limits<double>::infinity();
  double highest = -std::numeric_limits<double>::infinity();

  void add(const Extent& other) {
    lowest = std::min(lowest, other.lowest);
    highest = std::max(highest, other.highest);
  }
  [[nodiscard]] double scaled(double q) const {
    return highest - lowest <= 1e-12 ? 0.5 : (q - lowest) / (highest - lowest);
  }
};

/// What a member's weight and scaling need, asked of the source once a model instead of once a
/// team.
struct Member {
  bool ever_fails = false;
  std::uint64_t correct = 0;
  Extent extent;
};

double rank_weight(std::span<const Member> members, TeamView team, ModelId f) {
  double below = 0, equal = 0;
  for (const ModelId other : team) {
    below += members[other].correct < members[f].correct;
    equal += members[other].correct == members[f].correct;
  }
  return mean_rank(below, equal);
}

double focal_score(std::span<const Member> members, Weights weights, TeamView team,
                   const double* q) {
  double sum = 0, weight_sum = 0;
  for (std::size_t place = 0; place < team.size(); ++place) {
    const Member& member = members[team[place]];
    if (!member.ever_fails) continue;
    const double weight = weights == Weights::uniform ? 1 : rank_weight(members, team, team[place]);
    sum += weight * member.extent.scaled(q[place]);
    weight_sum += weight;
  }
  return weight_sum == 0 ? 0 : sum / weight_sum;
}

std::vector<Member> members_of(const FocalSource& source, const TeamList& teams) {
  ModelId last = 0;
  for (std::size_t team = 0; team < teams.size(); ++team) last = std::max(last, teams[team].back());
  std::vector<Member> members;
  for (ModelId member = 0; !teams.empty() && member <= last; ++member) {
    members.push_back({source.ever_fails(member), source.correct(member), {}});
  }
  return members;
}

}  // namespace

std::string_view to_string(Weights weights) {
  return weights == Weights::rank ? "rank" : "uniform";
}

std::optional<Weights> parse_weights(std::string_view word) {
  for (const Weights weights : all_weights) {
    if (to_string(weights) == word) return weights;
  }
  return std::nullopt;
}

std::vector<double> rank_weights(const FocalSource& source, TeamView team) {
  TeamList one(static_cast<int>(team.size()));
  one.push_back(team);
  const std::vector<Member> members = members_of(source, one);
  std::vector<double> weights;
  for (const ModelId f : team) weights.push_back(rank_weight(members, team, f));
  return weights;
}

std::vector<double> focal_scores(const FocalSource& source, Metric metric, Weights weights,
                                 const TeamList& teams, const Run& run) {
  assert(teams.team_size() >= 2);
  const Metric baseline = baseline_of(metric);
  const auto size = static_cast<std::size_t>(teams.team_size());
  std::vector<Member> members = members_of(source, teams);
  const bool remember = teams.flat().size() * sizeof(double) <= most_remembered_bytes;
  std::vector<double> remembered(remember ? teams.flat().size() : 0);

  // A worker's scratch, or its part of what is remembered.
  const auto workers = static_cast<std::size_t>(run.thread_count());
  std::vector<std::vector<double>> scratch(workers);
  const auto scores_of = [&](std::uint64_t begin, std::uint64_t end, int worker) {
    if (remember) return std::span(remembered).subspan(begin * size, (end - begin) * size);
    auto& own = scratch[static_cast<std::size_t>(worker)];
    own.resize((end - begin) * size);
    return std::span(own);
  };

  std::vector<std::vector<Extent>> extents(workers, std::vector<Extent>(members.size()));
  parallel_for(run, "scoring teams", teams.size(), teams_a_range,
               [&](std::uint64_t begin, std::uint64_t end, int worker) {
                 const std::span<double> q = scores_of(begin, end, worker);
                 source.focal_negative_correlations(baseline, teams, begin, end, q);
                 auto& own = extents[static_cast<std::size_t>(worker)];
                 for (std::size_t i = 0; i < q.size(); ++i) {
                   own[teams.flat()[begin * size + i]].add({q[i], q[i]});
                 }
               });
  for (std::size_t m = 0; m < members.size(); ++m) {
    for (const auto& own : extents) members[m].extent.add(own[m]);
  }

  std::vector<double> result(teams.size());
  parallel_for(run, "weighing scores", teams.size(), teams_a_range,
               [&](std::uint64_t begin, std::uint64_t end, int worker) {
                 const std::span<double> q = scores_of(begin, end, worker);
                 if (!remember) {
                   source.focal_negative_correlations(baseline, teams, begin, end, q);
                 }
                 for (std::uint64_t team = begin; team < end; ++team) {
                   result[team] =
                       focal_score(members, weights, teams[team], &q[(team - begin) * size]);
                 }
               });
  return result;
}

}  // namespace hqe
