// SPDX-License-Identifier: MIT
#include "hqe/diversity/metric.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <utility>
#include <vector>

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

TEST_CASE("a focal metric knows its baseline, which is its own") {
  CHECK(baseline_of(Metric::f_kw) == Metric::kw);
  CHECK(baseline_of(Metric::kw) == Metric::kw);
  for (const Metric metric : all_metrics) {
    CHECK_FALSE(is_focal(baseline_of(metric)));
    CHECK(is_focal(metric) == (std::ranges::count(focal_metrics, metric) == 1));
  }
}

TEST_CASE("the metrics of the paper prune, and none that is for scores alone") {
  for (const Metric metric : focal_metrics) CHECK(can_prune(metric));
  const std::vector<Metric> pruning = pruning_metrics();
  for (const Metric metric : {Metric::ck, Metric::bd, Metric::kw, Metric::gd, Metric::f_ck,
                              Metric::f_bd, Metric::f_kw, Metric::f_gd}) {
    CHECK(std::ranges::count(pruning, metric) == 1);
  }
  for (const Metric metric :
       {Metric::qs, Metric::cor, Metric::df, Metric::fk, Metric::ent, Metric::diff, Metric::cfd}) {
    CHECK(std::ranges::count(pruning, metric) == 0);
  }
}

TEST_CASE("F-BD and F-KW are one opinion where both are asked, in whatever order") {
  using Pairs = std::vector<std::pair<Metric, Metric>>;
  const Pairs once{{Metric::f_bd, Metric::f_kw}};
  CHECK(repeated_opinions(focal_metrics) == once);
  CHECK(repeated_opinions(std::vector{Metric::f_kw, Metric::f_gd, Metric::f_bd}) == once);
  CHECK(repeated_opinions(std::vector{Metric::f_kw, Metric::bd}).empty());
  for (const Metric metric : all_metrics) {
    // Only focal metrics vote in a consensus, and the row names an earlier one of them.
    if (const auto earlier = row_of(metric).same_order) {
      CHECK((is_focal(metric) && is_focal(*earlier) && *earlier < metric));
    }
  }
}

}  // namespace
}  // namespace hqe
