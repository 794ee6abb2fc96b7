// SPDX-License-Identifier: MIT
#include "tests/reference/calibration.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "hqe/calibration/calibrate.h"
#include "hqe/formats/open_pool.h"
#include "tests/support/shared.h"

namespace hqe {
namespace {

struct Expected {
  std::string pool;
  double before, after;  // Log-loss, as NumPy finds it on a grid of temperatures.
};

TEST_CASE("one temperature takes a third off the log-loss of entire ensembles" *
          testing::NeedsShared()) {
  for (const auto& [name, before, after] :
       {Expected{"mnist-7-val", 0.195, 0.1255}, Expected{"cora-10-val", 0.673, 0.428}}) {
    CAPTURE(name);
    const Pool pool = open_pool({.folder = testing::shared_folder() / "pools" / name});
    const Team team = Team::all(pool.model_count());
    const Serving serving = calibrate(pool, {.vote = Vote::soft}, team.view(), {});
    CHECK(serving.selection.samples == pool.sample_count);
    CHECK(serving.selection.before.log_loss == doctest::Approx(before).epsilon(1e-3));
    CHECK(serving.selection.after.log_loss == doctest::Approx(after).epsilon(1e-3));

    const reference::ReferencePool plain = reference::from_pool(pool);
    reference::Members members;
    for (const ModelId model : team) members.push_back(model);
    const std::vector<double> weights(pool.models.size(), 1.0);
    const double expected = reference::best_temperature(plain, members, weights);
    CHECK(std::abs(serving.temperature / expected - 1) < 1e-6);
    const reference::Calibration figures = reference::judge_shares(
        plain, reference::tempered_shares(plain, members, weights, serving.temperature));
    CHECK(std::abs(serving.selection.after.log_loss - figures.log_loss) < 1e-12);
    CHECK(std::abs(serving.selection.after.brier - figures.brier) < 1e-12);
    CHECK(std::abs(serving.selection.after.calibration_error - figures.calibration_error) < 1e-12);
  }
}

}  // namespace
}  // namespace hqe
