// SPDX-License-Identifier: MIT
#include "hqe/methods/method.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

#include "hqe/base/words.h"
#include "hqe/methods/greedy.h"
#include "hqe/methods/ordered.h"
#include "hqe/methods/pareto_pruning.h"

namespace hqe {
namespace {

/// A step of backward elimination counts as many teams as there are members, each as large.
constexpr int most_models_for_backward = 256;

constexpr std::string_view wu = "Wu, Chow, Wei, Liu 2023";

template <Team (*choose)(const SelectionProblem&)>
WeightedTeam unweighted(const SelectionProblem& problem) {
  return {.team = choose(problem), .weights = {}};
}

constexpr auto method_table = [] {
  using enum MethodNeeds;
  using enum MethodAnswer;
  return std::to_array<MethodRow>({
      {Method::most_accurate, "most_accurate", "most accurate", counts, team, false, "folklore",
       unweighted<most_accurate_team>},
      {Method::best_single, "best_single", "best single model", counts, team, false, "folklore",
       unweighted<best_single_team>},
      {Method::random, "random", "random (expected)", every_team, expectation, false, "folklore"},
      {Method::hierarchical_f_ck, "hierarchical_f_ck", "F-CK by score", searches, team, true, wu},
      {Method::hierarchical_f_ck_by_accuracy, "hierarchical_f_ck_by_accuracy", "F-CK by accuracy",
       searches, team, true, wu},
      {Method::hierarchical_f_bd, "hierarchical_f_bd", "F-BD by score", searches, team, true, wu},
      {Method::hierarchical_f_bd_by_accuracy, "hierarchical_f_bd_by_accuracy", "F-BD by accuracy",
       searches, team, true, wu},
      {Method::hierarchical_f_kw, "hierarchical_f_kw", "F-KW by score", searches, team, true, wu},
      {Method::hierarchical_f_kw_by_accuracy, "hierarchical_f_kw_by_accuracy", "F-KW by accuracy",
       searches, team, true, wu},
      {Method::hierarchical_f_gd, "hierarchical_f_gd", "F-GD by score", searches, team, true, wu},
      {Method::hierarchical_f_gd_by_accuracy, "hierarchical_f_gd_by_accuracy", "F-GD by accuracy",
       searches, team, true, wu},
      {Method::consensus, "consensus", "consensus by score", searches, team, true, wu},
      {Method::consensus_by_accuracy, "consensus_by_accuracy", "consensus by accuracy", searches,
       team, true, wu},
      {Method::mean_threshold, "mean_threshold", "mean by score", every_score, team, true, wu},
      {Method::mean_threshold_by_accuracy, "mean_threshold_by_accuracy", "mean by accuracy",
       every_score, team, true, wu},
      {Method::exhaustive, "exhaustive", "exhaustive", every_team, team, true, "folklore"},
      {Method::greedy_forward, "greedy_forward", "greedy forward", counts, team, true,
       "Margineantu and Dietterich 1997, as reduce-error pruning without back-fitting",
       unweighted<greedy_forward_team>},
      {Method::greedy_backward, "greedy_backward", "greedy backward", counts, team, true,
       "Banfield, Hall, Bowyer, Kegelmeyer 2005", unweighted<greedy_backward_team>,
       most_models_for_backward},
      {Method::greedy_with_replacement, "greedy_with_replacement", "greedy with replacement",
       counts, weighted_team, true,
       "Caruana, Niculescu-Mizil, Crew, Ksikes 2004, as auto-sklearn and AutoGluon use it",
       greedy_with_replacement_team},
      {Method::caruana, "caruana", "Caruana (bagged)", counts, weighted_team, false,
       "Caruana, Niculescu-Mizil, Crew, Ksikes 2004", caruana_team},
      {Method::complementarity, "complementarity", "complementarity", counts, team, true,
       "Martinez-Munoz and Suarez 2004", unweighted<complementarity_team>},
      {Method::margin_distance, "margin_distance", "margin distance", counts, team, true,
       "Martinez-Munoz and Suarez 2004; Martinez-Munoz, Hernandez-Lobato, Suarez 2009",
       unweighted<margin_distance_team>},
      {Method::orientation, "orientation", "orientation ordering", counts, team, false,
       "Martinez-Munoz and Suarez 2006", unweighted<orientation_team>},
      {Method::drep, "drep", "DREP", counts, team, true, "Li, Yu, Zhou 2012",
       unweighted<drep_team>},
      {Method::kappa, "kappa", "kappa pruning", counts, team, true,
       "Margineantu and Dietterich 1997", unweighted<kappa_team>},
      {Method::individual_contribution, "individual_contribution", "individual contribution",
       contributions, team, false, "Lu, Wu, Zhu, Bongard 2010 (EPIC)",
       unweighted<individual_contribution_team>},
      {Method::pareto, "pareto", "Pareto pruning (PEP)", counts, team, true,
       "Qian, Yu, Zhou 2015 (PEP)", unweighted<pareto_team>},
      {Method::branch_and_bound, "branch_and_bound", "branch and bound", margins, team, true,
       "Land and Doig 1960"},
      {Method::decision, "decision", "hqe's decision", evidence, team, true, "decision 14"},
  });
}();

static_assert(
    [] {
      for (std::size_t i = 0; i < method_table.size(); ++i) {
        if (static_cast<std::size_t>(method_table[i].method) != i) return false;
      }
      return method_table.back().method == Method::decision;
    }(),
    "the rows stand in the order of the methods, the decision last");

static_assert(std::ranges::all_of(method_table,
                                  [](const MethodRow& row) {
                                    const bool is_alone = row.needs == MethodNeeds::counts ||
                                                          row.needs == MethodNeeds::contributions;
                                    return is_alone == (row.choose != nullptr);
                                  }),
              "a method has a function, unless it shares its work with others");

constexpr std::array needs_words{
    Word{MethodNeeds::counts, "counts"},         Word{MethodNeeds::contributions, "contributions"},
    Word{MethodNeeds::every_team, "every_team"}, Word{MethodNeeds::margins, "margins"},
    Word{MethodNeeds::searches, "searches"},     Word{MethodNeeds::every_score, "every_score"},
    Word{MethodNeeds::evidence, "evidence"}};

}  // namespace

std::string_view to_string(MethodNeeds needs) { return word_of(needs_words, needs); }

std::span<const MethodRow> method_rows() { return method_table; }

const MethodRow& row_of(Method method) { return method_table.at(static_cast<std::size_t>(method)); }

std::vector<Method> all_methods() {
  std::vector<Method> methods;
  for (const MethodRow& row : method_table) methods.push_back(row.method);
  return methods;
}

std::string_view to_string(Method method) { return row_of(method).name; }

std::string_view title_of(Method method) { return row_of(method).title; }

std::optional<Method> parse_method(std::string_view word) {
  std::string wanted(word);
  std::ranges::replace(wanted, '-', '_');
  for (const MethodRow& row : method_table) {
    if (row.name == wanted) return row.method;
  }
  return std::nullopt;
}

}  // namespace hqe
