// SPDX-License-Identifier: MIT
#include "hqe/methods/method.h"

#include <algorithm>
#include <cstddef>
#include <string>

namespace hqe {
namespace {

struct Names {
  Method method;
  std::string_view word;
  std::string_view title;
};

constexpr std::array<Names, method_count> names{{
    {Method::most_accurate, "most_accurate", "most accurate"},
    {Method::best_single, "best_single", "best single model"},
    {Method::random, "random", "random (expected)"},
    {Method::hierarchical_f_ck, "hierarchical_f_ck", "F-CK by score"},
    {Method::hierarchical_f_ck_by_accuracy, "hierarchical_f_ck_by_accuracy", "F-CK by accuracy"},
    {Method::hierarchical_f_bd, "hierarchical_f_bd", "F-BD by score"},
    {Method::hierarchical_f_bd_by_accuracy, "hierarchical_f_bd_by_accuracy", "F-BD by accuracy"},
    {Method::hierarchical_f_kw, "hierarchical_f_kw", "F-KW by score"},
    {Method::hierarchical_f_kw_by_accuracy, "hierarchical_f_kw_by_accuracy", "F-KW by accuracy"},
    {Method::hierarchical_f_gd, "hierarchical_f_gd", "F-GD by score"},
    {Method::hierarchical_f_gd_by_accuracy, "hierarchical_f_gd_by_accuracy", "F-GD by accuracy"},
    {Method::consensus, "consensus", "consensus by score"},
    {Method::consensus_by_accuracy, "consensus_by_accuracy", "consensus by accuracy"},
    {Method::mean_threshold, "mean_threshold", "mean by score"},
    {Method::mean_threshold_by_accuracy, "mean_threshold_by_accuracy", "mean by accuracy"},
    {Method::exhaustive, "exhaustive", "exhaustive"},
    {Method::greedy_forward, "greedy_forward", "greedy forward"},
    {Method::greedy_backward, "greedy_backward", "greedy backward"},
    {Method::greedy_with_replacement, "greedy_with_replacement", "greedy with replacement"},
    {Method::caruana, "caruana", "Caruana (bagged)"},
    {Method::complementarity, "complementarity", "complementarity"},
    {Method::margin_distance, "margin_distance", "margin distance"},
    {Method::orientation, "orientation", "orientation ordering"},
    {Method::drep, "drep", "DREP"},
    {Method::kappa, "kappa", "kappa pruning"},
    {Method::individual_contribution, "individual_contribution", "individual contribution"},
    {Method::pareto, "pareto", "Pareto pruning (PEP)"},
    {Method::branch_and_bound, "branch_and_bound", "branch and bound"},
    {Method::decision, "decision", "hqe's decision"},
}};

constexpr std::array<Method, method_count> list_methods() {
  std::array<Method, method_count> methods{};
  for (std::size_t i = 0; i < method_count; ++i) methods[i] = names[i].method;
  return methods;
}

}  // namespace

const std::array<Method, method_count>& all_methods() {
  static constexpr std::array<Method, method_count> methods = list_methods();
  return methods;
}

std::string_view to_string(Method method) { return names[static_cast<std::size_t>(method)].word; }

std::string_view title_of(Method method) { return names[static_cast<std::size_t>(method)].title; }

std::optional<Method> parse_method(std::string_view word) {
  std::string wanted(word);
  std::ranges::replace(wanted, '-', '_');
  for (const Names& each : names) {
    if (each.word == wanted) return each.method;
  }
  return std::nullopt;
}

}  // namespace hqe
