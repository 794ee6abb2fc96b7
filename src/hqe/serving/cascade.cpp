// SPDX-License-Identifier: MIT
#include "hqe/serving/cascade.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "hqe/base/words.h"
#include "hqe/ensemble/pareto_front.h"
#include "hqe/predictions/samples.h"
#include "hqe/serving/member_costs.h"
#include "hqe/serving/said.h"

namespace hqe {
namespace {

constexpr std::array stop_words{Word{StopKind::exact, "exact"},
                                Word{StopKind::agreement, "agreement"},
                                Word{StopKind::confidence, "confidence"}};

constexpr std::uint64_t cascade_grain = 256;

/// What the beginnings of an order say of one sample, before its vote is decided. One a thread.
class CascadeWalk {
 public:
  CascadeWalk(const Pool& pool, const TeamVote& vote, TeamView team,
              std::span<const std::size_t> order, const Beginnings& beginnings)
      : said_(pool, vote, team), order_(order), beginnings_(&beginnings), steps_(order.size()) {
    sums_.resize(said_.sums.size());
  }

  void read(std::uint64_t sample) {
    said_.read(sample);
    deciding_ = beginnings_->deciding(said_);
    full_ = said_.outcome(beginnings_->is_in[deciding_], beginnings_->left[deciding_]).answer;
    std::ranges::fill(sums_, 0.0);
    double weights = 0;
    std::int32_t agreed = -1;
    for (std::size_t k = 0; k + 1 < deciding_; ++k) {
      const std::int32_t label = label_of(order_[k]);
      agreed = k == 0 || agreed == label ? label : -1;
      steps_[k] = {.agreed = agreed};
      if (!sums_.empty()) add_shares(order_[k], weights, steps_[k]);
    }
  }

  struct Stop {
    std::size_t after = 0;  ///< So many members.
    std::int32_t answer = -1;
  };
  [[nodiscard]] Stop stop(const StopRule& rule) const {
    for (std::size_t k = 0; k + 1 < deciding_; ++k) {
      const Step& step = steps_[k];
      if (rule.kind == StopKind::agreement && static_cast<int>(k) + 1 == rule.agreeing &&
          step.agreed >= 0) {
        return {.after = k + 1, .answer = step.agreed};
      }
      if (rule.kind == StopKind::confidence && step.confidence >= rule.confidence) {
        return {.after = k + 1, .answer = step.leader};
      }
    }
    return {.after = deciding_, .answer = full_};
  }
  [[nodiscard]] std::int32_t full() const { return full_; }

 private:
  struct Step {
    std::int32_t agreed = -1;  ///< The class that all so far name.
    std::int32_t leader = -1;
    double confidence = -1;  ///< Below every rule's where there are no scores.
  };

  [[nodiscard]] std::int32_t label_of(std::size_t member) const {
    if (!said_.vote.has_scores) return said_.labels[member];
    const std::span row = said_.row(member);
    return static_cast<std::int32_t>(std::ranges::max_element(row) - row.begin());
  }

  void add_shares(std::size_t member, double& weights, Step& step) {
    const double weight = said_.vote.weight(member);
    const std::span row = said_.row(member);
    for (std::size_t c = 0; c < sums_.size(); ++c) sums_[c] += weight * row[c];
    weights += weight;
    if (weights <= 0) return;
    const auto leader = std::ranges::max_element(sums_);
    step.leader = static_cast<std::int32_t>(leader - sums_.begin());
    step.confidence = *leader / weights;
  }

  Said said_;
  std::span<const std::size_t> order_;
  const Beginnings* beginnings_;
  std::vector<Step> steps_;
  std::vector<double> sums_;
  std::size_t deciding_ = 0;
  std::int32_t full_ = -1;
};

/// Whole numbers, so that parts add up in any order.
struct CascadeCounts {
  std::vector<std::uint64_t> ends;  ///< [members]: samples that stop after so many.
  std::uint64_t correct = 0, changed = 0;
};

CascadeRun cascade_run(const CascadeCounts& counts, std::uint64_t samples,
                       std::span<const std::size_t> order, std::span<const double> costs) {
  CascadeRun result{.samples = samples, .correct = counts.correct, .changed = counts.changed};
  std::uint64_t open = samples;
  for (std::size_t k = 0; k < order.size(); ++k) {
    open -= counts.ends[k];
    const double share = static_cast<double>(open) / static_cast<double>(samples);
    result.expected_models += share;
    result.expected_cost += share * costs[order[k]];
  }
  return result;
}

/// Which rules make the front, by their place: exact, then dearest first.
std::vector<std::size_t> front_of(std::span<const CascadeRun> runs) {
  ParetoFront<std::uint64_t, std::size_t> offered;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    offered.offer(runs[i].expected_cost, runs[i].correct, [&] { return i; });
  }
  auto points = offered.points();
  std::ranges::reverse(points);
  std::vector<std::size_t> rows{0};
  for (const auto& point : points) {
    if (point.item != 0) rows.push_back(point.item);
  }
  return rows;
}

}  // namespace

std::string_view to_string(StopKind kind) { return word_of(stop_words, kind); }

std::optional<StopKind> parse_stop_kind(std::string_view word) {
  return value_of(stop_words, word);
}

std::string to_string(const StopRule& stop) {
  switch (stop.kind) {
    case StopKind::exact:
      return "exact exit";
    case StopKind::agreement:
      return fmt::format("first {} agree", stop.agreeing);
    case StopKind::confidence:
      return fmt::format("mean confidence >= {}", stop.confidence);
  }
  return "";
}

std::vector<StopRule> stop_rules(int members, bool has_scores) {
  constexpr std::array confidences{0.999, 0.995, 0.99, 0.98, 0.97, 0.96, 0.95, 0.9, 0.85, 0.8,
                                   0.75,  0.7,   0.65, 0.6,  0.55, 0.5,  0.45, 0.4, 0.35, 0.3};
  std::vector<StopRule> rules{{.kind = StopKind::exact}};
  for (int k = members - 1; k >= 2; --k) {
    rules.push_back({.kind = StopKind::agreement, .agreeing = k});
  }
  if (!has_scores || members < 2) return rules;
  for (const double confidence : confidences) {
    rules.push_back({.kind = StopKind::confidence, .confidence = confidence});
  }
  return rules;
}

std::vector<CascadeRun> run_cascades(const Pool& pool, const VoteRule& rule, TeamView team,
                                     std::span<const std::size_t> order,
                                     std::span<const double> costs, std::span<const StopRule> stops,
                                     const Run& run) {
  const TeamVote vote = team_vote(pool, rule, team);
  const Beginnings beginnings(vote, order);
  const auto threads = static_cast<std::size_t>(run.thread_count());
  std::vector<CascadeWalk> walks(threads, CascadeWalk(pool, vote, team, order, beginnings));
  const CascadeCounts nothing{.ends = std::vector<std::uint64_t>(team.size() + 1)};
  std::vector<std::vector<CascadeCounts>> counts(threads, {stops.size(), nothing});
  parallel_for(run, "running cascades", pool.sample_count, cascade_grain,
               [&](std::uint64_t begin, std::uint64_t end, int number) {
                 const auto worker = static_cast<std::size_t>(number);
                 CascadeWalk& walk = walks[worker];
                 for (std::uint64_t x = begin; x < end; ++x) {
                   walk.read(x);
                   const std::int32_t truth = pool.true_label(x);
                   for (std::size_t i = 0; i < stops.size(); ++i) {
                     const CascadeWalk::Stop stop = walk.stop(stops[i]);
                     CascadeCounts& own = counts[worker][i];
                     ++own.ends[stop.after];
                     own.correct += stop.answer == truth ? 1 : 0;
                     own.changed += stop.answer == walk.full() ? 0 : 1;
                   }
                 }
               });
  std::vector<CascadeRun> result;
  for (std::size_t i = 0; i < stops.size(); ++i) {
    CascadeCounts total = nothing;
    for (const auto& each : counts) {
      total.correct += each[i].correct;
      total.changed += each[i].changed;
      for (std::size_t k = 0; k < total.ends.size(); ++k) total.ends[k] += each[i].ends[k];
    }
    result.push_back(cascade_run(total, pool.sample_count, order, costs));
  }
  return result;
}

CascadeFront cascade_front(const Pool& pool, const VoteRule& rule, TeamView team,
                           std::uint64_t seed, const Run& run, const Pool* test) {
  const MemberCosts costs = member_costs(pool, team);
  CascadeFront front{.cost = costs.cost, .full_cost = costs.sum};
  std::optional<Pool> chosen_on, held_out;
  if (test != nullptr) {
    front.judged_by = ExitJudge::test;
  } else if (pool.sample_count >= fewest_samples_for_exit_halves) {
    const SampleSplit split = split_samples(pool, 0.5, seed);
    chosen_on = samples_of(pool, split.selection);
    held_out = samples_of(pool, split.held_out);
    front.judged_by = ExitJudge::half;
  }
  const Pool& selection = chosen_on ? *chosen_on : pool;
  const Pool* const judge = held_out ? &*held_out : test;
  front.order = early_exit(selection, rule, team, {.judge_on_half = false}, run).selection.order;
  std::vector<std::size_t> places;
  for (const ModelId model : front.order) {
    places.push_back(static_cast<std::size_t>(std::ranges::find(team, model) - team.begin()));
  }
  const std::vector<StopRule> all =
      stop_rules(static_cast<int>(team.size()), adds_scores(rule.vote, pool.kind));
  const std::vector<CascadeRun> runs =
      run_cascades(selection, rule, team, places, costs.of, all, run);
  std::vector<StopRule> stops;
  for (const std::size_t i : front_of(runs)) {
    front.rows.push_back({.stop = all[i], .selection = runs[i], .held_out = std::nullopt});
    stops.push_back(all[i]);
  }
  if (judge == nullptr) return front;
  const std::vector<CascadeRun> judged =
      run_cascades(*judge, rule, team, places, costs.of, stops, run);
  for (std::size_t i = 0; i < judged.size(); ++i) front.rows[i].held_out = judged[i];
  return front;
}

}  // namespace hqe
