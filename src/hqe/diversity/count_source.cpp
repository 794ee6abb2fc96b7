// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cassert>
#include <utility>
#include <vector>

#include "hqe/bits/divide.h"
#include "hqe/diversity/focal.h"
#include "hqe/diversity/focal_kappas.h"
#include "hqe/diversity/formulas.h"
#include "hqe/diversity/prefix_stack.h"
#include "hqe/failures/tables.h"

namespace hqe {
namespace {

/// Teams of up to here have code of their own.
constexpr int most_unrolled = 6;
/// Or nothing.
constexpr std::size_t two_labels = 3;

/// What BD, KW and GD need to know of a team on the negative samples of each member f.
struct CoFailureSums {
  std::vector<std::uint64_t> alone;     ///< sum_i a_fi over all members, a place each.
  std::vector<std::uint64_t> together;  ///< sum t_fij over the pairs i < j without f.
};

class CountSource final : public FocalSource {
 public:
  explicit CountSource(Counts counts)
      : counts_(std::move(counts)),
        tables_(counts_.tables()),
        kappas_(counts_.model_count(),
                {.of_pair = [this](int f, int i, int j) { return kappa(f, i, j); },
                 .of_triples = [this](int i, int j, std::span<const ModelId> last,
                                      TripleKappas& kappas) { fill(kappas, i, j, last); }}) {
    const CountPlan& plan = tables_.plan;
    of_two_labels_ = plan.triples && plan.labels_given && tables_.class_count == 2 &&
                     plan.differing && tables_.differing_given.empty();
    for (int f = 0; f < tables_.model_count; ++f) failures_.push_back(tables_.pair(f, f));
    if (of_two_labels_) turn_labels_given();
  }

  [[nodiscard]] int model_count() const override { return tables_.model_count; }
  [[nodiscard]] bool ever_fails(ModelId f) const override { return counts_.failures(f) > 0; }
  [[nodiscard]] std::uint64_t correct(ModelId f) const override { return counts_.correct(f); }
  [[nodiscard]] bool is_quick(int team_size) const override {
    return team_size <= most_unrolled && !tables_.plan.keep_failures;
  }

  void focal_negative_correlations(Metric metric, const TeamList& teams, std::size_t begin,
                                   std::size_t end, std::span<double> out) const override {
    assert(out.size() == (end - begin) * static_cast<std::size_t>(teams.team_size()));
    if (is_kappa(metric)) {
      kappas_.scores(teams, begin, end, [this](ModelId f) { return ever_fails(f); }, out);
    } else {
      failure_scores(metric, teams, begin, end, out);
    }
  }

 private:
  [[nodiscard]] double kappa(int f, int i, int j) const {
    const auto id = [](int model) { return static_cast<ModelId>(model); };
    return cohens_kappa(counts_.failures(id(f)), counts_.agreements_given(id(f), id(i), id(j)),
                        tables_.chance_on(f, i, j));
  }

  /// So that a row of models that follow each other lies together.
  void turn_labels_given() {
    const auto models = static_cast<std::size_t>(tables_.model_count);
    turned_.resize(models * models * two_labels);
    for (std::size_t f = 0; f < models; ++f) {
      for (std::size_t i = 0; i < models; ++i) {
        std::copy_n(&tables_.labels_given[(f * models + i) * two_labels], two_labels,
                    &turned_[(i * models + f) * two_labels]);
      }
    }
  }

  /// Kappas of one team a place: divided all at once.
  void fill(TripleKappas& kappas, int i, int j, std::span<const ModelId> last) const {
    TripleKappas denominators;
    if (of_two_labels_) {
      fill_of_two_labels(kappas, denominators, i, j, last);
    } else {
      fill_of_any(kappas, denominators, i, j, last);
    }
    for (std::size_t which = 0; which < 3; ++which) {
      divide_each(std::span(kappas[which]).first(last.size()),
                  std::span(denominators[which]).first(last.size()));
    }
  }

  /// Where every count lies in a table and failing is naming the other label, with all rows found
  /// before the loop.
  void fill_of_two_labels(TripleKappas& numerators, TripleKappas& denominators, int i, int j,
                          std::span<const ModelId> last) const {
    constexpr std::size_t labels = two_labels;
    const auto models = static_cast<std::size_t>(tables_.model_count);
    const auto first = static_cast<std::size_t>(i), second = static_cast<std::size_t>(j);
    const std::uint64_t* with_first = &tables_.co_failures[first * models];
    const std::uint64_t* with_second = &tables_.co_failures[second * models];
    const std::uint32_t* given = tables_.labels_given.data();
    const std::uint32_t* given_first = given + first * models * labels;
    const std::uint32_t* given_second = given + second * models * labels;
    const std::uint32_t* of_first = turned_.data() + first * models * labels;
    const std::uint32_t* of_second = turned_.data() + second * models * labels;
    const std::size_t row = tables_.triple_index.row(i, j);
    const auto chance = [](const std::uint32_t* a, const std::uint32_t* b) {
      return std::uint64_t{a[0]} * b[0] + std::uint64_t{a[1]} * b[1] + std::uint64_t{a[2]} * b[2];
    };
    const std::uint64_t n_first = with_first[first], n_second = with_second[second];
    const std::uint64_t both = with_first[second];
    for (std::size_t place = 0; place < last.size(); ++place) {
      const std::size_t k = last[place];
      const std::uint64_t twice = 2 * std::uint64_t{tables_.triples[row + k]};
      const std::uint64_t n_third = failures_[k];
      const std::array of{
          kappa_fraction(n_first, n_first + twice - both - with_first[k],
                         chance(given_first + second * labels, given_first + k * labels)),
          kappa_fraction(n_second, n_second + twice - both - with_second[k],
                         chance(given_second + first * labels, given_second + k * labels)),
          kappa_fraction(n_third, n_third + twice - with_first[k] - with_second[k],
                         chance(of_first + k * labels, of_second + k * labels))};
      for (std::size_t which = 0; which < of.size(); ++which) {
        numerators[which][place] = of[which].numerator;
        denominators[which][place] = of[which].denominator;
      }
    }
  }

  void fill_of_any(TripleKappas& kappas, TripleKappas& denominators, int i, int j,
                   std::span<const ModelId> last) const {
    for (std::size_t place = 0; place < last.size(); ++place) {
      const int k = last[place];
      const std::uint64_t twice = 2 * tables_.triple(i, j, k);
      // a < b and f are the three models in some order.
      const auto given = [&](std::size_t which, int f, int a, int b) {
        const std::uint64_t n = tables_.pair(f, f);
        const std::uint64_t same =
            n + twice - tables_.pair(f, a) - tables_.pair(f, b) - tables_.differing_on(f, a, b);
        const Fraction kappa = kappa_fraction(n, same, tables_.chance_on(f, a, b));
        kappas[which][place] = kappa.numerator;
        denominators[which][place] = kappa.denominator;
      };
      given(0, i, j, k);
      given(1, j, i, k);
      given(2, k, i, j);
    }
  }

  /// The sums of the first members of a team, in registers where its size is known.
  template <std::size_t size>
  struct FewSums {
    std::array<std::uint64_t, size> alone{}, together{};

    /// With the member at `place` added. A copy: sums that were just written one by one cannot be
    /// read back as vectors without waiting.
    [[nodiscard]] FewSums with(const Counts::Tables& tables, const ModelId* team,
                               std::size_t place) const {
      const int added = team[place];
      FewSums sums;
      std::uint64_t own_alone = tables.pair(added, added), own_together = 0;
      std::array<std::uint64_t, size> more{};
      for (std::size_t i = 0; i < place; ++i) {
        const std::uint64_t pair = tables.pair(team[i], added);
        sums.alone[i] = alone[i] + pair;
        own_alone += pair;
        for (std::size_t j = i + 1; j < place; ++j) {
          const std::uint64_t triple = tables.triple(team[i], team[j], added);
          more[i] += triple;
          more[j] += triple;
          own_together += triple;
        }
        sums.together[i] = together[i] + more[i];
      }
      sums.alone[place] = own_alone;
      sums.together[place] = own_together;
      return sums;
    }
  };

  /// Of `members.size()` / size teams.
  template <std::size_t size>
  void few_scores(Metric metric, std::span<const ModelId> members, std::span<double> out) const {
    const FailureFormula formula = failure_formula(metric, size);
    std::array<double, size * teams_a_run> denominators;
    FewSums<size> first;
    for (std::size_t at = 0; at < members.size(); at += size) {
      const ModelId* team = &members[at];
      if (at == 0 || !std::equal(team, team + size - 1, team - size)) {
        for (std::size_t place = 0; place + 1 < size; ++place) {
          first = first.with(tables_, team, place);
        }
      }
      const FewSums<size> sums = first.with(tables_, team, size - 1);
      for (std::size_t f = 0; f < size; ++f) {
        const std::uint64_t n = tables_.pair(team[f], team[f]);
        // The pairs (f, i) fail together where i fails: t_ffi = a_fi.
        const std::uint64_t together = sums.together[f] + sums.alone[f] - n;
        const Fraction fraction =
            n == 0 ? Fraction{} : failure_fraction(formula, size, n, sums.alone[f], together);
        out[at + f] = fraction.numerator;
        denominators[at + f] = fraction.denominator;
      }
    }
    divide_each(out, std::span(denominators).first(out.size()));
  }

  /// The same of teams of three, the longest lists of wide pools, with all rows found once for
  /// teams that share two members. Requires: triples lie in their table.
  template <Metric metric>
  void triple_scores(std::span<const ModelId> members, std::span<double> out) const {
    constexpr std::size_t size = 3;
    constexpr FailureFormula formula = failure_formula(metric, size);
    const auto models = static_cast<std::size_t>(tables_.model_count);
    std::array<double, size * teams_a_run> denominators;
    for (std::size_t at = 0; at < members.size();) {
      const std::size_t i = members[at], j = members[at + 1];
      const std::uint64_t* with_first = &tables_.co_failures[i * models];
      const std::uint64_t* with_second = &tables_.co_failures[j * models];
      const std::size_t row = tables_.triple_index.row(members[at], members[at + 1]);
      const std::uint64_t n_first = failures_[i], n_second = failures_[j], both = with_first[j];
      const auto add = [&](std::size_t place, std::uint64_t n, std::uint64_t pairs,
                           std::uint64_t triple) {
        // The pairs (f, i) fail together where i fails: t_ffi = a_fi.
        const Fraction fraction =
            n == 0 ? Fraction{} : failure_fraction(formula, size, n, n + pairs, triple + pairs);
        out[place] = fraction.numerator;
        denominators[place] = fraction.denominator;
      };
      for (; at < members.size() && members[at] == i && members[at + 1] == j; at += size) {
        const std::size_t k = members[at + 2];
        const std::uint64_t triple = tables_.triples[row + k];
        add(at, n_first, both + with_first[k], triple);
        add(at + 1, n_second, both + with_second[k], triple);
        add(at + 2, failures_[k], with_first[k] + with_second[k], triple);
      }
    }
    divide_each(out, std::span(denominators).first(out.size()));
  }

  void scores_of_triples(Metric metric, std::span<const ModelId> members,
                         std::span<double> out) const {
    if (tables_.plan.triples) {
      if (metric == Metric::bd) return triple_scores<Metric::bd>(members, out);
      if (metric == Metric::kw) return triple_scores<Metric::kw>(members, out);
      if (metric == Metric::gd) return triple_scores<Metric::gd>(members, out);
    }
    few_scores<3>(metric, members, out);
  }

  void failure_scores(Metric metric, const TeamList& teams, std::size_t begin, std::size_t end,
                      std::span<double> out) const {
    const auto size = static_cast<std::size_t>(teams.team_size());
    if (size > most_unrolled) {
      many_scores(metric, teams, begin, end, out);
      return;
    }
    for (std::size_t at = begin; at < end; at += teams_a_run) {
      const std::size_t count = std::min(teams_a_run, end - at) * size;
      const auto members = teams.flat().subspan(at * size, count);
      const auto scores = out.subspan((at - begin) * size, count);
      if (size == 2) few_scores<2>(metric, members, scores);
      if (size == 3) scores_of_triples(metric, members, scores);
      if (size == 4) few_scores<4>(metric, members, scores);
      if (size == 5) few_scores<5>(metric, members, scores);
      if (size == 6) few_scores<6>(metric, members, scores);
    }
  }

  // Each pair and each triple of a team is looked up once and serves all of its members as focal
  // models.
  void extend(CoFailureSums& sums, TeamView members) const {
    const ModelId added = members.back();
    const TeamView others = members.first(members.size() - 1);
    std::uint64_t alone = tables_.pair(added, added), together = 0;
    for (std::size_t i = 0; i < others.size(); ++i) {
      const std::uint64_t pair = tables_.pair(others[i], added);
      sums.alone[i] += pair;
      alone += pair;
      for (std::size_t j = i + 1; j < others.size(); ++j) {
        const std::uint64_t triple = tables_.triple(others[i], others[j], added);
        sums.together[i] += triple;
        sums.together[j] += triple;
        together += triple;
      }
    }
    sums.alone.push_back(alone);
    sums.together.push_back(together);
  }

  void many_scores(Metric metric, const TeamList& teams, std::size_t begin, std::size_t end,
                   std::span<double> out) const {
    const auto size = static_cast<std::size_t>(teams.team_size());
    PrefixStack<CoFailureSums> stack(teams.team_size());
    const auto grow = [this](CoFailureSums& sums, TeamView members) { extend(sums, members); };
    for (std::size_t team = begin; team < end; ++team) {
      const CoFailureSums& sums = stack.sums_of(teams[team], grow);
      for (std::size_t f = 0; f < size; ++f) {
        const std::uint64_t n = tables_.pair(teams[team][f], teams[team][f]);
        // The pairs (f, i) fail together where i fails: t_ffi = a_fi.
        const std::uint64_t together = sums.together[f] + sums.alone[f] - n;
        out[(team - begin) * size + f] =
            n == 0 ? 0 : failure_diversity(metric, teams.team_size(), n, sums.alone[f], together);
      }
    }
  }

  Counts counts_;
  const Counts::Tables& tables_;
  FocalKappas kappas_;
  bool of_two_labels_ = false;
  std::vector<std::uint64_t> failures_;  ///< n_f.
  std::vector<std::uint32_t> turned_;    ///< Labels given, at (i * M + f) * 3.
};

}  // namespace

std::unique_ptr<FocalSource> focal_source(Counts counts) {
  return std::make_unique<CountSource>(std::move(counts));
}

}  // namespace hqe
