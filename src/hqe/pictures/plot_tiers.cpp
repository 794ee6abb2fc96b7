// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>

#include "hqe/base/error.h"
#include "hqe/base/option_name.h"
#include "hqe/pictures/figures.h"
#include "hqe/pictures/svg.h"
#include "hqe/report/numbers.h"

namespace hqe {
namespace {

constexpr int tiers_width = 760;
constexpr double tiers_top = 84;
constexpr double tiers_row_height = 58;
constexpr double tiers_bar_height = 26;
constexpr double tiers_left = 110;
constexpr double tiers_right = tiers_width - 150;

}  // namespace

std::string plot_tiers(const Study& study, const std::string& metric) {
  const auto found = std::ranges::find(study.selections, metric, &Selection::metric);
  if (found == study.selections.end() || found->tiers.empty()) {
    throw UsageError(message("the tiers figure shows hierarchical pruning. Make the study with {}",
                             option("by", "hierarchical")));
  }
  const std::vector<TierSummary>& tiers = found->tiers;
  const int height =
      static_cast<int>(tiers_top + tiers_row_height * static_cast<double>(tiers.size()) + 20);
  Svg svg(tiers_width, height, fmt::format("{}: tiers of {}", study.pool.name, metric));
  svg.text(24, 28,
           fmt::format("{}: how {} pruned, tier by tier", shorten(study.pool.name, 50), metric),
           Anchor::start, 15, ink::text, true);
  svg.text(24, 48,
           "Each bar is every team of a size: kept, pruned for a low score, and cut off "
           "unseen with a smaller team.",
           Anchor::start, 12);

  for (std::size_t i = 0; i < tiers.size(); ++i) {
    const TierSummary& tier = tiers[i];
    const double y = tiers_top + tiers_row_height * static_cast<double>(i);
    const auto kept = static_cast<double>(tier.candidates - tier.pruned);
    const auto pruned = static_cast<double>(tier.pruned);
    const auto cut = static_cast<double>(tier.cut.value_or(0));
    const double all = std::max(1.0, kept + pruned + cut);
    const double scale = (tiers_right - tiers_left) / all;
    svg.text(tiers_left - 12, y + 18, fmt::format("teams of {}", tier.size), Anchor::end, 12);
    svg.box(tiers_left, y, kept * scale, tiers_bar_height, ink::kept, fmt::format("{} kept", kept));
    svg.box(tiers_left + kept * scale, y, pruned * scale, tiers_bar_height, ink::pruned,
            fmt::format("{} pruned", pruned));
    svg.box(tiers_left + (kept + pruned) * scale, y, cut * scale, tiers_bar_height, ink::grid,
            fmt::format("{} cut", cut));
    svg.text(tiers_left, y + tiers_bar_height + 15,
             fmt::format("{} kept, {} pruned, {} cut", tier.candidates - tier.pruned, tier.pruned,
                         tier.cut ? std::to_string(*tier.cut) : std::string("unknown")),
             Anchor::start, 11);
    svg.text(tiers_right + 12, y + 18, percent_text(kept / all, 1) + " kept", Anchor::start, 12);
  }
  return svg.finish();
}

}  // namespace hqe
