// SPDX-License-Identifier: MIT
#include "hqe/report/serving_text.h"

#include <fmt/core.h>

#include "hqe/report/numbers.h"
#include "hqe/report/page.h"
#include "hqe/report/text.h"

namespace hqe {
namespace {

/// "0.52 ms (-39 %)"; empty where only models are counted.
std::string cost_text(const EarlyExit& exit, const ExitRun& run) {
  if (!exit.cost) return "";
  const std::string unit = *exit.cost == Cost::latency_ms ? "ms" : cost_title(*exit.cost);
  return fmt::format("{} {} ({})", quantity_text(run.expected_cost), unit,
                     reduction_text(1 - run.expected_cost / exit.full_cost));
}

/// "2.6 of 4 models run on average, 0.52 ms (-39 %)".
std::string run_text(const EarlyExit& exit, const ExitRun& run) {
  const std::string cost = cost_text(exit, run);
  return fmt::format("{:.1f} of {} models run on average{}", run.expected_models, run.order.size(),
                     cost.empty() ? "" : ", " + cost);
}

std::string least_text(const EarlyExit& exit) {
  if (exit.is_least) return "No order of these models costs less.";
  return fmt::format("No order can do with less than {} {}.", quantity_text(exit.least_cost),
                     exit.cost ? *exit.cost == Cost::latency_ms ? "ms" : cost_title(*exit.cost)
                               : std::string("models"));
}

}  // namespace

std::string calibration_text(const Serving& serving, bool with_test) {
  const CalibrationEffect& effect = serving.selection;
  if (serving.temperature == 1) {
    return fmt::format("log-loss {:.3f}, which no temperature lowers", effect.before.log_loss);
  }
  std::string text =
      fmt::format("log-loss {:.3f}, {:.3f} at temperature {:.2f}", effect.before.log_loss,
                  effect.after.log_loss, serving.temperature);
  if (with_test && serving.test) {
    text += fmt::format("; on the test pool {:.3f}, {:.3f}", serving.test->before.log_loss,
                        serving.test->after.log_loss);
  }
  return text;
}

std::string early_exit_text(const EarlyExit& exit, bool with_test) {
  std::string text = "same answers, " + run_text(exit, exit.selection);
  if (with_test && exit.held_out && exit.held_out->by == ExitJudge::test) {
    text += fmt::format("; on the test pool {:.1f}", exit.held_out->run.expected_models);
  }
  return text;
}

std::string to_text(const Ordering& ordering, const TextOptions& options) {
  Page page(ordering.pool, options);
  const EarlyExit& exit = ordering.exit;
  page.title();
  page.paragraph(fmt::format(
      "Team {}, {} vote: {}.", page.team(ordering.figures.team.view()), to_string(ordering.vote),
      ordering.pool.has_labels ? accuracy_text(ordering.figures.correct, ordering.pool.sample_count)
                               : "the order needs no true labels, and the pool has none"));
  page.blank();
  Table table({{"run"}, {"model"}, {"", left, true}, {"decided"}});
  for (std::size_t k = 0; k < exit.selection.order.size(); ++k) {
    const ModelId model = exit.selection.order[k];
    table.add({std::to_string(k + 1), std::to_string(model),
               Page::name(ordering.pool.models[model].name),
               percent_text(exit.selection.decided_after[k], 1)});
  }
  page.table(table);
  page.blank();
  page.paragraph(fmt::format("Stop where a sample is decided: {}. {}", early_exit_text(exit),
                             least_text(exit)));
  if (exit.held_out && exit.held_out->by == ExitJudge::half) {
    page.paragraph(fmt::format("On {} samples held back, in the order that the others choose: {}.",
                               count_text(exit.held_out->run.samples),
                               run_text(exit, exit.held_out->run)));
  }
  page.notes(ordering.warnings);
  return page.take();
}

}  // namespace hqe
