// SPDX-License-Identifier: MIT
/// The names of the methods that take part in a comparison. docs/methods.md defines each.

#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace hqe {

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

inline constexpr std::size_t method_count = 29;

/// Every method, in the order of the enumeration.
[[nodiscard]] const std::array<Method, method_count>& all_methods();

/// "greedy_forward": the spelling in JSON and Python.
[[nodiscard]] std::string_view to_string(Method method);
/// "greedy forward": for people.
[[nodiscard]] std::string_view title_of(Method method);
/// Underscores or hyphens, lower case; nothing for an unknown word.
[[nodiscard]] std::optional<Method> parse_method(std::string_view word);

}  // namespace hqe
