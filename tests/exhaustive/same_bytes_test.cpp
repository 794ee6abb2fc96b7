// SPDX-License-Identifier: MIT
// Neither the target nor the number of threads changes a bit of a result.
#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <string>
#include <vector>

#include "hqe/bits/target.h"
#include "hqe/ensemble/ens_set.h"
#include "tests/reference/pool_with_counts.h"
#include "tests/support/thinned.h"

namespace hqe {
namespace {

/// Every score of a pool, as bits.
std::vector<std::uint64_t> all_scores(const reference::ReferencePool& from, const Run& run) {
  Pool pool = reference::to_pool(from);
  CountBuilder builder;
  FailureBits bits;
  const std::array<BlockConsumer*, 2> consumers{&builder, &bits};
  scan(pool, consumers, run);
  const Counts counts = builder.counts();
  const auto source = focal_source(counts);
  const auto sampled = sampled_focal_source(pool, counts, {.seed = 5}, run, &bits);
  std::vector<std::uint64_t> result;
  const auto add = [&](const std::vector<double>& scores) {
    for (const double score : scores) result.push_back(std::bit_cast<std::uint64_t>(score));
  };
  for (int size = 2; size <= pool.model_count(); ++size) {
    const TeamList teams = EnsSet(pool.model_count(), size).list();
    for (const Metric metric : all_metrics) {
      if (is_focal(metric)) {
        add(focal_scores(*source, metric, Weights::rank, teams, run));
        add(focal_scores(*sampled, metric, Weights::rank, teams, run));
      } else {
        add(baseline_scores(counts, &bits, metric, teams, run));
      }
    }
  }
  return result;
}

TEST_CASE("same bytes for every target and number of threads") {
  testing::Thinned thinned(5);
  for (const int samples : {1, 63, 64, 65, 511, 512, 513, 5000}) {
    for (const int classes : {2, 3, 40}) {
      for (const bool probabilities : {false, true}) {
        if (thinned.leaves_out()) continue;
        const auto pool = reference::random_pool({.model_count = 7,
                                                  .sample_count = samples,
                                                  .class_count = classes,
                                                  .abstain = 0.05,
                                                  .probabilities = probabilities,
                                                  .seed = static_cast<std::uint64_t>(samples)});
        force_target("scalar");
        const auto expected = all_scores(pool, {.threads = 1});
        for (const std::string& target : available_targets()) {
          force_target(target);
          for (const int threads : {1, 2, 7}) {
            CAPTURE(samples);
            CAPTURE(classes);
            CAPTURE(target);
            CAPTURE(threads);
            CHECK(all_scores(pool, {.threads = threads}) == expected);
          }
        }
      }
    }
  }
  force_target(available_targets().back());
}

}  // namespace
}  // namespace hqe
