// SPDX-License-Identifier: MIT
#include "tests/reference/diversity.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>

namespace hqe::reference {
namespace {

using Samples = std::vector<int>;

double divided(double numerator, double denominator) {
  return numerator == 0 && denominator == 0 ? 0 : numerator / denominator;
}

/// How often both of a pair are right (n11), only the first, only the second, neither.
struct PairTable {
  double n11 = 0, n10 = 0, n01 = 0, n00 = 0;
};

PairTable pair_table(const ReferencePool& pool, int i, int j, const Samples& samples) {
  PairTable table;
  for (const int x : samples) {
    if (!pool.fails(i, x)) {
      ++(pool.fails(j, x) ? table.n10 : table.n11);
    } else {
      ++(pool.fails(j, x) ? table.n00 : table.n01);
    }
  }
  return table;
}

template <class PairScore>
double mean_over_pairs(const Members& team, const PairScore& score) {
  double sum = 0;
  int pairs = 0;
  for (std::size_t i = 0; i < team.size(); ++i) {
    for (std::size_t j = i + 1; j < team.size(); ++j) {
      sum += score(team[i], team[j]);
      ++pairs;
    }
  }
  return sum / pairs;
}

int failing_members(const ReferencePool& pool, const Members& team, int sample) {
  int k = 0;
  for (const int member : team) k += pool.fails(member, sample);
  return k;
}

template <class SampleScore>
double mean_over_samples(const Samples& samples, const SampleScore& score) {
  double sum = 0;
  for (const int x : samples) sum += score(x);
  return sum / static_cast<double>(samples.size());
}

double cohens_kappa(const ReferencePool& pool, int i, int j, const Samples& samples) {
  const auto n = static_cast<double>(samples.size());
  double same = 0;
  std::map<int, double> count_i, count_j;
  for (const int x : samples) {
    same += pool.predictions[i][x] == pool.predictions[j][x];
    ++count_i[pool.predictions[i][x]];
    ++count_j[pool.predictions[j][x]];
  }
  double chance = 0;
  for (const auto& [label, count] : count_i) chance += count * count_j[label];
  if (chance == n * n) return 1;
  const double observed = same / n, expected = chance / (n * n);
  return (observed - expected) / (1 - expected);
}

double generalized_diversity(const ReferencePool& pool, const Members& team,
                             const Samples& samples) {
  const auto s = static_cast<double>(team.size());
  const double p1 =
      mean_over_samples(samples, [&](int x) { return failing_members(pool, team, x) / s; });
  const double p2 = mean_over_samples(samples, [&](int x) {
    const double k = failing_members(pool, team, x);
    return k * (k - 1) / (s * (s - 1));
  });
  return p1 == 0 ? 0 : 1 - p2 / p1;
}

double fleiss_kappa(const ReferencePool& pool, const Members& team, const Samples& samples) {
  const auto s = static_cast<double>(team.size());
  std::map<int, double> total;
  const double observed = mean_over_samples(samples, [&](int x) {
    std::map<int, double> votes;
    for (const int member : team) {
      ++votes[pool.predictions[member][x]];
      ++total[pool.predictions[member][x]];
    }
    double agreeing = 0;
    for (const auto& [label, count] : votes) agreeing += count * (count - 1);
    return agreeing / (s * (s - 1));
  });
  const double ratings = s * static_cast<double>(samples.size());
  // All ratings alike: full agreement, which 0/0 and rounding must not hide.
  if (total.size() == 1) return 1;
  double expected = 0;
  for (const auto& [label, count] : total) expected += (count / ratings) * (count / ratings);
  return (observed - expected) / (1 - expected);
}

double difficulty(const ReferencePool& pool, const Members& team, const Samples& samples) {
  const auto s = static_cast<double>(team.size());
  const auto right = [&](int x) { return (s - failing_members(pool, team, x)) / s; };
  const double mean = mean_over_samples(samples, right);
  return mean_over_samples(samples, [&](int x) { return (right(x) - mean) * (right(x) - mean); });
}

double coincident_failure_diversity(const ReferencePool& pool, const Members& team,
                                    const Samples& samples) {
  const auto size = static_cast<int>(team.size());
  std::vector<double> p(team.size() + 1);
  for (const int x : samples) {
    p[failing_members(pool, team, x)] += 1.0 / static_cast<double>(samples.size());
  }
  const bool never =
      std::ranges::none_of(samples, [&](int x) { return failing_members(pool, team, x) > 0; });
  if (never) return 0;
  double sum = 0;
  for (int i = 1; i <= size; ++i) sum += static_cast<double>(size - i) / (size - 1) * p[i];
  return sum / (1 - p[0]);
}

double entropy(const ReferencePool& pool, const Members& team, const Samples& samples) {
  const auto size = static_cast<int>(team.size());
  return mean_over_samples(samples, [&](int x) {
    const int k = failing_members(pool, team, x);
    return static_cast<double>(std::min(k, size - k)) / (size - (size + 1) / 2);
  });
}

double q_statistic(const PairTable& t) {
  return divided(t.n11 * t.n00 - t.n01 * t.n10, t.n11 * t.n00 + t.n01 * t.n10);
}

double correlation(const PairTable& t) {
  return divided(t.n11 * t.n00 - t.n01 * t.n10, std::sqrt((t.n11 + t.n10) * (t.n01 + t.n00)) *
                                                    std::sqrt((t.n11 + t.n01) * (t.n10 + t.n00)));
}

}  // namespace

double diversity(const ReferencePool& pool, Metric metric, const Members& team,
                 const Samples& samples) {
  const auto n = static_cast<double>(samples.size());
  const auto s = static_cast<double>(team.size());
  const auto over_pairs = [&](const auto& score) {
    return mean_over_pairs(team,
                           [&](int i, int j) { return score(pair_table(pool, i, j, samples)); });
  };
  switch (metric) {
    case Metric::bd:
      return over_pairs([&](const PairTable& t) { return (t.n10 + t.n01) / n; });
    case Metric::kw:
      return mean_over_samples(samples, [&](int x) {
        const double k = failing_members(pool, team, x);
        return k * (s - k) / (s * s);
      });
    case Metric::gd:
      return generalized_diversity(pool, team, samples);
    case Metric::ck:
      return 1 -
             mean_over_pairs(team, [&](int i, int j) { return cohens_kappa(pool, i, j, samples); });
    case Metric::qs:
      return 1 - over_pairs(q_statistic);
    case Metric::cor:
      return 1 - over_pairs(correlation);
    case Metric::df:
      return 1 - over_pairs([&](const PairTable& t) { return t.n00 / n; });
    case Metric::fk:
      return 1 - fleiss_kappa(pool, team, samples);
    case Metric::ent:
      return entropy(pool, team, samples);
    case Metric::diff:
      return 1 - difficulty(pool, team, samples);
    case Metric::cfd:
      return coincident_failure_diversity(pool, team, samples);
    case Metric::f_ck:
    case Metric::f_bd:
    case Metric::f_kw:
    case Metric::f_gd:
      break;
  }
  throw std::logic_error("a focal metric is not a diversity on a sample set");
}

double baseline_diversity(const ReferencePool& pool, Metric metric, const Members& team) {
  return diversity(pool, metric, team, pool.all_samples());
}

double focal_negative_correlation(const ReferencePool& pool, Metric metric, const Members& team,
                                  int focal) {
  return diversity(pool, metric, team, pool.negative_samples(focal));
}

std::vector<double> accuracy_ranks(const ReferencePool& pool, const Members& team) {
  std::vector<double> ranks;
  for (const int member : team) {
    double below = 0, equal = 0;
    for (const int other : team) {
      below += pool.correct(other) < pool.correct(member);
      equal += pool.correct(other) == pool.correct(member);
    }
    // The places below+1 .. below+equal, shared.
    ranks.push_back(below + (1 + equal) / 2);
  }
  return ranks;
}

std::map<Members, double> focal_diversity(const ReferencePool& pool, Metric metric,
                                          const std::vector<Members>& ens_set,
                                          bool uniform_weights) {
  std::set<std::size_t> sizes;
  for (const Members& team : ens_set) sizes.insert(team.size());
  std::map<Members, double> fq;
  for (const std::size_t size : sizes) {               // for S = 2 to M-1
    std::map<std::pair<int, Members>, double> scaled;  // D-bar(Q, S, F_f, T_i)
    for (int f = 0; f < pool.model_count; ++f) {       //   for f = 0 to M-1
      if (pool.negative_samples(f).empty()) continue;  //     no focal view
      std::vector<std::pair<Members, double>> d;       //     D(Q, S, F_f)
      double minimum = std::numeric_limits<double>::infinity(), maximum = -minimum;
      for (const Members& team : ens_set) {  //     for T_i in EnsSet(F_f, S)
        if (team.size() != size || !std::ranges::count(team, f)) continue;
        const double q = focal_negative_correlation(pool, metric, team, f);
        d.emplace_back(team, q);
        minimum = std::min(minimum, q);
        maximum = std::max(maximum, q);
      }
      for (const auto& [team, q] : d) {
        const bool flat = maximum - minimum <= 1e-12;
        scaled[{f, team}] = flat ? 0.5 : (q - minimum) / (maximum - minimum);
      }
    }
    for (const Members& team : ens_set) {  //   for T_i in EnsSet(S)
      if (team.size() != size) continue;
      const std::vector<double> w = accuracy_ranks(pool, team);
      double sum = 0, weights = 0;
      for (std::size_t j = 0; j < team.size(); ++j) {
        const auto found = scaled.find({team[j], team});
        if (found == scaled.end()) continue;
        const double weight = uniform_weights ? 1 : w[j];
        sum += weight * found->second;
        weights += weight;
      }
      fq[team] = weights == 0 ? 0 : sum / weights;
    }
  }
  return fq;
}

}  // namespace hqe::reference
