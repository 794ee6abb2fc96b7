// SPDX-License-Identifier: MIT
/// One set of samples on which every method chooses. Implemented in choose.cpp and
/// choose_focal.cpp.

#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hqe/methods/choose.h"
#include "hqe/methods/problem.h"
#include "hqe/search/search.h"

namespace hqe {

struct FocalMethods {
  Metric metric;
  Method by_score, by_accuracy;
};
inline constexpr std::array focal_methods{
    FocalMethods{Metric::f_ck, Method::hierarchical_f_ck, Method::hierarchical_f_ck_by_accuracy},
    FocalMethods{Metric::f_bd, Method::hierarchical_f_bd, Method::hierarchical_f_bd_by_accuracy},
    FocalMethods{Metric::f_kw, Method::hierarchical_f_kw, Method::hierarchical_f_kw_by_accuracy},
    FocalMethods{Metric::f_gd, Method::hierarchical_f_gd, Method::hierarchical_f_gd_by_accuracy}};
static_assert(std::ranges::equal(focal_methods, focal_metrics, {}, &FocalMethods::metric),
              "each focal metric has its methods, in the order of the metrics");

/// Which searches the methods that take part need.
[[nodiscard]] bool needs_consensus(const CompareOptions& options);
[[nodiscard]] bool needs_metric(const CompareOptions& options, const FocalMethods& methods);
[[nodiscard]] bool needs_mean(const CompareOptions& options);

/// The allowed teams of the size, or some of them.
struct Sampling {
  TeamList teams;
  bool is_complete = true;
};

class Chooser {
 public:
  Chooser(SearchSpace& space, const CompareOptions& options, std::uint64_t seed,
          const WorkNotice& notice, KnownSums& sums)
      : space_(space), options_(options), seed_(seed), notice_(notice), sums_(sums) {}

  std::vector<MethodChoice> choose();

 private:
  using Clock = std::chrono::steady_clock;
  [[nodiscard]] static double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  }

  void make_problem();
  template <class Choose>
  void add(Method method, const Choose& choose);
  void add_refusal(Method method, std::string why);
  void add_methods_that_work_alone();
  void add_all_teams_methods();
  void add_branch_and_bound();
  void add_hierarchical();
  void add_mean_threshold();
  void add_decision();
  /// Requires: a search that selects teams of the size only.
  void add_picks(const Search& search, double seconds, Method by_score, Method by_accuracy);
  void add_picks(const SelectedTeams& selected, double seconds, Method by_score,
                 Method by_accuracy);
  /// Of every allowed team of the size, where they were counted.
  [[nodiscard]] Counters known_counts() const;
  void count(Choice& choice) const;
  [[nodiscard]] double weighted_correct(const Measured& measured, const Choice& choice) const;
  [[nodiscard]] Sampling sample_teams() const;
  [[nodiscard]] std::string too_many(std::string_view what) const;

  SearchSpace& space_;
  const CompareOptions& options_;
  std::uint64_t seed_;
  const WorkNotice& notice_;
  KnownSums& sums_;
  std::optional<SelectionProblem> problem_;
  std::vector<Search> searches_;   ///< The hierarchical ones, one a metric.
  bool knows_every_team_ = false;  ///< The counts of all allowed teams of the size.
  std::vector<MethodChoice> choices_;
};

template <class Choose>
void Chooser::add(Method method, const Choose& choose) {
  if (!takes_part(options_, method)) return;
  notice_(title_of(method));
  MethodChoice made{.method = method};
  const auto begin = Clock::now();
  choose(made);
  made.choice.seconds += seconds_since(begin);
  if (made.choice.not_computed.empty() && made.choice.team.empty() &&
      row_of(method).answer != MethodAnswer::expectation) {
    made.choice.not_computed = "no team is allowed";
  }
  count(made.choice);
  choices_.push_back(std::move(made));
}

}  // namespace hqe
