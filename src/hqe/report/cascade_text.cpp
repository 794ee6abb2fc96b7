// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include "hqe/report/page.h"
#include "hqe/report/text.h"
#include "hqe/statistics/intervals.h"

namespace hqe {
namespace {

/// `run`: which of a row's figures.
template <typename Choose>
void add_cascades(Page& page, const CascadeFront& front, const Choose& run) {
  const std::string cost = front.cost ? cost_title(*front.cost) : "";
  std::vector<Table::Column> columns{{"stop at", left, true}, {"models"}};
  if (front.cost) columns.push_back({.title = cost});
  for (const char* title : {"saved", "accuracy", "interval", "difference", "other answers"}) {
    columns.push_back({.title = title});
  }
  Table table(std::move(columns));
  const CascadeRun& full = run(front.exact());
  for (const CascadeRow& row : front.rows) {
    const CascadeRun& own = run(row);
    const Interval interval = wilson_interval(own.correct, own.samples);
    std::vector<Table::Cell> cells{to_string(row.stop), fmt::format("{:.2f}", own.expected_models)};
    if (front.cost) cells.emplace_back(quantity_text(own.expected_cost));
    cells.emplace_back(reduction_text(1 - own.expected_cost / front.full_cost));
    cells.emplace_back(accuracy_text(own.correct, own.samples));
    cells.emplace_back(fmt::format("{:.2f}-{:.2f}", 100 * interval.low, 100 * interval.high));
    if (row.stop.kind == StopKind::exact) {
      cells.emplace_back("same");
      cells.emplace_back("none");
    } else {
      cells.push_back(gain_cell(own.correct, full.correct, own.samples));
      cells.emplace_back(count_text(own.changed));
    }
    table.add(std::move(cells));
  }
  page.table(table);
}

std::string judge_heading(const Cascading& cascading, const CascadeRun& run) {
  if (cascading.test) {
    return fmt::format("On the {} of {}", counted(run.samples, "sample"),
                       message_text(*cascading.test));
  }
  return fmt::format("On {} held out", counted(run.samples, "sample"));
}

}  // namespace

std::string to_text(const Cascading& cascading, const TextOptions& options) {
  Page page(cascading.pool, options);
  const CascadeFront& front = cascading.front;
  page.title();
  page.paragraph(
      fmt::format("Team {}{}, {} vote: {}.", page.team(cascading.figures.team.view()),
                  cascading.is_recommended ? " (recommended)" : "", to_string(cascading.vote),
                  accuracy_text(cascading.figures.correct, cascading.pool.sample_count)));
  page.paragraph(fmt::format("Run in this order: {}.", page.names(front.order)));
  if (front.exact().held_out) {
    page.heading(judge_heading(cascading, *front.exact().held_out));
    add_cascades(page, front,
                 [](const CascadeRow& row) -> const CascadeRun& { return *row.held_out; });
  }
  page.heading(
      fmt::format("On the {} that chose", counted(front.exact().selection.samples, "sample")));
  add_cascades(page, front,
               [](const CascadeRow& row) -> const CascadeRun& { return row.selection; });
  page.blank();
  page.paragraph(
      front.rows.size() == 1
          ? "The exact exit answers as the full vote does, on every sample. No cascade costs less "
            "on "
            "the samples that chose, whatever it loses."
          : "The exact exit answers as the full vote does, on every sample. The others do NOT: "
            "difference is their accuracy against it, in points, with a 95 % interval of the "
            "accuracy itself. Each is the cheapest of its accuracy on the samples that chose. "
            "Whatever the rule, members also stop where the vote is decided.");
  page.notes(cascading.warnings);
  return page.take();
}

}  // namespace hqe
