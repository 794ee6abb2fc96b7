// SPDX-License-Identifier: MIT
#include "hqe/diversity/metric.h"

#include <doctest/doctest.h>

namespace hqe {
namespace {

TEST_CASE("a metric is read in any case and printed in capitals") {
  CHECK(parse_metric("f-gd") == Metric::f_gd);
  CHECK(parse_metric("F-Gd") == Metric::f_gd);
  CHECK(parse_metric("Diff") == Metric::diff);
  CHECK_FALSE(parse_metric("F-QS").has_value());
  CHECK_FALSE(parse_metric("").has_value());
  for (const Metric metric : all_metrics) CHECK(parse_metric(to_string(metric)) == metric);
}

TEST_CASE("a focal metric knows its baseline, and eight metrics prune") {
  CHECK(baseline_of(Metric::f_kw) == Metric::kw);
  CHECK(baseline_of(Metric::kw) == Metric::kw);
  int prune = 0, focal = 0;
  for (const Metric metric : all_metrics) {
    prune += can_prune(metric);
    focal += is_focal(metric);
  }
  CHECK(prune == 8);
  CHECK(focal == 4);
}

}  // namespace
}  // namespace hqe
