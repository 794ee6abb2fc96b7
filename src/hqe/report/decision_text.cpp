// SPDX-License-Identifier: MIT
#include "hqe/report/decision_text.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "hqe/base/percentage.h"
#include "hqe/ensemble/costs.h"
#include "hqe/ensemble/team.h"
#include "hqe/report/serving_text.h"
#include "hqe/report/trust_text.h"

namespace hqe {
namespace {

/// "-99 % params, -94 % GFLOPs, 0.85 ms (-78 %)".
std::string cost_list(const Study& study, const std::vector<Cost>& known, TeamView team) {
  const TeamCosts costs = team_costs(study.pool, team);
  std::string text;
  for (const Cost cost : known) {
    const auto& value = costs.values[static_cast<std::size_t>(cost)];
    if (!value) continue;
    text += ", ";
    text +=
        cost == Cost::latency_ms
            ? fmt::format("{} ms ({})", quantity_text(value->sum), reduction_text(value->reduction))
            : fmt::format("{} {}", reduction_text(value->reduction), cost_title(cost));
  }
  return text;
}

class DecisionText {
 public:
  DecisionText(Page& page, const Study& study, LeftOut left_out)
      : page_(page),
        study_(study),
        trust_(study.trust),
        costs_(known_costs(study.pool)),
        left_out_(left_out) {}

  void add() {
    headline();
    if (!study_.recommended) return;
    figures();
    alternatives();
  }

 private:
  [[nodiscard]] std::uint64_t samples() const { return study_.pool.sample_count; }
  [[nodiscard]] int model_count() const { return static_cast<int>(study_.pool.models.size()); }

  void headline() {
    if (!study_.recommended) {
      page_.heading("No team is recommended.");
      return;
    }
    page_.heading(ship_text(page_, study_.recommended->figures.team));
    page_.paragraph(sentence(message_text(study_.recommended->why)), 2);
    page_.blank();
  }

  /// "91.06 % here; 90.88 % (89.71 to 91.93) on samples that took no part in the choice".
  [[nodiscard]] std::string accuracy() const {
    const auto row = std::ranges::find(trust_.teams, JudgedRule::recommended, &SideBySide::rule);
    std::string text =
        accuracy_text(study_.recommended->figures.correct, samples()) + " on these samples";
    if (row == trust_.teams.end() || !row->held_out) {
      if (trust_.chosen) {
        text += fmt::format(" ({} once corrected for the choice)",
                            interval_text(trust_.chosen->interval));
      }
      return text + "; nothing was held out";
    }
    text += fmt::format("; {} ({}) on {} that took no part in the choice",
                        accuracy_text(row->held_out->correct, row->held_out->samples),
                        interval_text(row->held_out->interval),
                        counted(row->held_out->samples, "sample"));
    if (trust_.half && trust_.half->team != study_.recommended->figures.team) {
      text += left_out_ >= LeftOut::members_of_half
                  ? fmt::format(" (of {} chosen on the rest)",
                                counted(trust_.half->team.size(), "model"))
                  : fmt::format(" (of {}, which the rule chose on the other half)",
                                page_.names(trust_.half->team.view()));
    }
    return text;
  }

  [[nodiscard]] std::string against(const BaselineComparison& comparison) const {
    if (comparison.says == "the same team") return "the same team";
    const std::string_view unit =
        study_.options.merit == Merit::logloss ? "(log-loss, positive is better)" : "points";
    return fmt::format("{} {}: {}", gain_text(study_.options.merit, comparison.difference()), unit,
                       comparison.samples_needed
                           ? fmt::format("cannot tell, about {} samples could",
                                         count_text(*comparison.samples_needed))
                           : verdict_text(comparison));
  }

  /// "91.01 % on these samples; 90.60 % on the test pool".
  [[nodiscard]] std::string merit() const {
    const TeamFigures& figures = study_.recommended->figures;
    return worth(*figures.merit) + " on these samples" +
           (figures.test_merit ? "; " + worth(*figures.test_merit) + " on the test pool" : "");
  }

  /// "91.06 %", or a log-loss.
  [[nodiscard]] std::string worth(double merit) const {
    return study_.options.merit == Merit::logloss ? fmt::format("{:.4f}", -merit)
                                                  : fraction_percentage(merit) + " %";
  }

  [[nodiscard]] std::string cost() const {
    const Team& team = study_.recommended->figures.team;
    return fmt::format("{} of {} models{}", team.size(), model_count(),
                       cost_list(study_, costs_, team.view()));
  }

  void figures() {
    Table table({{"", left}, {"", left, true}});
    table.add({"accuracy", accuracy()});
    if (study_.recommended->figures.merit) {
      table.add({study_.options.merit == Merit::logloss ? "log-loss" : "balanced", merit()});
    }
    const bool with_test = left_out_ < LeftOut::test_figures;
    if (with_test && study_.recommended->figures.test_correct && study_.test) {
      table.add({"on the test pool", accuracy_text(*study_.recommended->figures.test_correct,
                                                   study_.test->pool.sample_count)});
    }
    for (const BaselineComparison& comparison : trust_.comparisons) {
      table.add(
          {"against " + label_of(comparison.against, comparison.team.size()), against(comparison)});
    }
    table.add({"costs", cost()});
    if (study_.recommended->serving) {
      table.add({"calibration", calibration_text(*study_.recommended->serving, with_test)});
    }
    const std::optional<EarlyExit>& exit = study_.recommended->early_exit;
    if (exit && exit->selection.order.size() > 1) {
      table.add({"early exit", early_exit_text(*exit, with_test)});
    }
    if (study_.recommended_robustness && left_out_ < LeftOut::radius) {
      table.add({"robustness",
                 fmt::format("median {} radius {:.4g} of the answers that are right",
                             study_.recommended_robustness->estimated ? "estimated" : "certified",
                             study_.recommended_robustness->median_radius)});
    }
    page_.table(table);
  }

  void alternatives() {
    if (study_.recommended->alternatives.empty()) return;
    page_.heading("Or");
    std::vector<Cost> costs = costs_;
    if (left_out_ >= LeftOut::further_costs && costs.size() > 1) costs = {costs.front()};
    Table table({{"", left}, {"", left, true}});
    for (const Alternative& alternative : study_.recommended->alternatives) {
      const Team& team = alternative.figures.team;
      const std::string role =
          alternative.role == Alternative::Role::cheaper ? "cheaper" : "most accurate";
      if (team == study_.recommended->figures.team) {
        table.add({role, "the same team"});
        continue;
      }
      table.add({role, fmt::format("{}: {} expected, {}{}; {}", members(team),
                                   worth(alternative.expected),
                                   counted(static_cast<std::uint64_t>(team.size()), "model"),
                                   cost_list(study_, costs, team.view()), alternative.says)});
    }
    page_.table(table);
  }

  [[nodiscard]] std::string members(const Team& team) const {
    if (team.size() == model_count()) return fmt::format("all {} models", team.size());
    if (left_out_ >= LeftOut::members_of_others && team.size() > 1) {
      return fmt::format("a team of {}", team.size());
    }
    return page_.names(team.view());
  }

  Page& page_;
  const Study& study_;
  const Trust& trust_;
  std::vector<Cost> costs_;
  LeftOut left_out_;
};

/// A row a metric; those that selected the same teams share one.
void add_pruning(Page& page, const Study& study, LeftOut left_out) {
  page.heading("How focal pruning saw it");
  Table table(
      {{"", left}, {"kept"}, {"of"}, {"good of kept"}, {"good of all"}, {"follows accuracy"}});
  const auto add = [&](std::string name, const Selection& selection) {
    const Quality& quality = selection.quality;
    const bool is_known =
        !selection.correlations.empty() && selection.correlations.back().spearman.has_value();
    table.add({std::move(name), count_text(quality.selected),
               quality.teams_of_size ? count_text(*quality.teams_of_size) : "-",
               percent_text(quality.precision, 1), percent_text(quality.base_rate, 1),
               is_known ? fmt::format("{:+.2f}", selection.correlations.back().spearman.value_or(0))
                        : ""});
  };
  const std::vector<Selection>& all = study.selections;
  const bool shows_metrics = left_out < LeftOut::rows_of_metrics || !study.consensus;
  std::vector<bool> is_shown(all.size(), !shows_metrics);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (is_shown[i]) continue;
    std::string name = all[i].metric;
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      if (all[j].selected.teams != all[i].selected.teams) continue;
      is_shown[j] = true;
      name += ", " + all[j].metric;
    }
    add(std::move(name), all[i]);
  }
  if (study.consensus) add("consensus", study.consensus->selection);
  page.table(table);
}
}  // namespace

std::string ship_text(const Page& page, const Team& team, const std::vector<double>& weights) {
  const auto models = static_cast<int>(page.pool().models.size());
  const bool is_even =
      std::ranges::all_of(weights, [&](double each) { return each == weights.front(); });
  std::string text;
  switch (shape_of(team, models)) {
    case Shape::single:
      return "Ship one model: " + page.names(team.view());
    case Shape::entire:
      text = fmt::format("Keep all {} models", models);
      break;
    case Shape::team:
      text = fmt::format("Ship these {}: {}", team.size(), page.names(team.view()));
      break;
  }
  if (is_even) return shape_of(team, models) == Shape::entire ? text + "." : text;
  std::string votes;
  for (const double weight : weights)
    votes += fmt::format("{}{:.4g}", votes.empty() ? "" : ", ", weight);
  return fmt::format("{}, votes weighing {}", text, votes);
}

void add_decision(Page& page, const Study& study, LeftOut left_out) {
  DecisionText(page, study, left_out).add();
}

void add_summary(Page& page, const Study& study, LeftOut left_out) {
  add_pruning(page, study, left_out);
  if (left_out < LeftOut::heading_of_notes) {
    page.notes(study.warnings);
  } else if (!study.warnings.empty()) {
    page.blank();
    if (left_out < LeftOut::notes) {
      page.bullets(study.warnings);
    } else {
      const std::string& where = page.options().all_notes;
      page.paragraph(counted(study.warnings.size(), "note") +
                     (where.empty() ? "." : ": " + where + "."));
    }
  }
  if (page.options().next.empty()) return;
  page.blank();
  page.paragraph(page.options().next, 0, Paint::faint);
}

}  // namespace hqe
