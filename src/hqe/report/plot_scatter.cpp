// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "hqe/base/error.h"
#include "hqe/base/option_name.h"
#include "hqe/report/figures.h"
#include "hqe/report/numbers.h"
#include "hqe/report/svg.h"

namespace hqe {
namespace {

constexpr int scatter_width = 760;
constexpr int scatter_height = 500;

/// More dots than this only darken the picture: every k-th pruned team is drawn.
constexpr std::size_t most_dots = 20'000;

struct ScoreRange {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

}  // namespace

std::string plot_scatter(const Study& study, const std::string& metric) {
  const StudyDetail& detail = required_detail(study, "scatter");
  const auto found = std::ranges::find(detail.scored, metric, &StudyDetail::ScoredTeams::metric);
  if (found == detail.scored.end() || found->correct.empty()) {
    throw UsageError(
        message("the study has no scored teams of {} with their accuracies. Save it with {}",
                metric, saved_by("prune")));
  }
  const StudyDetail::ScoredTeams& scored = *found;
  const auto samples = static_cast<double>(study.pool.sample_count);
  const double reference = static_cast<double>(study.reference.correct) / samples;

  ScoreRange scores;
  std::vector<double> accuracies{reference};
  double sum = 0;
  for (std::size_t i = 0; i < scored.teams.size(); ++i) {
    scores.include(scored.scores[i]);
    accuracies.push_back(static_cast<double>(scored.correct[i]) / samples);
    sum += scored.scores[i];
  }
  const Axis x = Axis::around(scores.low, scores.high, 84, scatter_width - 24);
  const Axis y = Axis::around(accuracy_floor(accuracies), std::ranges::max(accuracies),
                              scatter_height - 62, 64);

  Svg svg(scatter_width, scatter_height,
          fmt::format("{}: {} against accuracy", study.pool.name, metric));
  svg.text(84, 26, fmt::format("{}: every scored team", shorten(study.pool.name, 60)),
           Anchor::start, 15, ink::text, true);
  svg.text(84, 45,
           fmt::format("{} teams of sizes 2 to {}; orange squares were kept, grey dots pruned",
                       scored.teams.size(), study.desired_size),
           Anchor::start, 12, ink::text);
  svg.axes(x, fmt::format("{} score: more diverse to the right", metric), false, y,
           "accuracy of the team", true);
  const std::size_t step = 1 + scored.teams.size() / most_dots;
  for (const bool kept : {false, true}) {
    for (std::size_t i = 0; i < scored.teams.size(); i += step) {
      const bool is_kept = !scored.fates.empty() && scored.fates[i] == StudyDetail::Fate::kept;
      if (is_kept != kept) continue;
      const double across = x.at(scored.scores[i]);
      const double up = std::min(y.begin, y.at(static_cast<double>(scored.correct[i]) / samples));
      if (kept) {
        svg.square(across, up, 2.4, ink::kept, 0.65);
      } else {
        svg.circle(across, up, 2.2, ink::pruned, 0.55);
      }
    }
  }
  const double mean = sum / static_cast<double>(scored.teams.size());
  svg.line(x.at(mean), y.begin, x.at(mean), y.end, ink::faint, "3 3");
  svg.label(x.at(mean) + 5, y.end + 11, "mean score");
  svg.line(x.begin, y.at(reference), x.end, y.at(reference), ink::accent, "7 4", 1.5);
  svg.line(x.end - 216, y.end - 9, x.end - 186, y.end - 9, ink::accent, "7 4", 1.5);
  svg.text(x.end, y.end - 5,
           fmt::format("entire ensemble of {}: {}", study.pool.models.size(),
                       accuracy_text(study.reference.correct, study.pool.sample_count)),
           Anchor::end, 12, ink::accent, true);
  return svg.finish();
}

}  // namespace hqe
