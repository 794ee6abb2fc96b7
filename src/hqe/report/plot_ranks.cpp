// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hqe/base/error.h"
#include "hqe/report/compare_text.h"
#include "hqe/report/display.h"
#include "hqe/report/svg.h"

namespace hqe {
namespace {

constexpr int width = 860;
constexpr double side = 250;  ///< Room for names on either side of the axis.
constexpr double row_height = 18;

}  // namespace

// After Demsar (2006): an axis of mean ranks, a stem a method, and bars over methods that the
// critical difference does not tell apart.
std::string plot_ranks(const RankSummary& ranks) {
  if (ranks.methods.size() < 2) {
    throw UsageError("the comparison ranks fewer than two methods. Make it with hqe compare POOL");
  }
  const std::size_t count = ranks.methods.size();
  const std::size_t on_left = (count + 1) / 2;
  const double axis_y = 104;
  const double bars_y = axis_y + 16;
  const double first_name_y = bars_y + 8 * static_cast<double>(ranks.groups.size()) + 22;
  const int height =
      static_cast<int>(first_name_y + row_height * static_cast<double>(on_left)) + 16;
  const Axis axis{.low = 1, .high = static_cast<double>(count), .begin = side, .end = width - side};

  const std::string title = fmt::format("{}: mean rank over {} split{}", shorten(ranks.pool, 50),
                                        ranks.splits, ranks.splits == 1 ? "" : "s");
  Svg svg(width, height, title);
  svg.text(24, 26, title, Anchor::start, 15, ink::text, true);
  svg.text(24, 45,
           "Left is better. A bar joins methods that the critical difference does not tell apart.",
           Anchor::start, 12);
  svg.line(axis.begin, axis_y, axis.end, axis_y, ink::text);
  const int step = std::max(1, static_cast<int>(count) / 12);
  for (int rank = 1; rank <= static_cast<int>(count); rank += step) {
    svg.line(axis.at(rank), axis_y - 5, axis.at(rank), axis_y, ink::text);
    svg.text(axis.at(rank), axis_y - 9, std::to_string(rank), Anchor::middle, 11);
  }
  if (ranks.critical_difference) {
    const double end = std::min(1 + *ranks.critical_difference, axis.high);
    svg.line(axis.begin, axis_y - 30, axis.at(end), axis_y - 30, ink::accent, "", 2);
    svg.text((axis.begin + axis.at(end)) / 2, axis_y - 35,
             fmt::format("critical difference {:.2f}", *ranks.critical_difference), Anchor::middle,
             11, ink::accent);
  }
  for (std::size_t i = 0; i < ranks.groups.size(); ++i) {
    const auto [first, last] = ranks.groups[i];
    const double y = bars_y + 8 * static_cast<double>(i);
    svg.line(axis.at(ranks.methods[static_cast<std::size_t>(first)].mean_rank) - 4, y,
             axis.at(ranks.methods[static_cast<std::size_t>(last)].mean_rank) + 4, y, ink::kept, "",
             3);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const RankSummary::Entry& method = ranks.methods[i];
    const bool is_left = i < on_left;
    const double row = static_cast<double>(is_left ? i : count - 1 - i);
    const double y = first_name_y + row_height * row;
    const double x = axis.at(method.mean_rank);
    const double name_x = is_left ? side - 12 : width - side + 12;
    svg.line(x, axis_y, x, y, ink::faint);
    svg.line(x, y, name_x, y, ink::faint);
    const std::string name = fmt::format("{} {:.2f}", method.title, method.mean_rank);
    svg.label(is_left ? name_x - 4 : name_x + 4, y + 4, shorten(name, 40),
              is_left ? Anchor::end : Anchor::start, ink::text, i == 0);
  }
  return svg.finish();
}

}  // namespace hqe
