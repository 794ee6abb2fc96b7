// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "hqe/base/error.h"
#include "hqe/base/option_name.h"
#include "hqe/pictures/figures.h"
#include "hqe/pictures/svg.h"
#include "hqe/report/numbers.h"

namespace hqe {
namespace {

constexpr int scatter_width = 760;
constexpr int scatter_height = 500;

/// More marks of one kind than this only darken the picture: every k-th of them is drawn.
constexpr std::size_t most_marks = 20'000;

/// What the picture shows of a study.
struct Scatter {
  const Study& study;
  const StudyDetail::ScoredTeams& scored;
  double reference = 0;  ///< The accuracy of the entire ensemble.
  Axis x, y;

  [[nodiscard]] double accuracy(std::size_t team) const {
    return static_cast<double>(scored.correct[team]) / static_cast<double>(study.pool.sample_count);
  }
  [[nodiscard]] bool is_kept(std::size_t team) const {
    return !scored.fates.empty() && scored.fates[team] == StudyDetail::Fate::kept;
  }
};

Scatter scatter_of(const Study& study, const StudyDetail::ScoredTeams& scored) {
  Scatter scatter{.study = study,
                  .scored = scored,
                  .reference = static_cast<double>(study.reference.correct) /
                               static_cast<double>(study.pool.sample_count),
                  .x = {},
                  .y = {}};
  std::vector<double> accuracies{scatter.reference};
  for (std::size_t i = 0; i < scored.teams.size(); ++i) accuracies.push_back(scatter.accuracy(i));
  const auto [low, high] = std::ranges::minmax(scored.scores);
  scatter.x = Axis::around(low, high, 84, scatter_width - 24);
  scatter.y = Axis::around(accuracy_floor(accuracies), std::ranges::max(accuracies),
                           scatter_height - 62, 64);
  return scatter;
}

/// The teams by fate, in the order of their list.
struct Fates {
  std::vector<std::size_t> kept, pruned;

  explicit Fates(const Scatter& scatter) {
    for (std::size_t i = 0; i < scatter.scored.teams.size(); ++i) {
      (scatter.is_kept(i) ? kept : pruned).push_back(i);
    }
  }
  /// One of so many teams of the list is drawn.
  [[nodiscard]] static std::size_t step(const std::vector<std::size_t>& list) {
    return 1 + list.size() / most_marks;
  }
  [[nodiscard]] bool are_all_drawn() const { return step(kept) == 1 && step(pruned) == 1; }
};

/// Pruned teams below, kept ones above.
void draw_teams(Svg& svg, const Scatter& scatter, const Fates& fates) {
  const StudyDetail::ScoredTeams& scored = scatter.scored;
  const auto place = [&](std::size_t i) {
    return std::pair(scatter.x.at(scored.scores[i]),
                     std::min(scatter.y.begin, scatter.y.at(scatter.accuracy(i))));
  };
  for (std::size_t i = 0; i < fates.pruned.size(); i += Fates::step(fates.pruned)) {
    const auto [across, up] = place(fates.pruned[i]);
    svg.circle(across, up, 2.2, ink::pruned, 0.55);
  }
  for (std::size_t i = 0; i < fates.kept.size(); i += Fates::step(fates.kept)) {
    const auto [across, up] = place(fates.kept[i]);
    svg.square(across, up, 2.4, ink::kept, 0.65);
  }
}

/// The mean score, and the accuracy of the entire ensemble.
void draw_lines(Svg& svg, const Scatter& scatter) {
  const Axis &x = scatter.x, &y = scatter.y;
  double sum = 0;
  for (const double score : scatter.scored.scores) sum += score;
  const double mean = sum / static_cast<double>(scatter.scored.teams.size());
  svg.line(x.at(mean), y.begin, x.at(mean), y.end, ink::faint, "3 3");
  svg.label(x.at(mean) + 5, y.end + 11, "mean score");
  const double reference = y.at(scatter.reference);
  svg.line(x.begin, reference, x.end, reference, ink::accent, "7 4", 1.5);
  svg.line(x.end - 216, y.end - 9, x.end - 186, y.end - 9, ink::accent, "7 4", 1.5);
  const Study& study = scatter.study;
  svg.text(x.end, y.end - 5,
           fmt::format("entire ensemble of {}: {}", study.pool.models.size(),
                       accuracy_text(study.reference.correct, study.pool.sample_count)),
           Anchor::end, 12, ink::accent, true);
}

}  // namespace

std::string plot_scatter(const Study& study, const std::string& metric) {
  const StudyDetail& detail = required_detail(study, "scatter");
  const auto found = std::ranges::find(detail.scored, metric, &StudyDetail::ScoredTeams::metric);
  if (found == detail.scored.end() || found->correct.empty()) {
    throw UsageError(
        message("the study has no scored teams of {} with their accuracies. Save it with {}",
                metric, saved_by("prune")));
  }
  const Scatter scatter = scatter_of(study, *found);
  const Fates fates(scatter);
  Svg svg(scatter_width, scatter_height,
          fmt::format("{}: {} against accuracy", study.pool.name, metric));
  svg.text(84, 26,
           fmt::format("{}: {}", shorten(study.pool.name, 60),
                       fates.are_all_drawn() ? "every scored team" : "some of the scored teams"),
           Anchor::start, 15, ink::text, true);
  svg.text(84, 45,
           fmt::format("{} teams of sizes 2 to {}; orange squares were kept, grey dots pruned",
                       found->teams.size(), study.desired_size),
           Anchor::start, 12, ink::text);
  svg.axes(scatter.x, fmt::format("{} score: more diverse to the right", metric), false, scatter.y,
           "accuracy of the team", true);
  draw_teams(svg, scatter, fates);
  draw_lines(svg, scatter);
  return svg.finish();
}

}  // namespace hqe
