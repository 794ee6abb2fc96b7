// SPDX-License-Identifier: MIT
/// What Counts holds: for failures/, which fills it, and diversity/, whose inner loops read it
/// without a call an entry.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "hqe/failures/counts.h"
#include "hqe/failures/kept_predictions.h"

namespace hqe {

/// Where the count of models i < j < k lies in a packed table. The counts of one pair (i, j) are
/// neighbours, k ascending.
class TripleIndex {
 public:
  explicit TripleIndex(int model_count = 0);

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t operator()(int i, int j, int k) const {
    return row(i, j) + static_cast<std::size_t>(k);
  }
  /// What k is added to: where model 0 would lie, perhaps before the table, so that it may wrap.
  [[nodiscard]] std::size_t row(int i, int j) const {
    return static_cast<std::size_t>(first_[i] + second_[j]);
  }

 private:
  std::size_t size_ = 0;
  std::vector<std::int64_t> first_, second_;
};

/// The place of the pair i < j among all pairs in team order.
[[nodiscard]] inline std::size_t pair_index(int model_count, int i, int j) {
  const auto m = static_cast<std::size_t>(model_count), a = static_cast<std::size_t>(i);
  return a * (2 * m - a - 1) / 2 + static_cast<std::size_t>(j - i - 1);
}

/// Which counts lie in tables and which are counted on demand from kept predictions.
struct CountPlan {
  bool triples = false;       ///< A table of co-failures of three.
  bool labels_given = false;  ///< A table of predicted labels on each model's failures.
  bool differing = false;     ///< Tables of pairs that fail with different labels, given a third.
  bool keep_failures = false;
  bool keep_labels = false;
  /// Two failing models may name different labels: more than two classes, or abstentions.
  bool can_differ = false;

  bool operator==(const CountPlan&) const = default;
};

[[nodiscard]] CountPlan plan_counts(int model_count, int class_count, Kind kind,
                                    const CountOptions& options);

/// How often one model predicted each label.
struct LabelCounts {
  std::vector<std::uint32_t> dense;              ///< At label + 1; where classes are few.
  std::map<std::int32_t, std::uint32_t> sparse;  ///< By label; where they are many.

  [[nodiscard]] std::uint64_t operator[](std::int32_t label) const;
  bool operator==(const LabelCounts&) const = default;
};

/// At and above this many classes, labels are counted in sparse form.
inline constexpr int sparse_class_count = 1 << 16;

struct Counts::Tables {
  int model_count = 0;
  int class_count = 0;
  std::uint64_t sample_count = 0;
  CountOptions options;
  CountPlan plan;
  TripleIndex triple_index;

  std::vector<LabelCounts> predicted;      ///< A model each.
  std::vector<std::uint64_t> co_failures;  ///< a_ij at i * M + j.
  /// Samples on which i and j fail with different labels, at i * M + j.
  std::vector<std::uint64_t> differing;
  std::vector<std::uint32_t> triples;  ///< t_ijk at triple_index(i, j, k).
  /// Of those of `differing` the ones that f fails on too, at pair_index(i, j) * M + f. Empty: all
  /// are 0.
  std::vector<std::uint32_t> differing_given;
  /// How often i predicted `label` where f fails, at (f * M + i) * (C + 1) + label + 1.
  std::vector<std::uint32_t> labels_given;
  /// In place of the tables that the plan leaves out; one a merged part.
  std::vector<std::shared_ptr<const KeptPredictions>> kept;

  /// a_ij.
  [[nodiscard]] std::uint64_t pair(int i, int j) const {
    return co_failures[static_cast<std::size_t>(i) * static_cast<std::size_t>(model_count) +
                       static_cast<std::size_t>(j)];
  }
  /// t_ijk. Requires: i < j < k.
  [[nodiscard]] std::uint64_t triple(int i, int j, int k) const {
    return plan.triples ? triples[triple_index(i, j, k)] : triple_on_demand(i, j, k);
  }
  /// t_fij for any three models.
  [[nodiscard]] std::uint64_t any_triple(int f, int i, int j) const;
  /// Samples on which f fails and i, j fail with different labels. Requires: i < j.
  [[nodiscard]] std::uint64_t differing_on(int f, int i, int j) const {
    return plan.differing && differing_given.empty() ? 0 : differing_looked_up(f, i, j);
  }
  /// sum_c n_fi(c) n_fj(c).
  [[nodiscard]] std::uint64_t chance_on(int f, int i, int j) const {
    // Of few labels a plain loop is done before a kernel is chosen.
    if (!plan.labels_given || class_count > 3) return chance_of_many(f, i, j);
    const auto a = labels_on(f, i), b = labels_on(f, j);
    std::uint64_t sum = 0;
    for (std::size_t c = 0; c < a.size(); ++c) sum += std::uint64_t{a[c]} * b[c];
    return sum;
  }

  /// How often i predicted each label where f fails. Requires: plan.labels_given.
  [[nodiscard]] std::span<const std::uint32_t> labels_on(int f, int i) const {
    const auto labels = static_cast<std::size_t>(class_count) + 1;
    const auto row = static_cast<std::size_t>(f) * static_cast<std::size_t>(model_count) +
                     static_cast<std::size_t>(i);
    return {labels_given.data() + row * labels, labels};
  }

 private:
  [[nodiscard]] std::uint64_t differing_looked_up(int f, int i, int j) const;
  [[nodiscard]] std::uint64_t chance_of_many(int f, int i, int j) const;
  [[nodiscard]] std::uint64_t triple_on_demand(int i, int j, int k) const;
};

}  // namespace hqe
