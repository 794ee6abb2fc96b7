// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "hqe/base/error.h"
#include "hqe/base/option_name.h"
#include "hqe/pictures/plot.h"
#include "hqe/pictures/svg.h"
#include "hqe/report/compare_text.h"
#include "hqe/report/display.h"

namespace hqe {
namespace {

constexpr int ranks_width = 860;
constexpr double side = 250;  ///< Room for names on either side of the axis.
constexpr double ranks_row_height = 18;

std::string caption_of(const RankSummary& ranks) {
  if (!ranks.significance_test) return "Left is better.";
  return fmt::format(
      "Left is better. Hollow marks are worse than the first by the {} (Holm's adjustment, 5 %).",
      to_string(*ranks.significance_test));
}

}  // namespace

// An axis of mean ranks and a stem a method, after Demsar (2006). What is told apart is the
// verdict's to say, not the axis'.
std::string plot_ranks(const RankSummary& ranks) {
  if (ranks.methods.size() < 2) {
    throw UsageError(message("the comparison ranks fewer than two methods. Make it with {}",
                             saved_by("compare")));
  }
  const std::size_t count = ranks.methods.size();
  const std::size_t on_left = (count + 1) / 2;
  const double axis_y = 84;
  const double first_name_y = axis_y + 30;
  const int height =
      static_cast<int>(first_name_y + ranks_row_height * static_cast<double>(on_left)) + 16;
  const Axis axis{
      .low = 1, .high = static_cast<double>(count), .begin = side, .end = ranks_width - side};

  const std::string title = fmt::format("{}: mean rank over {} split{}", shorten(ranks.pool, 50),
                                        ranks.splits, ranks.splits == 1 ? "" : "s");
  Svg svg(ranks_width, height, title);
  svg.text(24, 26, title, Anchor::start, 15, ink::text, true);
  svg.text(24, 45, caption_of(ranks), Anchor::start, 12);
  svg.line(axis.begin, axis_y, axis.end, axis_y, ink::text);
  const int step = std::max(1, static_cast<int>(count) / 12);
  for (int rank = 1; rank <= static_cast<int>(count); rank += step) {
    svg.line(axis.at(rank), axis_y - 7, axis.at(rank), axis_y, ink::text);
    svg.text(axis.at(rank), axis_y - 11, std::to_string(rank), Anchor::middle, 11);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const RankSummary::Entry& method = ranks.methods[i];
    const bool is_left = i < on_left;
    const double row = static_cast<double>(is_left ? i : count - 1 - i);
    const double y = first_name_y + ranks_row_height * row;
    const double x = axis.at(method.mean_rank);
    const double name_x = is_left ? side - 12 : ranks_width - side + 12;
    svg.line(x, axis_y, x, y, ink::faint);
    svg.line(x, y, name_x, y, ink::faint);
    const std::string name = fmt::format("{} {:.2f}", method.title, method.mean_rank);
    svg.label(is_left ? name_x - 4 : name_x + 4, y + 4, shorten(name, 40),
              is_left ? Anchor::end : Anchor::start, method.is_worse ? ink::faint : ink::text,
              i == 0);
  }
  for (const RankSummary::Entry& method : ranks.methods) {
    svg.circle(axis.at(method.mean_rank), axis_y, 4, method.is_worse ? ink::paper : ink::kept, 1,
               ink::kept);
  }
  return svg.finish();
}

}  // namespace hqe
