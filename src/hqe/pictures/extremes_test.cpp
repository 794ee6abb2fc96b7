// SPDX-License-Identifier: MIT
// Numbers that no pool is likely to have, and any file may.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

#include "hqe/pictures/plot.h"
#include "hqe/pictures/svg.h"
#include "hqe/report/html.h"
#include "tests/support/hand_made_study.h"

namespace hqe {
namespace {

constexpr double smallest = std::numeric_limits<double>::denorm_min();
constexpr double largest = std::numeric_limits<double>::max();

void check_drawn(const std::string& svg) {
  CHECK(svg.find("nan") == std::string::npos);
  CHECK(svg.find("inf\"") == std::string::npos);
}

TEST_CASE("an axis between neighbouring numbers has an end") {
  for (const double low : {0.5, 1.0, 1e6, smallest, -1.0, 0.0}) {
    CAPTURE(low);
    const double high = std::nextafter(low, largest);
    const auto ticks = nice_ticks(low, high, 6);
    CHECK(ticks.size() <= 13);
    for (const double tick : ticks) CHECK((tick >= low - 1 && tick <= high + 1));
    CHECK(Axis::around(low, high, 0, 100).ticks(6).size() <= 13);
  }
}

TEST_CASE("a logarithmic axis from the smallest number to the largest has an end") {
  const Axis axis{.low = smallest, .high = largest, .begin = 0, .end = 1, .logarithmic = true};
  const auto ticks = axis.ticks(7);
  CHECK(ticks.size() < 2000);
  CHECK(ticks.back() <= largest);
}

TEST_CASE("costs of any size are drawn, or team sizes in their place") {
  for (const double cost : {smallest, 1e-300, 1e300, largest}) {
    CAPTURE(cost);
    Study study = testing::whole_study();
    for (auto& model : study.pool.models) model.costs[Cost::params] = cost;
    check_drawn(plot(study, Figure::pareto));
    study.pool.models[0].costs[Cost::params] = 1;
    check_drawn(plot(study, Figure::pareto));
  }
  Study study = testing::whole_study();
  for (auto& model : study.pool.models) model.costs[Cost::params] = largest;
  CHECK(plot(study, Figure::pareto).find("models in the team") != std::string::npos);
}

TEST_CASE("a picture of long names is about as long as the names") {
  Study study = testing::whole_study();
  for (auto& model : study.pool.models) model.name.assign(100'000, 'x');
  CHECK(plot(study, Figure::cofailure).size() < 100'000);
}

TEST_CASE("scores that hardly differ are packed") {
  for (const double apart : {smallest, 100 * smallest, 1e-300, 0.0}) {
    CAPTURE(apart);
    Study study = testing::whole_study();
    StudyDetail::ScoredTeams& scored = study.detail->scored.front();
    while (scored.scores.size() < 9000) {
      scored.teams.push_back(Team{0, 1}.view());
      scored.scores.push_back(scored.scores.size() % 2 == 0 ? 0 : apart);
      scored.fates.push_back(StudyDetail::Fate::kept);
      scored.correct.push_back(7);
    }
    scored.scores[0] = scored.scores[1] = 0;
    const std::string page = report_page(study);
    CHECK(page.find("\"packed\":{") != std::string::npos);
    // A step of 0 would be written as such, and its quotients as whatever a cast makes of them.
    CHECK(page.find("\"step\":0.0") == std::string::npos);
  }
}

}  // namespace
}  // namespace hqe
