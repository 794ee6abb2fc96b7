// SPDX-License-Identifier: MIT
#include "hqe/serving/exit_counts.h"

#include <algorithm>
#include <array>

#include "hqe/scan/sample_scores.h"

namespace hqe {
namespace {

bool holds(std::size_t set, std::size_t member) { return (set >> member & 1) != 0; }

}  // namespace

DecidingSetFinder::DecidingSetFinder(const TeamVote& vote)
    : vote_(vote),
      strengths_(strengths_of(vote)),
      members_(vote.correct.size()),
      sums_(static_cast<std::size_t>(vote.has_scores ? vote.class_count : 0)) {
  for (std::size_t set = 0; set < std::size_t{1} << members_; ++set) {
    std::vector<char>& is_in = is_in_.emplace_back(members_);
    for (std::size_t m = 0; m < members_; ++m) is_in[m] = holds(set, m) ? 1 : 0;
    left_.push_back(left_without(vote, is_in));
    deciding_.push_back(deciding_lead(vote, left_.back()));
  }
}

DecidingSets DecidingSetFinder::find_sets(std::span<const std::int32_t> labels) {
  DecidingSets deciding;
  for (std::size_t set = 1; set < left_.size(); ++set) {
    tally_labels(vote_, strengths_, labels, is_in_[set], tallies_);
    deciding[set] = outcome_of_tallies(vote_, tallies_, left_[set]).decided;
  }
  return deciding;
}

DecidingSets DecidingSetFinder::of_labels(std::span<const std::int32_t> labels) {
  // The same few patterns come again and again. The lowest class without a vote is at most S, so
  // beyond it only the order of labels matters: there they are numbered.
  const auto limit = static_cast<std::int32_t>(members_);
  std::array<std::int32_t, most_members_of_every_order> pattern{};
  std::uint64_t key = 0;
  for (std::size_t m = 0; m < members_; ++m) {
    pattern[m] = labels[m];
    if (labels[m] > limit) {
      pattern[m] = limit + 1;
      for (std::size_t other = 0; other < members_; ++other) {
        pattern[m] += labels[other] > limit && labels[other] < labels[m] ? 1 : 0;
      }
    }
    key = key << 8 | static_cast<std::uint64_t>(pattern[m] + 1);
  }
  const auto [known, is_new] = known_.try_emplace(key);
  if (is_new) known->second = find_sets(std::span(pattern).first(members_));
  return known->second;
}

bool DecidingSetFinder::decides(std::size_t set, std::span<const double> rows) {
  const Left& left = left_[set];
  if (left.weight == 0 || sums_.size() == 1) return true;
  double best = 0, second = 0;
  for (const std::size_t label : likely_) {
    double sum = 0;
    for (std::size_t m = 0; m < members_; ++m) {
      if (holds(set, m)) sum += vote_.weight(m) * rows[m * sums_.size() + label];
    }
    second = std::max(second, std::min(best, sum));
    best = std::max(best, sum);
  }
  // No other class has as much as `unlikely_`, of this set neither: rounding never makes more of
  // less.
  const double needed = deciding_[set];
  if (std::max(best, unlikely_) <= needed) return false;
  if (best >= unlikely_) {
    if (best - second <= needed) return false;
    if (best - std::max(second, unlikely_) > needed) return true;
  }
  add_up_scores(vote_, rows, is_in_[set], sums_);
  return outcome_of_scores(vote_, sums_, left).decided;
}

DecidingSets DecidingSetFinder::of_scores(std::span<const double> rows) {
  // Of a thousand classes a few have more than a trifle of what there is to be had.
  const std::size_t all = left_.size() - 1;
  unlikely_ = left_[all].all_weights * vote_.largest_score / 64;
  add_up_scores(vote_, rows, is_in_[all], sums_);
  likely_.clear();
  for (std::size_t label = 0; label < sums_.size(); ++label) {
    if (sums_[label] >= unlikely_) likely_.push_back(label);
  }
  DecidingSets deciding;
  for (std::size_t set = 1; set < left_.size(); ++set) deciding[set] = decides(set, rows);
  return deciding;
}

namespace {

/// What one worker needs to look at samples.
struct ExitWorker {
  ExitWorker(const Pool& pool, const TeamVote& vote)
      : finder(vote),
        labels(vote.correct.size()),
        rows(vote.has_scores ? vote.correct.size() * static_cast<std::size_t>(pool.class_count)
                             : 0) {
    for (auto& counts : open) counts.resize(std::size_t{1} << vote.correct.size());
  }

  void fetch(const Pool& pool, TeamView team, std::uint64_t sample) const {
    if (!rows.empty()) fetch_class_scores(pool, team, sample);
  }

  DecidingSets sets_of(const Pool& pool, TeamView team, std::uint64_t sample) {
    for (std::size_t m = 0; m < team.size(); ++m) {
      if (rows.empty()) {
        labels[m] = predicted_label(pool, team[m], sample);
      } else {
        const std::size_t classes = rows.size() / team.size();
        class_scores(pool, team[m], sample, std::span(rows).subspan(m * classes, classes));
      }
    }
    return rows.empty() ? finder.of_labels(labels) : finder.of_scores(rows);
  }

  DecidingSetFinder finder;
  std::vector<std::int32_t> labels;
  std::vector<double> rows;
  std::array<std::vector<std::uint64_t>, 2> open;
};

}  // namespace

std::array<std::vector<std::uint64_t>, 2> open_counts(const Pool& pool, const VoteRule& rule,
                                                      TeamView team,
                                                      std::span<const std::uint64_t> samples,
                                                      std::span<const char> groups,
                                                      const Run& run) {
  const TeamVote vote = team_vote(pool, rule, team);
  std::vector<ExitWorker> workers(static_cast<std::size_t>(run.thread_count()),
                                  ExitWorker(pool, vote));
  parallel_for(run, "looking for early exits", samples.size(), 256,
               [&](std::uint64_t begin, std::uint64_t end, int number) {
                 ExitWorker& worker = workers[static_cast<std::size_t>(number)];
                 for (std::uint64_t i = begin; i < end; ++i) {
                   if (i + 1 < end) worker.fetch(pool, team, samples[i + 1]);
                   const DecidingSets sets = worker.sets_of(pool, team, samples[i]);
                   auto& open = worker.open[groups[i] != 0 ? 1 : 0];
                   for (std::size_t set = 0; set < open.size(); ++set) open[set] += !sets[set];
                 }
               });
  auto total = std::move(workers.front().open);
  for (std::size_t w = 1; w < workers.size(); ++w) {
    for (std::size_t group = 0; group < 2; ++group) {
      for (std::size_t set = 0; set < total[group].size(); ++set) {
        total[group][set] += workers[w].open[group][set];
      }
    }
  }
  return total;
}

}  // namespace hqe
