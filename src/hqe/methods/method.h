// SPDX-License-Identifier: MIT
/// The methods that take part in a comparison, one row each. docs/methods.md defines them.

#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace hqe {

struct SelectionProblem;  // problem.h
struct WeightedTeam;      // problem.h

enum class Method {
  most_accurate,
  best_single,
  random,
  hierarchical_f_ck,
  hierarchical_f_ck_by_accuracy,
  hierarchical_f_bd,
  hierarchical_f_bd_by_accuracy,
  hierarchical_f_kw,
  hierarchical_f_kw_by_accuracy,
  hierarchical_f_gd,
  hierarchical_f_gd_by_accuracy,
  consensus,
  consensus_by_accuracy,
  mean_threshold,
  mean_threshold_by_accuracy,
  exhaustive,
  greedy_forward,
  greedy_backward,
  greedy_with_replacement,
  caruana,
  complementarity,
  margin_distance,
  orientation,
  drep,
  kappa,
  individual_contribution,
  pareto,
  branch_and_bound,
  decision,
};

/// What a method looks at.
enum class MethodNeeds {
  counts,         ///< Correct counts of models and of the teams it tries.
  contributions,  ///< Those, and what each model adds to the votes of all.
  every_team,     ///< The counts of every team of the size.
  margins,        ///< The margins that bound the counts of teams.
  searches,       ///< What hierarchical pruning keeps.
  every_score,    ///< The scores of teams of all sizes.
  evidence,       ///< What teams do on halves of the samples.
};
/// "every_team": as docs/methods.md says it, but for underscores.
[[nodiscard]] std::string_view to_string(MethodNeeds needs);

/// What a method answers with.
enum class MethodAnswer {
  team,
  weighted_team,  ///< Members vote as often as they were picked.
  expectation,    ///< No team in particular.
};

/// All that is known of a method beside its definition (docs/methods.md) and its literal version
/// (tests/reference/methods.cpp).
struct MethodRow {
  Method method;
  std::string_view name;   ///< "greedy_forward": the spelling in JSON and Python.
  std::string_view title;  ///< "greedy forward": for people.
  MethodNeeds needs;
  MethodAnswer answer;
  bool sees_complementarity;   ///< Finds models that complete each other, each of them mediocre.
  std::string_view reference;  ///< Whose method it is.
  /// Chooses on a problem. Null where methods share their work (chooser.h): from every_team on.
  WeightedTeam (*choose)(const SelectionProblem&) = nullptr;
  int most_models = std::numeric_limits<int>::max();  ///< Not computed for more.
};

/// Every method, in the order of the enumeration.
[[nodiscard]] std::span<const MethodRow> method_rows();
/// Throws std::out_of_range for a method that was given no row.
[[nodiscard]] const MethodRow& row_of(Method method);

/// Every method, in the order of the enumeration.
[[nodiscard]] std::vector<Method> all_methods();
/// The row's name.
[[nodiscard]] std::string_view to_string(Method method);
/// The row's title.
[[nodiscard]] std::string_view title_of(Method method);
/// Underscores or hyphens, lower case; nothing for an unknown word.
[[nodiscard]] std::optional<Method> parse_method(std::string_view word);

}  // namespace hqe
