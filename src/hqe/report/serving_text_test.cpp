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

}  // namespace
}  // namespace hqe
