// SPDX-License-Identifier: MIT
#include "hqe/pictures/plot.h"

#include <doctest/doctest.h>

#include "hqe/base/error.h"
#include "hqe/pictures/figures.h"
#include "hqe/pictures/svg.h"

namespace hqe {
namespace {

/// Three models, all pairs scored by F-GD, one of them pruned.
Study small_study(const std::string& name) {
  Study study;
  study.pool = {.name = name, .sample_count = 100, .class_count = 2};
  for (const int correct : {80, 85, 90}) {
    study.pool.models.push_back({.name = name, .correct = static_cast<std::uint64_t>(correct)});
  }
  study.desired_size = 2;
  study.reference = {.team = Team::all(3), .correct = 91};
  study.selections.push_back(
      {.metric = "F-GD", .tiers = {{.size = 2, .candidates = 3, .pruned = 1, .cut = 0}}});
  StudyDetail detail;
  StudyDetail::ScoredTeams scored{.metric = "F-GD"};
  for (const Team& team : {Team{0, 1}, Team{0, 2}, Team{1, 2}}) scored.teams.push_back(team);
  scored.scores = {0.1, 0.5, 0.9};
  scored.fates = {StudyDetail::Fate::pruned, StudyDetail::Fate::kept, StudyDetail::Fate::kept};
  scored.correct = {84, 90, 92};
  detail.scored.push_back(scored);
  detail.co_failures = {20, 5, 5, 5, 15, 5, 5, 5, 10};
  for (const double beta : {0.1, 0.2}) {
    detail.sweep.push_back(
        {.size = 2, .beta = beta, .metric = "F-GD", .quality = {.precision = 0.5, .recall = 0.25}});
  }
  study.detail = detail;
  const ExitRun run{.order = {1, 0, 2},
                    .samples = 100,
                    .decided_after = {0, 0.75, 1},
                    .expected_models = 2.25,
                    .expected_cost = 2.25};
  study.recommended = {.figures = {.team = Team::all(3), .correct = 91}, .from = {}, .why = {}};
  study.recommended->early_exit = {.cost = std::nullopt, .full_cost = 3, .selection = run};
  study.recommended->early_exit->held_out = {.by = ExitJudge::half, .run = run};
  return study;
}

TEST_CASE("every figure is drawn, and the same study gives the same bytes") {
  for (const Figure figure : all_figures) {
    CAPTURE(to_string(figure));
    const std::string svg = plot(small_study("pool"), figure);
    CHECK(svg.starts_with("<svg "));
    CHECK(svg.ends_with("</svg>\n"));
    CHECK(svg == plot(small_study("pool"), figure));
    CHECK(parse_figure(to_string(figure)) == figure);
  }
}

TEST_CASE("names from files cannot add elements to a figure") {
  for (const Figure figure : all_figures) {
    const std::string svg = plot(small_study("</text><script>alert(1)</script>\"'&"), figure);
    CHECK(svg.find("<script") == std::string::npos);
  }
}

TEST_CASE("a study without detail says how to make one with it") {
  Study study = small_study("pool");
  study.detail.reset();
  CHECK_THROWS_WITH_AS((void)plot(study, Figure::scatter), doctest::Contains("Make it with prune"),
                       UsageError);
}

TEST_CASE("of very many pruned teams some are left out, and no kept one with them") {
  Study study = small_study("pool");
  StudyDetail::ScoredTeams& scored = study.detail->scored.front();
  scored = {.metric = "F-GD"};
  constexpr int models = 300;  // 44,850 pairs.
  std::size_t kept = 0;
  for (ModelId first = 0; first < models; ++first) {
    for (ModelId second = first + 1; second < models; ++second) {
      const bool is_kept = scored.scores.size() % 1000 == 1;
      kept += is_kept ? 1 : 0;
      scored.teams.push_back(Team{first, second});
      scored.scores.push_back(first + 0.001 * second);
      scored.correct.push_back(80 + second % 10);
      scored.fates.push_back(is_kept ? StudyDetail::Fate::kept : StudyDetail::Fate::pruned);
    }
  }
  const std::string svg = plot(study, Figure::scatter);
  const auto count = [&](std::string_view mark) {
    std::size_t found = 0;
    for (auto at = svg.find(mark); at != std::string::npos; at = svg.find(mark, at + 1)) ++found;
    return found;
  };
  CHECK(count(ink::kept) == kept);
  CHECK(count("<circle") == (scored.scores.size() - kept + 2) / 3);
  CHECK(count("some of the scored teams") == 1);
  CHECK(count("every scored team") == 0);
}

TEST_CASE("a metric that the study lacks is refused by name") {
  CHECK_THROWS_WITH_AS((void)plot(small_study("pool"), Figure::scatter, {.metric = "F-CK"}),
                       doctest::Contains("It has F-GD"), UsageError);
}

TEST_CASE("the scatter draws kept teams as squares and pruned ones as circles") {
  const std::string svg = plot(small_study("pool"), Figure::scatter);
  std::size_t squares = 0;
  for (std::size_t at = svg.find("width=\"4.8\""); at != std::string::npos;
       at = svg.find("width=\"4.8\"", at + 1)) {
    ++squares;
  }
  CHECK(squares == 2);
}

TEST_CASE("the early exit is drawn with the share that each member decides, in their order") {
  Study study = small_study("pool");
  for (std::size_t m = 0; m < 3; ++m) study.pool.models[m].name = std::string(1, char('a' + m));
  const std::string svg = plot(study, Figure::exit);
  CHECK(svg.find("1. b") < svg.find("2. a"));
  CHECK(svg.find("3. c") != std::string::npos);
  CHECK(svg.find("75.0 %, 75.0 %") != std::string::npos);
  CHECK(svg.find("2.25 of 3 models run on average; 2.25 held out") != std::string::npos);
  study.recommended->early_exit.reset();
  CHECK_THROWS_WITH_AS((void)plot(study, Figure::exit), doctest::Contains("no early exit"),
                       UsageError);
}

TEST_CASE("ticks are round numbers inside the range") {
  CHECK(nice_ticks(0, 1, 5) == std::vector<double>{0, 0.2, 0.4, 0.6000000000000001, 0.8, 1});
  for (const double tick : nice_ticks(-0.13, 0.92, 6)) {
    CHECK(tick >= -0.13);
    CHECK(tick <= 0.92);
  }
}

TEST_CASE(
    "a handful of hopeless teams does not squash the others, but a wide field is shown whole") {
  std::vector<double> accuracies(1000, 0.9);
  for (std::size_t i = 0; i < accuracies.size(); ++i) accuracies[i] += 1e-5 * double(i);
  const double lowest = accuracies.front();
  CHECK(accuracy_floor(accuracies) == lowest);
  accuracies[3] = 0.1;
  CHECK(accuracy_floor(accuracies) > 0.89);
  CHECK(accuracy_floor({0.1, 0.9, 0.91}) == 0.1);
}

}  // namespace
}  // namespace hqe
