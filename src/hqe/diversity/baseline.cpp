// SPDX-License-Identifier: MIT
#include "hqe/diversity/baseline.h"

#include <cassert>
#include <cmath>

#include "hqe/diversity/formulas.h"

namespace hqe {
namespace {

__extension__ using Wide = unsigned __int128;
__extension__ using SignedWide = __int128;

/// Right and wrong answers of a pair; both wrong, only i, only j, none.
struct PairTable {
  std::uint64_t n00, n01, n10, n11;
};

PairTable pair_table(const Counts& counts, ModelId i, ModelId j) {
  const std::uint64_t both = counts.co_failures(i, j);
  const std::uint64_t only_i = counts.failures(i) - both, only_j = counts.failures(j) - both;
  return {both, only_i, only_j, counts.sample_count() - both - only_i - only_j};
}

/// n11 n00 - n01 n10, which fits: samples are at most 2^31.
std::int64_t association(const PairTable& t) {
  return static_cast<std::int64_t>(t.n11 * t.n00) - static_cast<std::int64_t>(t.n01 * t.n10);
}

using PairScore = double (*)(const Counts&, ModelId, ModelId);

double kappa_of(const Counts& counts, ModelId i, ModelId j) {
  return cohens_kappa(counts.sample_count(), counts.agreements(i, j),
                      counts.chance_agreements(i, j));
}

// 0/0 counts as 0; where a denominator is 0 the numerator is too.
double q_of(const Counts& counts, ModelId i, ModelId j) {
  const PairTable t = pair_table(counts, i, j);
  const auto numerator = static_cast<double>(association(t));
  return numerator == 0 ? 0 : numerator / static_cast<double>(t.n11 * t.n00 + t.n01 * t.n10);
}

double correlation_of(const Counts& counts, ModelId i, ModelId j) {
  const auto numerator = static_cast<double>(association(pair_table(counts, i, j)));
  const auto spread = [&](ModelId m) {
    return std::sqrt(static_cast<double>(counts.failures(m) * counts.correct(m)));
  };
  return numerator == 0 ? 0 : numerator / (spread(i) * spread(j));
}

/// Scores of one pair, from a table where the list asks for more pairs than there are.
class PairScores {
 public:
  PairScores(const Counts& counts, PairScore score, const TeamList& teams, const Run& run)
      : counts_(counts), score_(score), models_(static_cast<std::size_t>(counts.model_count())) {
    const auto size = static_cast<std::size_t>(teams.team_size());
    if (teams.size() * size * (size - 1) < models_ * (models_ - 1)) return;
    table_.resize(models_ * models_);
    parallel_for(run, "scoring pairs", models_, 1, [&](std::uint64_t i, std::uint64_t, int) {
      for (std::size_t j = i + 1; j < models_; ++j) {
        table_[i * models_ + j] = score_(counts_, static_cast<ModelId>(i), static_cast<ModelId>(j));
      }
    });
  }

  /// Requires: i < j.
  [[nodiscard]] double operator()(ModelId i, ModelId j) const {
    return table_.empty() ? score_(counts_, i, j) : table_[i * models_ + j];
  }

 private:
  const Counts& counts_;
  PairScore score_;
  std::size_t models_;
  std::vector<double> table_;
};

template <class Visit>
void for_each_pair(TeamView team, const Visit& visit) {
  for (std::size_t i = 0; i < team.size(); ++i) {
    for (std::size_t j = i + 1; j < team.size(); ++j) visit(team[i], team[j]);
  }
}

struct FailureSums {
  std::uint64_t alone = 0, together = 0;
};

FailureSums failure_sums(const Counts& counts, TeamView team) {
  FailureSums sums;
  for (const ModelId member : team) sums.alone += counts.failures(member);
  for_each_pair(team, [&](ModelId i, ModelId j) { sums.together += counts.co_failures(i, j); });
  return sums;
}

double double_fault_of(const Counts& counts, TeamView team) {
  const auto pairs = static_cast<double>(team.size() * (team.size() - 1) / 2);
  return static_cast<double>(failure_sums(counts, team).together) /
         (pairs * static_cast<double>(counts.sample_count()));
}

/// The variance over samples of the share of failing members.
double difficulty_of(const Counts& counts, TeamView team) {
  const FailureSums sums = failure_sums(counts, team);
  const Wide n = counts.sample_count(), size = team.size(), alone = sums.alone;
  const Wide spread = n * (alone + 2 * Wide{sums.together}) - alone * alone;
  return static_cast<double>(spread) / static_cast<double>(n * n * size * size);
}

double fleiss_kappa_of(const Counts& counts, TeamView team) {
  Wide agreeing = 0, chance = 0;
  for_each_pair(team, [&](ModelId i, ModelId j) {
    agreeing += counts.agreements(i, j);
    chance += 2 * Wide{counts.chance_agreements(i, j)};
  });
  for (const ModelId member : team) chance += counts.chance_agreements(member, member);
  // P = 2 agreeing / (n S (S-1)), P_e = chance / (n S)^2.
  const Wide n = counts.sample_count(), size = team.size();
  const Wide most = n * n * size * size;
  // Agreement that chance explains in full is agreement all the same, as in cohens_kappa().
  if (chance == most) return 1;
  const auto above_chance = static_cast<SignedWide>(2 * agreeing * n * size) -
                            static_cast<SignedWide>(chance * (size - 1));
  return static_cast<double>(above_chance) / static_cast<double>((most - chance) * (size - 1));
}

double entropy_of(const FailureBits& bits, TeamView team) {
  const auto histogram = bits.histogram(team);
  const std::uint64_t size = team.size();
  std::uint64_t minority = 0;
  for (std::uint64_t k = 0; k <= size; ++k) minority += std::min(k, size - k) * histogram[k];
  return static_cast<double>(minority) /
         static_cast<double>((size - (size + 1) / 2) * bits.sample_count());
}

double coincident_failures_of(const FailureBits& bits, TeamView team) {
  const auto histogram = bits.histogram(team);
  const std::uint64_t size = team.size(), failed = bits.sample_count() - histogram[0];
  if (failed == 0) return 0;
  std::uint64_t sum = 0;
  for (std::uint64_t k = 1; k <= size; ++k) sum += (size - k) * histogram[k];
  return static_cast<double>(sum) / static_cast<double>((size - 1) * failed);
}

TeamScore mean_over_pairs(const Counts& counts, PairScore score, const TeamList& teams,
                          const Run& run) {
  return [scores = PairScores(counts, score, teams, run)](TeamView team) {
    double sum = 0;
    for_each_pair(team, [&](ModelId i, ModelId j) { sum += scores(i, j); });
    return 1 - sum / static_cast<double>(team.size() * (team.size() - 1) / 2);
  };
}

template <Metric metric>
TeamScore of_failures(const Counts& counts) {
  static_assert(has_failure_formula(metric), "no formula in failure_formula()");
  return [&counts](TeamView team) {
    const FailureSums sums = failure_sums(counts, team);
    return failure_diversity(metric, static_cast<int>(team.size()), counts.sample_count(),
                             sums.alone, sums.together);
  };
}

}  // namespace

namespace baseline {

TeamScore kappa(const Counts& counts, const FailureBits*, const TeamList& teams, const Run& run) {
  return mean_over_pairs(counts, kappa_of, teams, run);
}
TeamScore q_statistic(const Counts& counts, const FailureBits*, const TeamList& teams,
                      const Run& run) {
  return mean_over_pairs(counts, q_of, teams, run);
}
TeamScore correlation(const Counts& counts, const FailureBits*, const TeamList& teams,
                      const Run& run) {
  return mean_over_pairs(counts, correlation_of, teams, run);
}
TeamScore disagreement(const Counts& counts, const FailureBits*, const TeamList&, const Run&) {
  return of_failures<Metric::bd>(counts);
}
TeamScore variance(const Counts& counts, const FailureBits*, const TeamList&, const Run&) {
  return of_failures<Metric::kw>(counts);
}
TeamScore generalized(const Counts& counts, const FailureBits*, const TeamList&, const Run&) {
  return of_failures<Metric::gd>(counts);
}
TeamScore double_fault(const Counts& counts, const FailureBits*, const TeamList&, const Run&) {
  return [&counts](TeamView team) { return 1 - double_fault_of(counts, team); };
}
TeamScore difficulty(const Counts& counts, const FailureBits*, const TeamList&, const Run&) {
  return [&counts](TeamView team) { return 1 - difficulty_of(counts, team); };
}
TeamScore fleiss_kappa(const Counts& counts, const FailureBits*, const TeamList&, const Run&) {
  return [&counts](TeamView team) { return 1 - fleiss_kappa_of(counts, team); };
}
TeamScore entropy(const Counts&, const FailureBits* bits, const TeamList&, const Run&) {
  return [bits](TeamView team) { return entropy_of(*bits, team); };
}
TeamScore coincident_failures(const Counts&, const FailureBits* bits, const TeamList&, const Run&) {
  return [bits](TeamView team) { return coincident_failures_of(*bits, team); };
}

}  // namespace baseline

bool needs_failure_bits(Metric metric) { return row_of(metric).needs == MetricNeeds::failure_bits; }

std::vector<double> baseline_scores(const Counts& counts, const FailureBits* bits, Metric metric,
                                    const TeamList& teams, const Run& run) {
  assert(!is_focal(metric) && teams.team_size() >= 2);
  assert(bits != nullptr || !needs_failure_bits(metric));
  const TeamScore score = row_of(metric).formula(counts, bits, teams, run);
  std::vector<double> scores(teams.size());
  parallel_for(run, "scoring teams", teams.size(), 4096,
               [&](std::uint64_t begin, std::uint64_t end, int) {
                 for (; begin < end; ++begin) scores[begin] = score(teams[begin]);
               });
  return scores;
}

}  // namespace hqe
