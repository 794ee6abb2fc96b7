// SPDX-License-Identifier: MIT
#include "hqe/search/recommend.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hqe/base/percentage.h"
#include "hqe/ensemble/team_columns.h"

namespace hqe {
namespace {

struct PlaceInList {
  const SelectedTeams* from = nullptr;
  std::size_t place = 0;

  [[nodiscard]] TeamView team() const { return from->teams[place]; }
  [[nodiscard]] std::uint64_t correct() const { return from->correct[place]; }
  [[nodiscard]] std::optional<double> merit() const {
    return from->merit.empty() ? std::nullopt : std::optional(from->merit[place]);
  }
};

class Order {
 public:
  explicit Order(const PoolSummary& pool) {
    for (const Cost cost : known_costs(pool)) prices_.push_back(team_prices(pool.models, cost));
  }

  [[nodiscard]] bool is_better(const PlaceInList& left, const PlaceInList& right) const {
    if (left.merit() != right.merit()) return left.merit() > right.merit();
    if (left.correct() != right.correct()) return left.correct() > right.correct();
    for (const TeamPrices& prices : prices_) {
      const double left_sum = prices.of(left.team());
      const double right_sum = prices.of(right.team());
      if (left_sum != right_sum) return left_sum < right_sum;
    }
    if (left.team().size() != right.team().size()) return left.team().size() < right.team().size();
    return team_before(left.team(), right.team());
  }

 private:
  std::vector<TeamPrices> prices_;  ///< One a cost that is known.
};

void consider(const SelectedTeams& selected, const Order& order, std::optional<PlaceInList>& best) {
  for (std::size_t i = 0; i < selected.size(); ++i) {
    const PlaceInList choice{&selected, i};
    if (!best || order.is_better(choice, *best)) best = choice;
  }
}

/// The metrics that kept a team, joined by ", ".
std::string keepers(const Study& study, TeamView team) {
  std::string names;
  for (const Selection& selection : study.selections) {
    const TeamTable& teams = selection.selected.teams;
    for (std::size_t i = 0; i < teams.size(); ++i) {
      if (!std::ranges::equal(teams[i], team)) continue;
      names += (names.empty() ? "" : ", ") + selection.metric;
      break;
    }
  }
  return names;
}

std::string compared_with_reference(std::uint64_t correct, std::uint64_t reference, int models) {
  if (correct == reference) return fmt::format("as many as all {} models together", models);
  const bool more = correct > reference;
  return fmt::format("{} {} than all {} models together",
                     more ? correct - reference : reference - correct, more ? "more" : "fewer",
                     models);
}

/// "96.73 %".
std::string percent(std::uint64_t correct, std::uint64_t samples) {
  return count_percentage(correct, samples) + " %";
}

/// Which baselines are as good as `recommended` or better, by the count that `correct_of` takes.
template <class CorrectOf>
std::string baseline_sentence(const Study& study, const TeamFigures& recommended,
                              const CorrectOf& correct_of, std::string_view where) {
  const Baselines& baselines = study.baselines;
  std::string better, equal;
  const auto hold_against = [&](const TeamFigures& baseline, const std::string& name) {
    if (baseline.team.empty() || baseline.team == recommended.team) return;
    if (correct_of(baseline) < correct_of(recommended)) return;
    std::string& list = correct_of(baseline) > correct_of(recommended) ? better : equal;
    list += fmt::format("{}{} ({}: {})", list.empty() ? "" : ", ", name,
                        names_of(study.pool, baseline.team), correct_of(baseline));
  };
  hold_against(baselines.best_single, title_of(JudgedRule::best_single, 1));
  hold_against(baselines.most_accurate,
               title_of(JudgedRule::most_accurate, baselines.most_accurate.team.size()));
  if (baselines.best_of_size) hold_against(*baselines.best_of_size, "the best team of the size");
  std::string text;
  if (!better.empty()) text += fmt::format(" Better {}: {}.", where, better);
  if (!equal.empty()) text += fmt::format(" As good {}: {}.", where, equal);
  return text;
}

/// The baselines that are the recommended team itself.
std::string identity_sentence(const Study& study, const Team& recommended) {
  const Baselines& baselines = study.baselines;
  std::string same;
  const auto hold_against = [&](const TeamFigures& baseline, const std::string& name) {
    if (baseline.team == recommended) same += (same.empty() ? "" : ", ") + name;
  };
  hold_against(baselines.most_accurate,
               title_of(JudgedRule::most_accurate, baselines.most_accurate.team.size()));
  if (baselines.best_of_size) hold_against(*baselines.best_of_size, "the best team of the size");
  return same.empty() ? "" : fmt::format(" It is also {}.", same);
}

/// What sets the recommended team apart, by the merit that was asked for.
std::string superlative(const Study& study, const TeamFigures& recommended) {
  switch (study.options.merit) {
    case Merit::balanced:
      return fmt::format("highest balanced accuracy ({:.2f} %, all models together {:.2f} %)",
                         100 * *recommended.merit, 100 * *study.reference.merit);
    case Merit::logloss:
      return fmt::format("lowest log-loss ({:.4f}, all models together {:.4f})",
                         -*recommended.merit, -*study.reference.merit);
    case Merit::accuracy:
      break;
  }
  return "most correct answers";
}

std::string reason(const Study& study, const TeamFigures& recommended, const std::string& from,
                   bool is_consensus) {
  const auto models = static_cast<int>(study.pool.models.size());
  std::string text =
      fmt::format("The team of {} has the {} of the {}: {} of {} ({}), {}, with {} of {} models.",
                  names_of(study.pool, recommended.team), superlative(study, recommended),
                  is_consensus ? "teams in the consensus" : "selected teams (kept by " + from + ")",
                  recommended.correct, study.pool.sample_count,
                  percent(recommended.correct, study.pool.sample_count),
                  compared_with_reference(recommended.correct, study.reference.correct, models),
                  recommended.team.size(), models);
  if (study.consensus && !is_consensus) {
    text = "No team is kept by more than half of the focal metrics. " + text;
  }
  text += identity_sentence(study, recommended.team);
  text += baseline_sentence(
      study, recommended, [](const TeamFigures& figures) { return figures.correct; },
      "on these samples");
  if (!study.test) {
    return text +
           " Selection and evaluation used the same samples: expect a little less on new ones.";
  }
  text += fmt::format(
      " On {}: {} of {} ({}), {}.", study.test->pool.name, *recommended.test_correct,
      study.test->pool.sample_count,
      percent(*recommended.test_correct, study.test->pool.sample_count),
      compared_with_reference(*recommended.test_correct, study.test->reference_correct, models));
  return text + baseline_sentence(
                    study, recommended,
                    [](const TeamFigures& figures) { return figures.test_correct.value_or(0); },
                    "there");
}

}  // namespace

std::optional<Recommendation> recommend(const Study& study) {
  const Order order(study.pool);
  std::optional<PlaceInList> best;
  if (study.consensus) consider(study.consensus->selection.selected, order, best);
  const bool is_consensus = best.has_value();
  for (const Selection& selection : study.selections) {
    if (!is_consensus) consider(selection.selected, order, best);
  }
  if (!best) return std::nullopt;
  Recommendation recommendation{
      .figures = {.team = Team(best->team()), .correct = best->correct()}};
  recommendation.figures.merit = best->merit();
  if (study.test) {
    recommendation.figures.test_correct = best->from->test_correct[best->place];
    if (best->merit()) recommendation.figures.test_merit = best->from->test_merit[best->place];
  }
  recommendation.from = is_consensus ? std::string(consensus_name) : keepers(study, best->team());
  recommendation.why = reason(study, recommendation.figures, recommendation.from, is_consensus);
  return recommendation;
}

}  // namespace hqe
