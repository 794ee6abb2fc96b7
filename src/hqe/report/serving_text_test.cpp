// SPDX-License-Identifier: MIT
#include "hqe/report/serving_text.h"

#include <doctest/doctest.h>

#include "hqe/report/text.h"
#include "tests/support/hand_made_study.h"

namespace hqe {
namespace {

TEST_CASE("the calibration of a team is log-loss without and with its temperature") {
  Serving serving{.temperature = 0.8171, .selection = testing::hand_made_effect(100), .test = {}};
  CHECK(calibration_text(serving) == "log-loss 0.750, 0.500 at temperature 0.82");
  serving.test = testing::hand_made_effect(200);
  serving.test->after.log_loss = 0.5625;
  CHECK(calibration_text(serving) ==
        "log-loss 0.750, 0.500 at temperature 0.82; on the test pool 0.750, 0.562");
  serving.temperature = 1;
  CHECK(calibration_text(serving) == "log-loss 0.750, which no temperature lowers");
}

TEST_CASE("a study's text says how to serve the team, where its vote has shares") {
  Study study = testing::hand_made_study();
  CHECK(to_text(study).find("calibration  log-loss 0.750, 0.500 at temperature 2.00\n") !=
        std::string::npos);
  study.recommended->serving.reset();
  CHECK(to_text(study).find("calibration") == std::string::npos);
}

TEST_CASE("an early exit says how many models run, and what that costs") {
  EarlyExit exit = testing::hand_made_exit();
  CHECK(early_exit_text(exit) ==
        "same answers, 1.8 of 2 models run on average, 11.0 M params (-8 %)");
  exit.cost = Cost::latency_ms;
  exit.full_cost = 2;
  exit.selection.expected_cost = 1.25;
  exit.held_out = {.by = ExitJudge::test, .run = testing::hand_made_run(200)};
  CHECK(early_exit_text(exit) ==
        "same answers, 1.8 of 2 models run on average, 1.25 ms (-38 %); on the test pool 1.8");
  exit.cost.reset();
  exit.held_out.reset();
  CHECK(early_exit_text(exit) == "same answers, 1.8 of 2 models run on average");
}

TEST_CASE("a study's text says how far the team stops early, unless it is one model") {
  Study study = testing::hand_made_study();
  CHECK(to_text(study).find("early exit") == std::string::npos);
  study.recommended->early_exit = testing::hand_made_exit();
  CHECK(to_text(study).find("early exit   same answers, 1.8 of 2") != std::string::npos);
  study.recommended->early_exit->selection.order = {3};
  CHECK(to_text(study).find("early exit") == std::string::npos);
}

TEST_CASE("an order is a table of members, and what they decide") {
  Ordering ordering;
  ordering.pool = testing::hand_made_pool();
  ordering.vote = Vote::soft;
  ordering.figures.team = Team{2, 3};
  ordering.figures.correct = 84;
  ordering.exit = testing::hand_made_exit();
  ordering.exit.held_out = {.by = ExitJudge::half, .run = testing::hand_made_run(50)};
  CHECK(to_text(ordering) ==
        "four friends: 4 models, 100 samples, 3 classes, probabilities (detected)\n"
        "Team a model with a very long name indeed, v2, dora, soft vote: 84.00 %.\n"
        "\n"
        "  run  model                                            decided\n"
        "    1      3  dora                                       25.0 %\n"
        "    2      2  a model with a very long name indeed, v2  100.0 %\n"
        "\n"
        "Stop where a sample is decided: same answers, 1.8 of 2 models run on average, 11.0 M "
        "params (-8 %).\n"
        "No order of these models costs less.\n"
        "On 50 samples held back, in the order that the others choose: 1.8 of 2 models run on "
        "average, 11.0 M\n"
        "params (-8 %).\n");
  ordering.exit.is_least = false;
  CHECK(to_text(ordering).find("No order can do with less than 11.0 M params.") !=
        std::string::npos);
}

}  // namespace
}  // namespace hqe
