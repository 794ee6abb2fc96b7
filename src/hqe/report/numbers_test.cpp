// SPDX-License-Identifier: MIT
#include "hqe/report/numbers.h"

#include <doctest/doctest.h>

#include "hqe/report/text.h"

namespace hqe {
namespace {

TEST_CASE("percentages of counts are rounded half up from the exact quotient") {
  CHECK(accuracy_text(201, 20'000) == "1.01 %");
  CHECK(accuracy_text(200, 20'000) == "1.00 %");
  CHECK(accuracy_text(2'147'483'647, 2'147'483'648) == "100.00 %");
  CHECK(percent_text(201.0 / 20'000) == "1.01 %");
  CHECK(percent_text(0.125, 0) == "13 %");
  CHECK(percent_text(std::nullopt) == "-");
}

TEST_CASE("points are rounded half away from 0, up and down alike") {
  CHECK(gain_text(1201, 1000, 20'000) == "+1.01");
  CHECK(gain_text(1000, 1201, 20'000) == "-1.01");
  CHECK(gain_text(7, 7, 0) == "-");
  CHECK(points_text(201.0 / 20'000) == "+1.01");
  CHECK(points_text(-201.0 / 20'000) == "-1.01");
  CHECK(points_text(0.00004) == "0.00");
  CHECK(points_text(-0.00004) == "0.00");
  CHECK(points_text(0.00005) == "+0.01");
  CHECK(reduction_text(0.125) == "-13 %");
  CHECK(reduction_text(0.9984) == "-99.8 %");
  CHECK(reduction_text(0.99999) == "-99.999 %");
  CHECK(reduction_text(1) == "-100 %");
  CHECK(reduction_text(-1) == "+100 %");
  CHECK(reduction_text(-0.125) == "+13 %");
}

AccuracyFigures figures(std::uint64_t correct, std::uint64_t samples) {
  return {.correct = correct, .samples = samples, .interval = wilson_interval(correct, samples)};
}

TEST_CASE("what was lost on held-out samples is rounded from the exact difference") {
  Study study;
  study.pool = {.name = "pool", .sample_count = 20'000, .class_count = 2};
  for (int i = 0; i < 3; ++i) study.pool.models.push_back({.name = "model", .correct = 10'000});
  study.desired_size = 2;
  study.reference = {.team = Team{0, 1, 2}, .correct = 10'000};
  study.trust.held_out = HeldOut::share;
  // 10,201 of 20,000 less 15,000 of 30,000 are 1.005 points; 10,200 less 15,000 are 1.
  study.trust.teams = {{.rule = JudgedRule::recommended,
                        .team = Team{0, 1},
                        .selection = figures(10'201, 20'000),
                        .held_out = figures(15'000, 30'000)},
                       {.rule = JudgedRule::entire_ensemble,
                        .team = Team{0, 1, 2},
                        .selection = figures(10'000, 20'000),
                        .held_out = figures(15'301, 30'000)}};
  const std::string text = to_text(study, {.width = 200, .verbose = true});
  CHECK(text.find("the team loses 1.01 points") != std::string::npos);
  // 1 point and 1/300 of one, gained; together 2.00833.
  CHECK(text.find("which nobody chose, gains 1.00 points") != std::string::npos);
  CHECK(text.find("flattered the team by about 2.01") != std::string::npos);
  CHECK(text.find("+1.01") != std::string::npos);
  CHECK(text.find("-1.00") != std::string::npos);
}

}  // namespace
}  // namespace hqe
