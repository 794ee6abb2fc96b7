// SPDX-License-Identifier: MIT
#include "hqe/evaluation/best_team.h"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <utility>
#include <vector>

#include "hqe/ensemble/ens_set.h"
#include "hqe/evaluation/open_patterns.h"

namespace hqe {
namespace {

using Clock = std::chrono::steady_clock;

SumLimits limits_of(const Contests::Data& data) {
  const std::int32_t doubt = data.table.doubt;
  return doubt < 0 ? SumLimits{} : SumLimits{.sure = doubt, .lost = -doubt - 1};
}

/// Weakest first, so that the search begins among the strongest: children are tried from the last.
std::vector<ModelId> by_ascending_accuracy(const Contests& contests) {
  TeamList singles(1);
  for (const ModelId model : Team::all(contests.model_count())) {
    singles.push_back({&model, 1});
  }
  const std::vector<std::uint64_t> correct = contests.correct_counts(singles, {.threads = 1});
  std::vector<ModelId> order(singles.flat().begin(), singles.flat().end());
  std::ranges::stable_sort(order, {}, [&](ModelId model) { return correct[model]; });
  return order;
}

class BranchAndBound {
 public:
  BranchAndBound(const Contests& contests, int team_size, const BestTeamOptions& options,
                 const Run& run)
      : contests_(contests),
        size_(team_size),
        options_(options),
        run_(run),
        order_(by_ascending_accuracy(contests)),
        nodes_(static_cast<std::size_t>(team_size)),
        reaches_(static_cast<std::size_t>(team_size)),
        started_(Clock::now()) {}

  BestTeam search();

 private:
  [[nodiscard]] bool allows(TeamView team) const {
    return !options_.allows || options_.allows(team);
  }
  [[nodiscard]] std::vector<ModelId> chosen_with(ModelId model) const;
  void offer(const Team& team, std::uint64_t correct);
  void start_from_greedy_team();
  bool improve_by_a_swap();
  void explore(std::size_t depth, std::size_t first);
  void explore_child(std::size_t depth, std::size_t position);
  void finish_teams(std::size_t depth, std::size_t first);
  void finish_child(std::size_t depth, std::size_t position);
  void note_unexplored(std::uint64_t bound) { unexplored_ = std::max(unexplored_, bound); }
  void check_limits();

  const Contests& contests_;
  int size_;
  const BestTeamOptions& options_;
  const Run& run_;
  std::vector<ModelId> order_;
  std::vector<OpenPatterns> nodes_;
  std::vector<Reach> reaches_;
  std::vector<ModelId> chosen_;
  std::vector<std::uint64_t> possible_;  ///< Of the teams that finish_child() looks at.
  Clock::time_point started_;
  bool is_stopped_ = false;
  std::uint64_t unexplored_ = 0;  ///< The largest bound of what was not looked at.
  std::uint64_t checked_ = 0;     ///< Work done when the clock was last read.
  BestTeam best_;
};

std::vector<ModelId> BranchAndBound::chosen_with(ModelId model) const {
  std::vector<ModelId> team = chosen_;
  team.push_back(model);
  std::ranges::sort(team);
  return team;
}

void BranchAndBound::offer(const Team& team, std::uint64_t correct) {
  if (best_.team.empty() || correct > best_.correct ||
      (correct == best_.correct && team < best_.team)) {
    best_.team = team;
    best_.correct = correct;
  }
}

// A good team early lets bounds cut more.
void BranchAndBound::start_from_greedy_team() {
  Team team;
  while (team.size() < size_) {
    TeamList larger(team.size() + 1);
    for (const ModelId model : order_) {
      if (team.contains(model)) continue;
      std::vector<ModelId> members(team.begin(), team.end());
      members.push_back(model);
      const Team candidate(std::move(members));
      if (allows(candidate.view())) larger.push_back(candidate.view());
    }
    if (larger.empty()) return;
    const auto correct = contests_.correct_counts(larger, {.threads = 1});
    best_.counted += correct.size();
    const auto best = std::ranges::max_element(correct) - correct.begin();
    team = Team(larger[static_cast<std::size_t>(best)]);
    if (team.size() == size_) offer(team, correct[static_cast<std::size_t>(best)]);
  }
  while (improve_by_a_swap()) {
  }
}

bool BranchAndBound::improve_by_a_swap() {
  const Team team = best_.team;
  const std::uint64_t before = best_.correct;
  TeamList swapped(size_);
  for (const ModelId leaving : team) {
    for (const ModelId joining : order_) {
      if (team.contains(joining)) continue;
      std::vector<ModelId> members(team.begin(), team.end());
      std::ranges::replace(members, leaving, joining);
      const Team candidate(std::move(members));
      if (allows(candidate.view())) swapped.push_back(candidate.view());
    }
  }
  if (swapped.empty()) return false;
  const auto correct = contests_.correct_counts(swapped, {.threads = 1});
  best_.counted += correct.size();
  for (std::size_t i = 0; i < swapped.size(); ++i) offer(Team(swapped[i]), correct[i]);
  return best_.correct > before;
}

void BranchAndBound::check_limits() {
  constexpr std::uint64_t step = 1 << 22;
  if (options_.work_limit && best_.work >= *options_.work_limit) is_stopped_ = true;
  if (best_.work < checked_ + step) return;
  checked_ = best_.work;
  const std::chrono::duration<double> passed = Clock::now() - started_;
  if (options_.time_limit && passed.count() >= *options_.time_limit) is_stopped_ = true;
}

void BranchAndBound::finish_teams(std::size_t depth, std::size_t first) {
  const OpenPatterns& node = nodes_[depth];
  for (std::size_t position = first; position < order_.size(); ++position) {
    const Outcome outcome = node.finish(position);
    ++best_.counted;
    best_.work += node.row_count();
    if (outcome.possible < best_.correct) continue;
    const Team team(chosen_with(order_[position]));
    if (!allows(team.view())) continue;
    offer(team,
          outcome.sure == outcome.possible ? outcome.sure : contests_.correct_count(team.view()));
  }
  check_limits();
}

// What the last member decides is a good part of what the last two do: packing it costs more than
// looking at all of it. Teams and work are counted as if it were packed.
void BranchAndBound::finish_child(std::size_t depth, std::size_t position) {
  const OpenPatterns& node = nodes_[depth];
  const std::size_t rows = node.rows_after(position, reaches_[depth]);
  best_.work += rows * (order_.size() - position);
  check_limits();
  node.finish_all(position, reaches_[depth], possible_);
  for (std::size_t i = 0; i < possible_.size(); ++i) {
    ++best_.counted;
    best_.work += rows;
    if (possible_[i] < best_.correct) continue;
    const Team team(chosen_with(order_[position + 1 + i]));
    if (allows(team.view())) offer(team, contests_.correct_count(team.view()));
  }
  check_limits();
}

void BranchAndBound::explore_child(std::size_t depth, std::size_t position) {
  const std::uint64_t bound = nodes_[depth].bound(position, reaches_[depth]);
  best_.work += 4 * nodes_[depth].row_count();  // Reach and bound.
  if (bound < best_.correct && !best_.team.empty()) return;
  if (is_stopped_) return note_unexplored(bound);
  chosen_.push_back(order_[position]);
  std::vector<ModelId> team = chosen_;
  std::ranges::sort(team);
  if (!allows(team)) {
    chosen_.pop_back();
    return;
  }
  if (depth + 2 == static_cast<std::size_t>(size_) && nodes_[depth].has_one_rival()) {
    finish_child(depth, position);
  } else {
    nodes_[depth + 1].take(nodes_[depth], position, reaches_[depth]);
    best_.work += nodes_[depth + 1].row_count() * (order_.size() - position);
    check_limits();
    explore(depth + 1, position + 1);
  }
  chosen_.pop_back();
}

void BranchAndBound::explore(std::size_t depth, std::size_t first) {
  const std::size_t missing = static_cast<std::size_t>(size_) - depth;
  if (missing == 1) return finish_teams(depth, first);
  Reach& reach = reaches_[depth];
  reach.reset(nodes_[depth].row_count());
  for (std::size_t position = order_.size(); position-- > first;) {
    if (order_.size() - 1 - position >= missing - 1) {
      reach.settle(static_cast<int>(missing) - 1);
      explore_child(depth, position);
      if (depth == 0 && run_.on_progress) {
        run_.on_progress({"branch and bound", order_.size() - position, order_.size()});
      }
    }
    reach.insert(nodes_[depth].margins(position));
  }
}

BestTeam BranchAndBound::search() {
  start_from_greedy_team();
  nodes_.front().start(contests_.data(), order_, limits_of(contests_.data()));
  explore(0, 0);
  best_.upper_bound = std::max(best_.correct, unexplored_);
  best_.is_proven = !is_stopped_ || best_.upper_bound == best_.correct;
  return best_;
}

}  // namespace

BestTeam best_team(const Contests& contests, int team_size, const BestTeamOptions& options,
                   const Run& run) {
  return BranchAndBound(contests, team_size, options, run).search();
}

}  // namespace hqe
