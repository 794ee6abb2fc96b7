// SPDX-License-Identifier: MIT
#include <array>
#include <cassert>
#include <utility>

#include "hqe/diversity/focal.h"
#include "hqe/diversity/focal_kappas.h"
#include "hqe/diversity/formulas.h"
#include "hqe/diversity/prefix_stack.h"
#include "hqe/failures/tables.h"

namespace hqe {
namespace {

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
                 .of_triple = [this](int i, int j, int k) { return kappas(i, j, k); }}) {}

  [[nodiscard]] bool ever_fails(ModelId f) const override { return counts_.failures(f) > 0; }
  [[nodiscard]] std::uint64_t correct(ModelId f) const override { return counts_.correct(f); }

  void focal_negative_correlations(Metric metric, const TeamList& teams, std::size_t begin,
                                   std::size_t end, std::span<double> out) const override {
    assert(out.size() == (end - begin) * static_cast<std::size_t>(teams.team_size()));
    if (metric == Metric::ck) {
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

  [[nodiscard]] std::array<double, 3> kappas(int i, int j, int k) const {
    const std::uint64_t twice = 2 * tables_.triple(i, j, k);
    // a < b and f are the three models in some order.
    const auto given = [&](int f, int a, int b) {
      const std::uint64_t n = tables_.pair(f, f);
      const std::uint64_t same =
          n + twice - tables_.pair(f, a) - tables_.pair(f, b) - tables_.differing_on(f, a, b);
      return cohens_kappa(n, same, tables_.chance_on(f, a, b));
    };
    return {given(i, j, k), given(j, i, k), given(k, i, j)};
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

  void failure_scores(Metric metric, const TeamList& teams, std::size_t begin, std::size_t end,
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
};

}  // namespace

std::unique_ptr<FocalSource> focal_source(Counts counts) {
  return std::make_unique<CountSource>(std::move(counts));
}

}  // namespace hqe
