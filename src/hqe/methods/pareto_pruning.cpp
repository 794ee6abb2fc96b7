// SPDX-License-Identifier: MIT
#include "hqe/methods/pareto_pruning.h"

#include <algorithm>
#include <vector>

#include "hqe/base/random.h"

namespace hqe {
namespace {

constexpr std::uint64_t most_counted = 100'000;

struct Solution {
  Team team;
  std::uint64_t correct = 0;

  /// At least as good in both respects.
  [[nodiscard]] bool covers(const Solution& other) const {
    return correct >= other.correct && team.size() <= other.team.size();
  }
  [[nodiscard]] bool dominates(const Solution& other) const {
    return covers(other) && !other.covers(*this);
  }
};

Team flipped(const Team& team, ModelId model) {
  return team.contains(model) ? without(team, model) : with(team, model);
}

class ParetoPruning {
 public:
  explicit ParetoPruning(const SelectionProblem& problem)
      : problem_(problem), random_(problem.seed), front_{Solution{}} {}

  Team run() {
    const std::uint64_t models = static_cast<std::uint64_t>(problem_.model_count());
    for (std::uint64_t i = 0; i < models * models && counted_ < most_counted; ++i) {
      mutate();
      if (problem_.run.on_progress) {
        problem_.run.on_progress(
            {"Pareto pruning", std::min(counted_, most_counted), most_counted});
      }
    }
    Solution best;
    for (const Solution& each : front_) {
      if (each.team.size() <= problem_.size && each.correct > best.correct) best = each;
    }
    return best.team;
  }

 private:
  [[nodiscard]] bool may_be(const Team& team) const {
    return !team.empty() && team.size() <= 2 * problem_.size && problem_.allows(team);
  }

  void mutate() {
    Team team = front_[random_.below(front_.size())].team;
    for (const ModelId model : problem_.drawing_order) {
      if (random_.below(static_cast<std::uint64_t>(problem_.model_count())) == 0) {
        team = flipped(team, model);
      }
    }
    if (!may_be(team)) return;
    const Solution child{team, count({team}).front()};
    if (!enter(child)) return;
    for (const Solution& each : search_in_depth(child)) enter(each);
  }

  /// Enters the front unless something in it is better; what is no better leaves.
  bool enter(const Solution& solution) {
    if (std::ranges::any_of(front_, [&](const Solution& z) { return z.dominates(solution); })) {
      return false;
    }
    std::erase_if(front_, [&](const Solution& z) { return solution.covers(z); });
    const auto place = std::ranges::find_if(
        front_, [&](const Solution& z) { return z.team.size() > solution.team.size(); });
    front_.insert(place, solution);
    return true;
  }

  /// The flips of `left`, better models first, that lead to an acceptable team, in the order in
  /// which they are preferred among equals: who leaves, the worst first, before who joins.
  [[nodiscard]] std::vector<ModelId> in_order(const Team& team,
                                              const std::vector<ModelId>& left) const {
    std::vector<ModelId> leaving, joining;
    for (const ModelId model : left) {
      if (may_be(flipped(team, model))) (team.contains(model) ? leaving : joining).push_back(model);
    }
    std::ranges::reverse(leaving);
    leaving.insert(leaving.end(), joining.begin(), joining.end());
    return leaving;
  }

  /// Flips one model after another, each once, always the best flip that is left.
  std::vector<Solution> search_in_depth(Solution at) {
    std::vector<ModelId> left = by_accuracy(problem_);
    std::vector<Solution> path;
    while (true) {
      std::vector<Team> teams;
      const std::vector<ModelId> flips = in_order(at.team, left);
      for (const ModelId model : flips) teams.push_back(flipped(at.team, model));
      if (teams.empty()) return path;
      const std::vector<std::uint64_t> correct = count(teams);
      const std::size_t best = place_of_largest(correct);
      at = {teams[best], correct[best]};
      std::erase(left, flips[best]);
      path.push_back(at);
    }
  }

  /// Correct counts of teams of at most two sizes.
  std::vector<std::uint64_t> count(const std::vector<Team>& teams) {
    std::vector<std::uint64_t> correct(teams.size());
    std::vector<bool> known(teams.size(), false);
    for (std::size_t first = 0; first < teams.size(); ++first) {
      if (known[first]) continue;
      TeamList list(teams[first].size());
      std::vector<std::size_t> places;
      for (std::size_t i = first; i < teams.size(); ++i) {
        if (teams[i].size() != teams[first].size()) continue;
        list.push_back(teams[i].view());
        places.push_back(i);
        known[i] = true;
      }
      const auto counts = problem_.contests.correct_counts(list, {.threads = 1});
      for (std::size_t i = 0; i < places.size(); ++i) correct[places[i]] = counts[i];
    }
    counted_ += teams.size();
    return correct;
  }

  const SelectionProblem& problem_;
  Random random_;
  std::vector<Solution> front_;  ///< By size, ascending; no two of a size.
  std::uint64_t counted_ = 0;
};

}  // namespace

Team pareto_team(const SelectionProblem& problem) { return ParetoPruning(problem).run(); }

}  // namespace hqe
