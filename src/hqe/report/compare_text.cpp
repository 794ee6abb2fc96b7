// SPDX-License-Identifier: MIT
#include "hqe/report/compare_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "hqe/base/option_name.h"
#include "hqe/base/percentage.h"
#include "hqe/report/decision_text.h"
#include "hqe/report/page.h"

namespace hqe {
namespace {

std::string share_text(double correct, std::uint64_t samples) {
  return fraction_percentage(correct / static_cast<double>(samples));
}

std::string seconds_text(const std::optional<double>& seconds) {
  if (!seconds) return "-";
  return *seconds < 10 ? fmt::format("{:.2f} s", *seconds) : fmt::format("{:.0f} s", *seconds);
}

Table::Cell gain_of(const Comparison& comparison, double correct) {
  const double gain =
      (correct - comparison.reference_test_correct) / static_cast<double>(comparison.test_samples);
  std::string text = points_text(gain);
  const Paint paint = text == "0.00" ? Paint::plain : gain > 0 ? Paint::good : Paint::bad;
  return {std::move(text), paint};
}

std::string range_text(const Interval& interval) {
  return fmt::format("{:.2f}-{:.2f}", 100 * interval.low, 100 * interval.high);
}

std::string cost_text(const PoolSummary& pool, TeamView team, Cost cost) {
  const auto value = team_costs(pool, team).values[static_cast<std::size_t>(cost)];
  return value ? quantity_text(value->sum) : "-";
}

std::string verdict_text(const MethodResult& result) {
  if (!result.verdict) return "not tested";
  return *result.verdict == MethodVerdict::cannot_tell ? "cannot tell"
                                                       : std::string(to_string(*result.verdict));
}

void methods_table(Page& page, const Comparison& comparison) {
  const std::vector<Cost> costs = known_costs(comparison.pool);
  std::vector<Table::Column> columns{{"method", left}, {"accuracy"}, {"interval"},
                                     {"gain"},         {"rank"},     {"verdict", left},
                                     {"could see"},    {"size"},     {"time"}};
  for (const Cost cost : costs) {
    columns.push_back({.title = cost_title(cost), .is_extra = true});
  }
  columns.push_back({.title = "team", .align = left, .wraps = true, .is_extra = true});
  Table table(columns);
  const auto add = [&](Table::Cell name, double correct, const Interval& interval,
                       const std::string& rank, const std::string& verdict,
                       const std::string& could_see, const Choice& chosen,
                       const std::optional<double>& seconds) {
    const TeamView team = chosen.team.view();
    std::vector<Table::Cell> row{std::move(name),
                                 share_text(correct, comparison.test_samples),
                                 range_text(interval),
                                 gain_of(comparison, correct),
                                 rank,
                                 verdict,
                                 could_see,
                                 team.empty() ? "-" : std::to_string(team.size()),
                                 seconds_text(seconds)};
    for (const Cost cost : costs) {
      row.emplace_back(team.empty() ? "-" : cost_text(comparison.pool, team, cost));
    }
    row.emplace_back(team.empty()                               ? "-"
                     : chosen.team == comparison.reference.team ? "all"
                                                                : page.team(team));
    table.add(std::move(row));
  };
  for (const MethodResult& result : comparison.methods) {
    if (!result.mean_rank) continue;
    add({std::string(title_of(result.method))}, result.test_correct, result.test_interval,
        fmt::format("{:.2f}", *result.mean_rank), verdict_text(result),
        result.detectable ? fraction_percentage(*result.detectable) : "-", result.chosen,
        result.seconds);
  }
  add({"entire ensemble", Paint::faint}, comparison.reference_test_correct,
      comparison.reference_interval, "-", "-", "-", {.team = comparison.reference.team},
      std::nullopt);
  page.table(table);
}

/// "the best of 29 methods by mean rank"; a random team may be ahead, but names none.
std::string place_text(const Comparison& comparison, const MethodResult& winner) {
  const auto ranked = static_cast<std::uint64_t>(std::ranges::count_if(
      comparison.methods, [](const MethodResult& result) { return result.mean_rank.has_value(); }));
  if (ranked == 1) return "the only method with a rank";
  return fmt::format("the best of {} by mean rank{}", counted(ranked, "method"),
                     &winner == &comparison.methods.front() ? "" : " that names a team");
}

/// What to use, and who chose it.
void headline(Page& page, const Comparison& comparison) {
  const auto winner = std::ranges::find_if(comparison.methods, [](const MethodResult& result) {
    return result.mean_rank && !result.chosen.team.empty();
  });
  if (winner == comparison.methods.end()) return;
  page.heading(ship_text(page, winner->chosen.team, winner->chosen.weights));
  page.paragraph(fmt::format("Chosen by {}, {}: {} % held out ({} %).", title_of(winner->method),
                             place_text(comparison, *winner),
                             share_text(winner->test_correct, comparison.test_samples),
                             range_text(winner->test_interval)),
                 2);
}

Message significance_text(const Comparison& comparison) {
  const auto test = comparison.significance_test();
  if (!test) {
    return comparison.options.repeats == 1 && !comparison.test
               ? message("One split tells nothing about significance: use {}, or {}.",
                         option("repeats"), option("test"))
               : "There are no two methods to compare.";
  }
  return fmt::format(
      "The verdict is against the best by rank, by the {}{} (Holm's adjustment, 5 %); \"could "
      "see\" is from how many points of difference on that test tells two methods apart.",
      to_string(*test),
      comparison.test ? " of the answers on " + message_text(comparison.test->name)
                      : std::string(" over the splits"));
}

void remarks(Page& page, const Comparison& comparison) {
  std::vector<Message> notes;
  for (const MethodResult& result : comparison.methods) {
    const std::string title(title_of(result.method));
    if (!result.mean_rank) {
      const auto missing = std::ranges::find_if(
          result.splits, [](const Choice& split) { return !split.not_computed.empty(); });
      notes.emplace_back(fmt::format("{}: not computed: {}", title, missing->not_computed));
    }
    if (!result.note.empty()) notes.emplace_back(fmt::format("{}: {}", title, result.note));
    const auto& certificate = result.chosen.certificate;
    if (certificate && certificate->is_proven) {
      notes.emplace_back(fmt::format("{}: proven: no team of {} has more than {} correct", title,
                                     comparison.desired_size,
                                     count_text(certificate->upper_bound)));
    } else if (certificate) {
      notes.emplace_back(fmt::format(
          "{}: stopped: {} correct found, no team of {} has more than {}", title,
          count_text(static_cast<std::uint64_t>(std::llround(result.chosen.selection_correct))),
          comparison.desired_size, count_text(certificate->upper_bound)));
    }
  }
  notes.insert(notes.end(), comparison.warnings.begin(), comparison.warnings.end());
  page.notes(notes);
}

}  // namespace

std::string to_text(const Comparison& comparison, const TextOptions& options) {
  Page page(comparison.pool, options);
  page.title();
  headline(page, comparison);
  page.blank();
  const std::string where =
      comparison.test
          ? fmt::format("chosen on {}, judged on the {} of {}",
                        counted(comparison.selection_samples, "sample"),
                        counted(comparison.test_samples, "sample"),
                        message_text(comparison.test->name))
          : fmt::format("chosen on {}, judged on the other {}, {}",
                        counted(comparison.selection_samples, "sample"),
                        count_text(comparison.test_samples),
                        counted(static_cast<std::uint64_t>(comparison.options.repeats), "split"));
  page.paragraph(fmt::format("Teams of {}, {} vote, {}.", comparison.desired_size,
                             to_string(comparison.vote), where));
  page.blank();
  methods_table(page, comparison);
  page.blank();
  page.paragraph(
      "Accuracy is held out, in percent, with a 95 % interval; gain is against the entire "
      "ensemble; rank is the mean "
      "over "
      "splits, 1 = best; teams, sizes and costs are of the choice on the entire pool. " +
      page.spelled(significance_text(comparison)));
  remarks(page, comparison);
  return page.take();
}

std::string to_text(const Front& front, const TextOptions& options) {
  Page page(front.pool, options);
  page.title();
  page.paragraph(fmt::format(
      "{} vote, {}{}. Each team is the cheapest of its accuracy, and nothing "
      "cheaper is as accurate.",
      sentence(std::string(to_string(front.vote))).substr(0, to_string(front.vote).size()),
      front.is_exact ? "every one of " : "", counted(front.team_count, "team")));
  for (const CostFront& each : front.fronts) {
    page.heading("Accuracy against " + (each.cost ? cost_title(*each.cost) : "team size"));
    Table table({{"team", left, true},
                 {each.cost ? cost_title(*each.cost) : "size"},
                 {"correct"},
                 {"accuracy"},
                 {"gain"}});
    for (const FrontPoint& point : each.points) {
      table.add({page.team(point.team.view()),
                 each.cost ? quantity_text(point.cost) : std::to_string(point.team.size()),
                 count_text(point.correct), accuracy_text(point.correct, front.pool.sample_count),
                 gain_cell(point.correct, front.reference.correct, front.pool.sample_count)});
    }
    page.table(table);
  }
  page.notes(front.warnings);
  return page.take();
}

}  // namespace hqe
