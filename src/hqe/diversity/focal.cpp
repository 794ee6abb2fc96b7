// SPDX-License-Identifier: MIT
#include "hqe/diversity/focal.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <type_traits>

#include "hqe/base/words.h"
#include "hqe/bits/divide.h"

namespace hqe {

/// The lowest and highest q_f among the teams that contain f.
struct FocalPasses::Extent {
  double lowest = std::numeric_limits<double>::infinity();
  double highest = -std::numeric_limits<double>::infinity();

  void add(const Extent& other) {
    lowest = std::min(lowest, other.lowest);
    highest = std::max(highest, other.highest);
  }
};

/// What a member's weight and scaling need, asked of the source once a model instead of once a
/// team.
struct FocalPasses::Member {
  bool ever_fails = false;
  std::uint64_t correct = 0;
  Extent extent;
};

/// The same, to tell about where a team's score lies without dividing.
struct FocalPasses::Rough {
  double lowest = 0, slope = 0;  ///< Of the scaling.
  double constant = 0;           ///< What is added: one half where all are alike.
  double counts = 0;             ///< 1, or 0 of a model without a focal view.
};

/// Those of a list that are looked at more closely.
struct FocalPasses::FewTeams {
  std::vector<std::size_t> places;
  std::vector<ModelId> flat;
  std::vector<int> twice;
  std::vector<double> scores;
};

namespace {

constexpr std::array weights_words{Word{Weights::rank, "rank"}, Word{Weights::uniform, "uniform"}};
static_assert(have_words(all_weights, weights_words));

using Extent = FocalPasses::Extent;
using Member = FocalPasses::Member;
using Rough = FocalPasses::Rough;
using FewTeams = FocalPasses::FewTeams;

constexpr std::size_t most_remembered_bytes = std::size_t{512} << 20;
/// What a cache holds is read again for less than even a quick source is asked again.
constexpr std::size_t most_cached_bytes = std::size_t{4} << 20;
/// What they score stays in the second cache.
constexpr std::uint64_t teams_a_range = 1024;
/// Where q_f differs by less, all teams are alike to f.
constexpr double all_alike_range = 1e-12;

/// The members of some teams, by their ids.
std::vector<Member> members_of(const FocalSource& source, std::span<const Extent> extents) {
  std::vector<Member> members(extents.size());
  for (std::size_t id = 0; id < members.size(); ++id) {
    if (extents[id].lowest > extents[id].highest) continue;  // In no team.
    const auto model = static_cast<ModelId>(id);
    members[id] = {source.ever_fails(model), source.correct(model), extents[id]};
  }
  return members;
}

/// Twice the weight of each member, a whole number: twice its mean rank. ranking_of() in statistics
/// sorts and makes vectors; this is called once a team, and comparing a few members with each other
/// takes neither. Inline for the same reason.
[[gnu::always_inline]] inline void find_twice_weights(std::span<const Member> members,
                                                      Weights weights, const ModelId* team,
                                                      std::size_t size, int* twice) {
  std::fill_n(twice, size, 2);
  if (weights == Weights::uniform) return;
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = i + 1; j < size; ++j) {
      const std::uint64_t left = members[team[i]].correct, right = members[team[j]].correct;
      const int behind = (left < right ? 1 : 0) - (left > right ? 1 : 0);
      twice[i] += 1 - behind;
      twice[j] += 1 + behind;
    }
  }
}

/// Weighs the scores of some teams; `q` is lost. `Size` is a number, or a constant
/// that the compiler knows.
template <class Size>
void weigh_teams(std::span<const Member> members, Weights weights, std::span<const ModelId> flat,
                 Size team_size, std::span<double> q, std::vector<double>& divisors,
                 std::vector<int>& twice, std::span<double> result) {
  const std::size_t size = team_size;
  divisors.resize(q.size());
  for (std::size_t i = 0; i < q.size(); ++i) {
    const Extent& extent = members[flat[i]].extent;
    const double range = extent.highest - extent.lowest;
    const bool all_alike = range <= all_alike_range;
    q[i] = all_alike ? 0.5 : q[i] - extent.lowest;
    divisors[i] = all_alike ? 1 : range;
  }
  divide_each(q, divisors);
  twice.resize(size);
  for (std::size_t team = 0; team < result.size(); ++team) {
    const ModelId* ids = &flat[team * size];
    find_twice_weights(members, weights, ids, size, twice.data());
    double sum = 0, weight_sum = 0;
    for (std::size_t place = 0; place < size; ++place) {
      if (!members[ids[place]].ever_fails) continue;
      const double weight = twice[place] / 2.0;
      sum += weight * q[team * size + place];
      weight_sum += weight;
    }
    result[team] = weight_sum == 0 ? 0 : sum;
    divisors[team] = weight_sum == 0 ? 1 : weight_sum;
  }
  divide_each(result, std::span(divisors).first(result.size()));
}

Rough rough_of(const Member& member) {
  const double range = member.extent.highest - member.extent.lowest;
  if (!member.ever_fails || !(range >= 0)) return {};
  if (range <= all_alike_range) return {.constant = 0.5, .counts = 1};
  return {.lowest = member.extent.lowest, .slope = 1 / range, .counts = 1};
}

/// Moves the teams whose score may reach the floor, with their q, to the front; their places.
template <class Size>
void keep_reaching(std::span<const Member> members, std::span<const Rough> roughs, Weights weights,
                   std::span<const ModelId> flat, Size team_size, double floor, std::span<double> q,
                   FewTeams& few) {
  // Scores are in [0, 1] and some roundings off.
  const double lowest = floor - 1e-10;
  const std::size_t size = team_size;
  few.places.clear();
  few.flat.clear();
  few.twice.resize(size);
  for (std::size_t at = 0; at < q.size(); at += size) {
    const ModelId* ids = &flat[at];
    find_twice_weights(members, weights, ids, size, few.twice.data());
    double sum = 0, weight_sum = 0;
    for (std::size_t place = 0; place < size; ++place) {
      const Rough& rough = roughs[ids[place]];
      const double weight = few.twice[place] * rough.counts;
      sum += weight * (rough.constant + (q[at + place] - rough.lowest) * rough.slope);
      weight_sum += weight;
    }
    if (sum < lowest * weight_sum) continue;
    std::copy_n(&q[at], size, &q[few.flat.size()]);
    few.flat.insert(few.flat.end(), ids, ids + size);
    few.places.push_back(at / size);
  }
}

}  // namespace

std::string_view to_string(Weights weights) { return word_of(weights_words, weights); }

std::optional<Weights> parse_weights(std::string_view word) {
  return value_of(weights_words, word);
}

struct FocalPasses::State {
  /// What one worker needs again and again.
  struct Worker {
    std::vector<Extent> extents;
    std::vector<double> q, divisors;
    std::vector<int> twice;
    FewTeams few;
  };

  const FocalSource& source;
  Metric baseline;
  Weights weights;
  std::vector<Worker> workers;
  std::vector<Member> members;
  std::vector<Rough> roughs;

  void weigh_flat(std::span<const ModelId> flat, std::size_t size, Worker& own, std::span<double> q,
                  std::span<double> scores) const {
    const auto weigh_all = [&](auto team_size) {
      weigh_teams(members, weights, flat, team_size, q, own.divisors, own.twice, scores);
    };
    if (size == 3) return weigh_all(std::integral_constant<std::size_t, 3>());
    weigh_all(size);
  }
};

FocalPasses::FocalPasses(const FocalSource& source, Metric metric, Weights weights, const Run& run)
    : state_(std::make_unique<State>(
          State{source,
                baseline_of(metric),
                weights,
                std::vector<State::Worker>(static_cast<std::size_t>(run.thread_count())),
                {},
                {}})) {
  for (State::Worker& own : state_->workers) {
    own.extents.resize(static_cast<std::size_t>(source.model_count()));
  }
}

FocalPasses::~FocalPasses() = default;

void FocalPasses::look_at(const TeamList& teams, std::size_t begin, std::size_t end, int worker) {
  State::Worker& own = state_->workers[static_cast<std::size_t>(worker)];
  own.q.resize((end - begin) * static_cast<std::size_t>(teams.team_size()));
  look_at(teams, begin, end, worker, own.q);
}

void FocalPasses::look_at(const TeamList& teams, std::size_t begin, std::size_t end, int worker,
                          std::span<double> q) {
  if (begin == end) return;
  auto& extents = state_->workers[static_cast<std::size_t>(worker)].extents;
  state_->source.focal_negative_correlations(state_->baseline, teams, begin, end, q);
  const ModelId* ids = teams[begin].data();
  for (std::size_t i = 0; i < q.size(); ++i) extents[ids[i]].add({q[i], q[i]});
}

void FocalPasses::settle() {
  std::vector<Extent> extents(static_cast<std::size_t>(state_->source.model_count()));
  for (const State::Worker& own : state_->workers) {
    for (std::size_t m = 0; m < extents.size(); ++m) extents[m].add(own.extents[m]);
  }
  state_->members = members_of(state_->source, extents);
  state_->roughs.resize(state_->members.size());
  std::ranges::transform(state_->members, state_->roughs.begin(), rough_of);
}

void FocalPasses::score(const TeamList& teams, std::size_t begin, std::size_t end, int worker,
                        std::span<double> scores) {
  score(teams, begin, end, worker, -std::numeric_limits<double>::infinity(), scores);
}

void FocalPasses::score(const TeamList& teams, std::size_t begin, std::size_t end, int worker,
                        double floor, std::span<double> scores) {
  State::Worker& own = state_->workers[static_cast<std::size_t>(worker)];
  const auto size = static_cast<std::size_t>(teams.team_size());
  own.q.resize((end - begin) * size);
  state_->source.focal_negative_correlations(state_->baseline, teams, begin, end, own.q);
  if (std::isinf(floor)) return weigh(teams, begin, end, worker, own.q, scores);
  const auto keep = [&](auto team_size) {
    keep_reaching(state_->members, state_->roughs, state_->weights,
                  teams.flat().subspan(begin * size, own.q.size()), team_size, floor, own.q,
                  own.few);
  };
  if (size == 3) {
    keep(std::integral_constant<std::size_t, 3>());
  } else {
    keep(size);
  }
  std::ranges::fill(scores, -std::numeric_limits<double>::infinity());
  own.few.scores.resize(own.few.places.size());
  state_->weigh_flat(own.few.flat, size, own, std::span(own.q).first(own.few.flat.size()),
                     own.few.scores);
  for (std::size_t i = 0; i < own.few.places.size(); ++i) {
    scores[own.few.places[i]] = own.few.scores[i];
  }
}

void FocalPasses::weigh(const TeamList& teams, std::size_t begin, std::size_t end, int worker,
                        std::span<double> q, std::span<double> scores) {
  assert(scores.size() == end - begin);
  const auto size = static_cast<std::size_t>(teams.team_size());
  state_->weigh_flat(teams.flat().subspan(begin * size, q.size()), size,
                     state_->workers[static_cast<std::size_t>(worker)], q, scores);
}

std::vector<double> focal_scores(const FocalSource& source, Metric metric, Weights weights,
                                 const TeamList& teams, const Run& run) {
  assert(teams.team_size() >= 2);
  const auto size = static_cast<std::size_t>(teams.team_size());
  const bool remember =
      teams.flat().size() * sizeof(double) <=
      (source.is_quick(teams.team_size()) ? most_cached_bytes : most_remembered_bytes);
  std::vector<double> remembered(remember ? teams.flat().size() : 0);
  const auto remembered_of = [&](std::uint64_t begin, std::uint64_t end) {
    return std::span(remembered).subspan(begin * size, (end - begin) * size);
  };
  FocalPasses passes(source, metric, weights, run);
  parallel_for(run, "scoring teams", teams.size(), teams_a_range,
               [&](std::uint64_t begin, std::uint64_t end, int worker) {
                 if (!remember) return passes.look_at(teams, begin, end, worker);
                 passes.look_at(teams, begin, end, worker, remembered_of(begin, end));
               });
  passes.settle();
  std::vector<double> result(teams.size());
  parallel_for(run, "weighing scores", teams.size(), teams_a_range,
               [&](std::uint64_t begin, std::uint64_t end, int worker) {
                 const auto scores = std::span(result).subspan(begin, end - begin);
                 if (!remember) return passes.score(teams, begin, end, worker, scores);
                 passes.weigh(teams, begin, end, worker, remembered_of(begin, end), scores);
               });
  return result;
}

}  // namespace hqe
