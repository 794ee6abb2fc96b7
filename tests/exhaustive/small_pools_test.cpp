// SPDX-License-Identifier: MIT
// Every pool that is small enough to list, scored by the scalar kernels and by the reference.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "hqe/bits/target.h"
#include "tests/reference/diversity.h"
#include "tests/reference/pool_with_counts.h"

namespace hqe {
namespace {

using reference::Members;
using reference::ReferencePool;

// Where each takes ten times as long, one pool in 61: a prime, so that no model or sample stays the
// same. The release build scores every pool; a sanitizer looks at how, which few of them change.
#ifdef HQE_FEWER_CASES
constexpr int stride = 61;
#else
constexpr int stride = 1;
#endif

/// Counts a pool in one block, without the threads and random blocks of other tests.
class SmallPool {
 public:
  explicit SmallPool(const ReferencePool& pool) {
    Pool shape{.kind = Kind::labels,
               .models = std::vector<Model>(static_cast<std::size_t>(pool.model_count)),
               .sample_count = static_cast<std::uint64_t>(pool.sample_count),
               .class_count = pool.class_count};
    std::vector<std::int32_t> predicted;
    for (const auto& labels : pool.predictions) {
      predicted.insert(predicted.end(), labels.begin(), labels.end());
    }
    const Block block{
        .pool = &shape, .count = pool.sample_count, .truth = pool.truth, .predicted = predicted};
    const std::array<BlockConsumer*, 2> consumers{&builder_, &bits_};
    for (BlockConsumer* consumer : consumers) {
      consumer->start(shape, 1);
      consumer->consume(block, 0);
      consumer->finish();
    }
  }
  [[nodiscard]] Counts counts() const { return builder_.counts(); }
  [[nodiscard]] const FailureBits& bits() const { return bits_; }

 private:
  CountBuilder builder_;
  FailureBits bits_;
};

/// The teams of one size of all pools with that many models.
struct Teams {
  std::vector<Members> members;
  TeamList list;

  Teams(int model_count, int size)
      : members(reference::all_teams(model_count, size)), list(list_of(members)) {}
};

/// The largest difference to the reference over all metrics and teams; one CHECK a pool, since
/// millions of them would take longer than the scores.
class Comparison {
 public:
  explicit Comparison(const ReferencePool& pool)
      : pool_(pool), counted_(pool), source_(focal_source(counted_.counts())) {}

  void compare(const Teams& teams) {
    for (const Metric metric : all_metrics) {
      if (is_focal(metric)) {
        compare_focal(metric, teams);
      } else {
        compare_baseline(metric, teams);
      }
    }
  }
  [[nodiscard]] bool close() const { return difference_ <= 1e-12; }
  [[nodiscard]] const std::string& worst() const { return worst_; }

 private:
  // Negated so that NaN is worst of all.
  void note(Metric metric, double score, double expected) {
    const double difference = std::abs(score - expected);
    if (difference <= difference_) return;
    difference_ = std::isnan(difference) ? HUGE_VAL : difference;
    worst_ = std::string(to_string(metric)) + " is " + std::to_string(score) + ", not " +
             std::to_string(expected);
  }

  void compare_baseline(Metric metric, const Teams& teams) {
    const auto scores =
        baseline_scores(counted_.counts(), &counted_.bits(), metric, teams.list, {.threads = 1});
    for (std::size_t i = 0; i < scores.size(); ++i) {
      note(metric, scores[i], reference::baseline_diversity(pool_, metric, teams.members[i]));
    }
  }

  void compare_focal(Metric metric, const Teams& teams) {
    const Metric baseline = baseline_of(metric);
    const auto size = static_cast<std::size_t>(teams.list.team_size());
    std::vector<double> q(teams.list.flat().size());
    source_->focal_negative_correlations(baseline, teams.list, 0, teams.list.size(), q);
    for (std::size_t i = 0; i < q.size(); ++i) {
      const int f = teams.list.flat()[i];
      if (pool_.negative_samples(f).empty()) continue;
      note(metric, q[i],
           reference::focal_negative_correlation(pool_, baseline, teams.members[i / size], f));
    }
    const auto scores = focal_scores(*source_, metric, Weights::rank, teams.list, {.threads = 1});
    const auto expected = reference::focal_diversity(pool_, baseline, teams.members);
    for (std::size_t i = 0; i < scores.size(); ++i) {
      note(metric, scores[i], expected.at(teams.members[i]));
    }
  }

  const ReferencePool& pool_;
  SmallPool counted_;
  std::unique_ptr<FocalSource> source_;
  double difference_ = 0;
  std::string worst_;
};

/// Goes back to the best target when a test ends.
struct OnScalarTarget {
  OnScalarTarget() { force_target("scalar"); }
  ~OnScalarTarget() { force_target(available_targets().back()); }
};

TEST_CASE("every correctness pool of 4 models and 4 samples scores as the paper says") {
  const OnScalarTarget scalar;
  const std::array teams{Teams(4, 2), Teams(4, 3), Teams(4, 4)};
  ReferencePool pool{.model_count = 4, .sample_count = 4, .class_count = 2};
  pool.truth.assign(4, 1);
  pool.predictions.assign(4, std::vector<int>(4));
  int pools = 0;
  for (int code = 0; code < 1 << 16; code += stride, ++pools) {
    for (int bit = 0; bit < 16; ++bit) pool.predictions[bit / 4][bit % 4] = code >> bit & 1;
    Comparison comparison(pool);
    for (const Teams& size : teams) comparison.compare(size);
    CAPTURE(code);
    REQUIRE_MESSAGE(comparison.close(), comparison.worst());
  }
  CHECK((stride > 1 || pools == 65'536));
}

/// 3 models and the truth on 3 samples of 3 classes: 3^12 pools, a third for each first true label.
void check_label_pools(int first_truth) {
  const OnScalarTarget scalar;
  const std::array teams{Teams(3, 2), Teams(3, 3)};
  ReferencePool pool{.model_count = 3, .sample_count = 3, .class_count = 3};
  pool.truth.assign(3, first_truth);
  pool.predictions.assign(3, std::vector<int>(3));
  int pools = 0;
  for (int code = 0; code < 177'147; code += stride, ++pools) {
    int rest = code;
    for (auto& labels : pool.predictions) {
      for (int& label : labels) {
        label = rest % 3;
        rest /= 3;
      }
    }
    pool.truth[1] = rest % 3;
    pool.truth[2] = rest / 3;
    Comparison comparison(pool);
    for (const Teams& size : teams) comparison.compare(size);
    CAPTURE(code);
    REQUIRE_MESSAGE(comparison.close(), comparison.worst());
  }
  CHECK((stride > 1 || pools == 531'441 / 3));
}

TEST_CASE("every label pool whose first sample is of class 0 scores as the paper says") {
  check_label_pools(0);
}
TEST_CASE("every label pool whose first sample is of class 1 scores as the paper says") {
  check_label_pools(1);
}
TEST_CASE("every label pool whose first sample is of class 2 scores as the paper says") {
  check_label_pools(2);
}

}  // namespace
}  // namespace hqe
