// SPDX-License-Identifier: MIT
/// Which team to ship, by the evidence of the selection samples alone. docs/decisions/0014 says why
/// the rule is this one; docs/algorithms.md states it step by step.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hqe/decision/evidence.h"
#include "hqe/ensemble/team.h"
#include "hqe/pruning/eligibility.h"

namespace hqe {

/// How a candidate is found on any set of samples.
enum class Rule {
  best_up_to,     ///< The best of the best teams of each size up to the largest.
  best,           ///< Of the teams of a size that are nearly as right as the best, the surest.
  most_accurate,  ///< The models with the most right answers.
  entire,         ///< The entire ensemble.
};

struct Candidate {
  Rule rule = Rule::best;
  int size = 0;      ///< As the rule was asked; the team may be smaller.
  Team team;         ///< As the rule finds it on all samples.
  double worth = 0;  ///< On the samples it was found on: its mean, accuracy unless said otherwise.
  double expected = 0;  ///< On others: `worth` without what the choice adds to it.
  /// What the rule's choice on one half was worth on the other half, a half each.
  std::vector<double> judged;
};

struct Decision {
  std::vector<Candidate> candidates;  ///< In order of preference among equals.
  std::size_t recommended = 0;
  std::size_t standard = 0;  ///< What others had to beat: the most accurate of the largest size.
  std::size_t most_expected = 0;  ///< Expected to be worth most, at any cost.
};

/// What there is to choose from.
struct DecisionProblem {
  int model_count = 0;
  int largest_size = 0;
  Eligibility eligibility;
  /// For each size from 1 on the teams worth a closer look, all of them allowed, in team order.
  std::vector<TeamList> shortlists;
  /// Adds teams with their worth to the evidence.
  std::function<void(Evidence&, const TeamTable&)> weigh;
  /// Fills in how sure these teams are; nothing where worth alone decides.
  std::function<void(Evidence&, std::span<const std::size_t>)> weigh_sureness;
  std::uint64_t seed = 0;
};

/// Nothing where no team is allowed. Deterministic in the problem.
[[nodiscard]] std::optional<Decision> decide(const DecisionProblem& problem);

/// The standard error of the difference of what two candidates are expected to be worth.
[[nodiscard]] double standard_error(const Candidate& one, const Candidate& other);

/// How many standard errors one candidate must be ahead of another to be called better.
inline constexpr double clear_lead = 0.5;

/// Teams of a size that get a closer look: so many of those with the most right answers.
inline constexpr std::size_t shortlist_length = 400;

/// "the best team of at most 5", "the 5 most accurate models", "the best single model".
[[nodiscard]] std::string title_of(const Candidate& candidate);

}  // namespace hqe
