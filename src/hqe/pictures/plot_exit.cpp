// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "hqe/base/error.h"
#include "hqe/base/option_name.h"
#include "hqe/pictures/figures.h"
#include "hqe/pictures/svg.h"
#include "hqe/report/numbers.h"
#include "hqe/serving/early_exit.h"

namespace hqe {
namespace {

constexpr int exit_width = 760;
constexpr double bars_begin = 250, bars_end = exit_width - 150;
constexpr double first_row = 92, exit_row_height = 28, exit_bar_height = 14;
constexpr std::size_t most_rows = 16;

/// All places of the order, or the first ones and the last.
std::vector<std::size_t> shown_places(std::size_t members) {
  std::vector<std::size_t> places;
  for (std::size_t place = 0; place < members; ++place) {
    if (members <= most_rows || place + 1 < most_rows || place + 1 == members) {
      places.push_back(place);
    }
  }
  return places;
}

std::string caption_of(const EarlyExit& exit) {
  const std::string models =
      fmt::format("{:.2f} of {} models run on average", exit.selection.expected_models,
                  exit.selection.order.size());
  if (!exit.held_out) return "Same answers as the whole team: " + models + ".";
  return fmt::format("Same answers as the whole team: {}; {:.2f} {} (ticks).", models,
                     exit.held_out->run.expected_models,
                     exit.held_out->by == ExitJudge::test ? "on the test pool" : "held out");
}

void draw_member(Svg& svg, const Study& study, const EarlyExit& exit, std::size_t place, double y,
                 const Axis& x) {
  const std::vector<double>& decided = exit.selection.decided_after;
  const double before = place == 0 ? 0 : decided[place - 1];
  const std::string& name = study.pool.models[exit.selection.order[place]].name;
  svg.text(bars_begin - 12, y + 11, fmt::format("{}. {}", place + 1, shorten(name, 28)),
           Anchor::end);
  svg.box(x.at(0), y, x.at(before) - x.at(0), exit_bar_height, ink::grid);
  std::string figure = percent_text(decided[place], 1);
  svg.box(x.at(before), y, x.at(decided[place]) - x.at(before), exit_bar_height, ink::kept, figure);
  if (exit.held_out) {
    const double held_out = exit.held_out->run.decided_after[place];
    svg.line(x.at(held_out), y - 3, x.at(held_out), y + exit_bar_height + 3, ink::text, "", 2);
    figure += ", " + percent_text(held_out, 1);
  }
  svg.text(bars_end + 14, y + 11, figure);
}

}  // namespace

std::string plot_exit(const Study& study) {
  if (!study.recommended || !study.recommended->early_exit ||
      study.recommended->early_exit->selection.order.empty()) {
    throw UsageError(
        message("the study holds no early exit: nothing is recommended, or an older hqe made it. "
                "Make it with {}",
                saved_by("prune")));
  }
  const EarlyExit& exit = *study.recommended->early_exit;
  const std::vector<std::size_t> places = shown_places(exit.selection.order.size());
  const double floor = first_row + exit_row_height * static_cast<double>(places.size());
  const Axis x{.low = 0, .high = 1, .begin = bars_begin, .end = bars_end};
  const std::string title =
      fmt::format("{}: samples decided after each member", shorten(study.pool.name, 50));
  Svg svg(exit_width, static_cast<int>(floor) + 56, title);
  svg.text(24, 28, title, Anchor::start, 15, ink::text, true);
  svg.text(24, 48, caption_of(exit), Anchor::start, 12);
  svg.text(24, 66, "The coloured part of a bar is the share that its member decides.",
           Anchor::start, 12);
  for (int tick = 0; tick <= 100; tick += 20) {
    const double at = x.at(tick / 100.0);
    svg.line(at, first_row - 6, at, floor, ink::grid);
    svg.text(at, floor + 16, std::to_string(tick), Anchor::middle, 11);
  }
  svg.line(x.begin, floor, x.end, floor, ink::text);
  svg.text((x.begin + x.end) / 2, floor + 36, "samples decided, %", Anchor::middle);
  for (std::size_t row = 0; row < places.size(); ++row) {
    draw_member(svg, study, exit, places[row],
                first_row + exit_row_height * static_cast<double>(row), x);
  }
  return svg.finish();
}

}  // namespace hqe
