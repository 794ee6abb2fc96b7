// SPDX-License-Identifier: MIT
#include "hqe/methods/choose.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <numeric>
#include <utility>

#include "hqe/base/random.h"
#include "hqe/evaluation/best_team.h"
#include "hqe/methods/chooser.h"
#include "hqe/methods/chosen_vote.h"
#include "hqe/methods/contribution.h"

namespace hqe {
namespace {

constexpr std::uint64_t drawn_teams = 10'000;
constexpr std::uint64_t branch_and_bound_work = 5'000'000'000;

}  // namespace

void Chooser::make_problem() {
  const bool contributions = std::ranges::any_of(method_rows(), [&](const MethodRow& row) {
    return row.needs == MethodNeeds::contributions && takes_part(options_, row.method);
  });
  problem_.emplace(SelectionProblem{
      .contests = space_.selection().contests(),
      .counts = space_.selection().measured().counts,
      .right = RightAnswers(space_.selection().contests()),
      .contributions = contributions
                           ? individual_contributions(space_.selection().pool(), space_.run())
                           : std::vector<std::int64_t>(),
      .size = space_.settings().hierarchical.desired_size,
      .eligibility = space_.eligibility(),
      .seed = seed_,
      .drawing_order =
          drawing_order(space_.selection().measured().counts, space_.selection().pool()),
      .run = space_.run()});
}

// Contests hold the weights of one vote; a choice's own are counted as they are defined, sample by
// sample.
double Chooser::weighted_correct(const Measured& measured, const Choice& choice) const {
  const ChosenVote vote(choice, measured.contests->rule(), measured.pool.kind);
  std::atomic<std::uint64_t> right = 0;
  parallel_for(space_.run(), "counting weighted votes", measured.pool.sample_count, 256,
               [&](std::uint64_t begin, std::uint64_t end, int) {
                 std::uint64_t mine = 0;
                 for (std::uint64_t sample = begin; sample < end; ++sample) {
                   mine += vote.answer(measured.pool, sample) == measured.pool.true_label(sample);
                 }
                 right += mine;
               });
  return static_cast<double>(right.load());
}

void Chooser::count(Choice& choice) const {
  if (choice.team.empty()) return;
  if (choice.weights.empty()) {
    choice.selection_correct =
        static_cast<double>(space_.selection().correct().of(choice.team.view()));
    if (space_.test()) {
      choice.test_correct = static_cast<double>(space_.test()->correct().of(choice.team.view()));
    }
    return;
  }
  const Measured& selection = space_.selection().measured();
  choice.weights = weights_in(selection.contests->rule(), choice);
  choice.selection_correct = weighted_correct(selection, choice);
  if (space_.test()) choice.test_correct = weighted_correct(space_.test()->measured(), choice);
}

void Chooser::add_refusal(Method method, std::string why) {
  add(method, [&](MethodChoice& made) { made.choice.not_computed = std::move(why); });
}

void Chooser::add_methods_that_work_alone() {
  for (const MethodRow& row : method_rows()) {
    if (row.choose == nullptr) continue;
    if (problem_->model_count() > row.most_models) {
      add_refusal(row.method,
                  fmt::format("{} models, more than {}", problem_->model_count(), row.most_models));
      continue;
    }
    add(row.method, [&](MethodChoice& made) {
      WeightedTeam chosen = row.choose(*problem_);
      made.choice.team = std::move(chosen.team);
      made.choice.weights.assign(chosen.weights.begin(), chosen.weights.end());
    });
  }
}

std::string Chooser::too_many(std::string_view what) const {
  return fmt::format("{} more than {} teams", what, options_.max_evaluate);
}

Sampling Chooser::sample_teams() const {
  const int models = problem_->model_count();
  const int size = problem_->size;
  Sampling sampling{.teams = TeamList(size)};
  const auto possible = eligible_team_count(models, size, {});
  if (possible && *possible <= options_.max_evaluate) {
    for_each_eligible_team(models, size, problem_->eligibility,
                           [&](TeamView team) { sampling.teams.push_back(team); });
    return sampling;
  }
  sampling.is_complete = false;
  Random random(seed_, 1'000);
  // A tight budget leaves few teams to draw; the attempts must end all the same.
  for (std::uint64_t i = 0; i < 100 * drawn_teams && sampling.teams.size() < drawn_teams; ++i) {
    std::vector<ModelId> drawn = problem_->drawing_order;
    for (int place = 0; place < size; ++place) {
      const auto rest = static_cast<std::uint64_t>(models - place);
      std::swap(drawn[place], drawn[place + static_cast<int>(random.below(rest))]);
    }
    drawn.resize(static_cast<std::size_t>(size));
    const Team team(std::move(drawn));
    if (problem_->allows(team)) sampling.teams.push_back(team.view());
  }
  return sampling;
}

namespace {

std::uint64_t sum_of(const std::vector<std::uint64_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

}  // namespace

void Chooser::add_all_teams_methods() {
  const bool random = takes_part(options_, Method::random);
  const bool exhaustive = takes_part(options_, Method::exhaustive);
  if (!random && !exhaustive) return;
  const Run& run = problem_->run;
  Sampling sampling{.teams = TeamList(problem_->size)};
  std::vector<std::uint64_t> correct;
  const auto look = [&] {
    if (!sampling.teams.empty()) return;
    sampling = sample_teams();
    if (sampling.teams.empty()) return;
    if (sampling.is_complete) {
      // Picks by accuracy will ask for most of them again.
      space_.learn_on_selection(std::make_shared<const TeamList>(sampling.teams));
      knows_every_team_ = true;
    }
    correct = sampling.is_complete ? space_.selection().correct().of(sampling.teams)
                                   : problem_->contests.correct_counts(sampling.teams, run);
  };
  add(Method::exhaustive, [&](MethodChoice& made) {
    look();
    if (!sampling.is_complete) {
      made.choice.not_computed = too_many("to be counted");
    } else if (!correct.empty()) {
      made.choice.team = Team(sampling.teams[place_of_largest(correct)]);
    }
  });
  add(Method::random, [&](MethodChoice& made) {
    look();
    if (correct.empty()) {
      made.choice.not_computed = "no team is allowed";
      return;
    }
    made.note = sampling.is_complete ? fmt::format("exact mean of {} teams", sampling.teams.size())
                                     : fmt::format("mean of {} drawn teams", sampling.teams.size());
    const auto teams = static_cast<double>(correct.size());
    const std::uint64_t sum = sum_of(correct);
    made.choice.selection_correct = static_cast<double>(sum) / teams;
    if (sampling.is_complete) sums_.selection = sum;
    if (!space_.test()) return;
    const bool is_known = sampling.is_complete && sums_.both;
    const std::uint64_t test_sum =
        is_known ? *sums_.both - sum
                 : sum_of(space_.test()->contests().correct_counts(sampling.teams, run));
    made.choice.test_correct = static_cast<double>(test_sum) / teams;
  });
}

void Chooser::add_branch_and_bound() {
  add(Method::branch_and_bound, [&](MethodChoice& made) {
    BestTeamOptions options;
    if (problem_->eligibility.is_limited()) {
      options.allows = [&](TeamView team) { return problem_->eligibility.allows(team); };
    }
    options.time_limit = options_.time_limit;
    if (!options_.time_limit) options.work_limit = branch_and_bound_work;
    const BestTeam best = best_team(problem_->contests, problem_->size, options, space_.run());
    made.choice.team = best.team;
    made.choice.certificate = Certificate{best.upper_bound, best.is_proven, best.counted};
  });
}

std::vector<MethodChoice> Chooser::choose() {
  notice_("reading right answers");
  make_problem();
  add_methods_that_work_alone();
  add_all_teams_methods();
  add_branch_and_bound();
  add_hierarchical();
  add_mean_threshold();
  add_decision();
  std::ranges::sort(choices_, {}, &MethodChoice::method);
  return std::move(choices_);
}

bool takes_part(const CompareOptions& options, Method method) {
  return options.methods.empty() ||
         std::ranges::find(options.methods, method) != options.methods.end();
}

int work_count(const CompareOptions& options) {
  int count = 1;
  for (const Method method : all_methods()) count += takes_part(options, method) ? 1 : 0;
  for (const FocalMethods& each : focal_methods) count += needs_metric(options, each) ? 1 : 0;
  return count + (needs_mean(options) ? 1 : 0);
}

PruneOptions prune_options(const CompareOptions& options, const Pool& pool) {
  PruneOptions prune{.size = options.size,
                     .beta = options.beta,
                     .vote = options.vote,
                     .keep = options.keep,
                     .max_candidates = options.max_candidates,
                     .max_evaluate = options.max_evaluate,
                     .budget = options.budget};
  for (const FocalMethods& each : focal_methods) {
    const bool is_meaningful = each.metric != Metric::f_ck || pool.kind != Kind::correctness;
    if (is_meaningful && needs_metric(options, each)) prune.metrics.push_back(each.metric);
  }
  // Something must be asked for; GD of all samples needs nothing beyond pairs.
  if (prune.metrics.empty()) prune.metrics.push_back(Metric::gd);
  if (needs_mean(options) &&
      std::ranges::find(prune.metrics, Metric::f_gd) == prune.metrics.end()) {
    prune.metrics.push_back(Metric::f_gd);
  }
  return prune;
}

std::vector<MethodChoice> choose(SearchSpace& space, const CompareOptions& options,
                                 std::uint64_t seed, const WorkNotice& notice, KnownSums& sums) {
  return Chooser(space, options, seed, notice, sums).choose();
}

}  // namespace hqe
