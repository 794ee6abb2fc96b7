// SPDX-License-Identifier: MIT
/// What a method chooses from: one set of samples, a team size, and which teams are allowed.
/// docs/methods.md defines every method; the words here are the words there.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hqe/base/run.h"
#include "hqe/ensemble/team.h"
#include "hqe/evaluation/contests.h"
#include "hqe/failures/counts.h"
#include "hqe/predictions/pool.h"
#include "hqe/pruning/eligibility.h"

namespace hqe {

/// On which patterns each model alone is right. Samples without a pattern are right for everybody.
class RightAnswers {
 public:
  explicit RightAnswers(const Contests& contests);

  [[nodiscard]] std::size_t pattern_count() const { return weights_.size(); }
  [[nodiscard]] std::uint64_t always_right() const { return always_right_; }
  /// Samples of each pattern.
  [[nodiscard]] std::span<const std::uint32_t> weights() const { return weights_; }
  [[nodiscard]] std::span<const std::uint64_t> row(ModelId model) const {
    return {bits_.data() + model * words_, words_};
  }
  [[nodiscard]] bool is_right(ModelId model, std::size_t pattern) const {
    return (row(model)[pattern / 64] >> (pattern % 64) & 1) != 0;
  }
  /// Samples of the patterns whose bit is set.
  [[nodiscard]] std::uint64_t samples(std::span<const std::uint64_t> patterns) const;

 private:
  std::size_t words_ = 0;
  std::uint64_t always_right_ = 0;
  std::vector<std::uint32_t> weights_;
  std::vector<std::uint64_t> bits_;
};

/// Copies are cheap, but for the right answers.
struct SelectionProblem {
  Contests contests;
  Counts counts;
  RightAnswers right;
  /// EPIC's individual contributions, one a model (contribution.h).
  std::vector<std::int64_t> contributions;
  int size = 2;
  Eligibility eligibility;
  std::uint64_t seed = 0;
  /// The models as random draws see them (drawing_order()).
  std::vector<ModelId> drawing_order;
  /// For long lists of teams; short ones are not worth a second thread.
  Run run;

  [[nodiscard]] int model_count() const { return contests.model_count(); }
  [[nodiscard]] std::vector<ModelId> models() const;
  [[nodiscard]] bool allows(const Team& team) const { return eligibility.allows(team.view()); }
};

/// A team some of whose members may vote more than once.
struct WeightedTeam {
  Team team;
  std::vector<int> weights;  ///< One a member, at least 1; empty: 1 each.

  /// Every member as often as it votes, ascending.
  [[nodiscard]] std::vector<ModelId> voters() const;
};

/// `team` with one more member. Requires: it has it not.
[[nodiscard]] Team with(const Team& team, ModelId model);
/// `team` without a member.
[[nodiscard]] Team without(const Team& team, ModelId model);

/// The models that `team` may take next, better ones first: the first of equals is the better one.
[[nodiscard]] std::vector<ModelId> additions(const SelectionProblem& problem, const Team& team);

/// Correct counts of `team` with each of `models` as one more member.
[[nodiscard]] std::vector<std::uint64_t> correct_with(const SelectionProblem& problem,
                                                      const Team& team,
                                                      std::span<const ModelId> models);

/// The place of the largest key, the first among equals. Requires: there is one.
template <class Key>
[[nodiscard]] std::size_t place_of_largest(const std::vector<Key>& keys) {
  return static_cast<std::size_t>(std::ranges::max_element(keys) - keys.begin());
}

/// The models, better ones first: by correct count, most first; ties: lower id.
[[nodiscard]] std::vector<ModelId> by_accuracy(const SelectionProblem& problem);

/// The models by correct count, most first, then by name. What is drawn from this order does not
/// depend on the order of files.
[[nodiscard]] std::vector<ModelId> drawing_order(const Counts& counts, const Pool& pool);

/// The first models of `order` that fit: each is taken if the team with it is allowed, until there
/// are `size` of them.
[[nodiscard]] Team take_in_order(const SelectionProblem& problem, std::span<const ModelId> order);

}  // namespace hqe
