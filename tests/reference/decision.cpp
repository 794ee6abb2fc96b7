// SPDX-License-Identifier: MIT
#include "tests/reference/decision.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "hqe/base/elementary.h"
#include "tests/reference/votes.h"

namespace hqe::reference {
namespace {

using Samples = std::vector<int>;

class Literal {
 public:
  Literal(const ReferencePool& pool, int size)
      : pool_(pool), size_(size), correct_(correct_counts(pool)) {}

  [[nodiscard]] double right(const Members& team, const Samples& samples) const {
    double count = 0;
    for (const int x : samples) {
      const int answer = pool_.probabilities.empty() ? plurality_vote(pool_, team, x, correct_)
                                                     : soft_vote(pool_, team, x);
      count += answer == pool_.truth[x] ? 1 : 0;
    }
    return count;
  }
  [[nodiscard]] double accuracy(const Members& team, const Samples& samples) const {
    return right(team, samples) / static_cast<double>(samples.size());
  }
  [[nodiscard]] std::uint64_t sure(const Members& team, const Samples& samples) const {
    std::uint64_t sum = 0;
    for (const int x : samples) {
      if (is_contested(pool_, x)) sum += sureness(pool_, team, x);
    }
    return sum;
  }

  [[nodiscard]] Members best(int size, const Samples& samples) const {
    const std::vector<Members> teams = all_teams(pool_.model_count, size);
    double most = 0;
    for (const Members& team : teams) most = std::max(most, right(team, samples));
    const auto count = static_cast<double>(samples.size());
    Members best;
    for (const Members& team : teams) {
      const double behind = most - right(team, samples);
      if (4 * count * behind * behind > 9 * most * (count - most)) continue;
      if (best.empty() || std::pair(sure(team, samples), right(team, samples)) >
                              std::pair(sure(best, samples), right(best, samples))) {
        best = team;
      }
    }
    return best;
  }
  [[nodiscard]] Members best_up_to(const Samples& samples) const {
    Members result;
    for (int size = 1; size <= size_; ++size) {
      const Members one = best(size, samples);
      if (result.empty() || right(one, samples) > right(result, samples)) result = one;
    }
    return result;
  }
  [[nodiscard]] Members most_accurate(int size, const Samples& samples) const {
    std::vector<int> models;
    for (int m = 0; m < pool_.model_count; ++m) models.push_back(m);
    std::stable_sort(models.begin(), models.end(),
                     [&](int a, int b) { return right({a}, samples) > right({b}, samples); });
    models.resize(static_cast<std::size_t>(size));
    std::sort(models.begin(), models.end());
    return models;
  }

 private:
  const ReferencePool& pool_;
  int size_;
  std::vector<std::uint64_t> correct_;
};

double standard_error(const std::vector<double>& one, const std::vector<double>& other) {
  const auto n = static_cast<double>(one.size());
  double mean = 0;
  for (std::size_t r = 0; r < one.size(); ++r) mean += (one[r] - other[r]) / n;
  double variance = 0;
  for (std::size_t r = 0; r < one.size(); ++r) {
    variance += std::pow(one[r] - other[r] - mean, 2) / (n - 1);
  }
  return std::sqrt(variance * (1 / n + 1));
}

Samples samples_in(const std::vector<int>& cells, std::uint32_t set) {
  Samples samples;
  for (std::size_t x = 0; x < cells.size(); ++x) {
    if ((set >> cells[x] & 1) != 0) samples.push_back(static_cast<int>(x));
  }
  return samples;
}

}  // namespace

bool is_rival(const ReferencePool& pool, int sample, int label) {
  const int truth = pool.truth[sample];
  if (label == truth) return false;
  for (int m = 0; m < pool.model_count; ++m) {
    if (pool.probabilities.empty()) {
      if (pool.predictions[m][sample] == label) return true;
      continue;
    }
    const std::vector<double>& scores = pool.probabilities[m][sample];
    if (scores[label] > 0 && scores[label] >= scores[truth]) return true;
  }
  return false;
}

bool is_contested(const ReferencePool& pool, int sample) {
  for (int m = 0; m < pool.model_count; ++m) {
    if (pool.probabilities.empty() && pool.predictions[m][sample] < 0) return true;
  }
  for (int c = 0; c < pool.class_count; ++c) {
    if (is_rival(pool, sample, c)) return true;
  }
  return false;
}

std::uint64_t sureness(const ReferencePool& pool, const Members& team, int sample) {
  const auto size = static_cast<double>(team.size());
  std::vector<double> given(static_cast<std::size_t>(pool.class_count), 0.0);
  for (const int m : team) {
    if (!pool.probabilities.empty()) {
      for (int c = 0; c < pool.class_count; ++c) given[c] += pool.probabilities[m][sample][c];
    } else if (pool.predictions[m][sample] >= 0) {
      given[pool.predictions[m][sample]] += 1;
    }
  }
  double strongest = 0;
  for (int c = 0; c < pool.class_count; ++c) {
    if (is_rival(pool, sample, c)) strongest = std::max(strongest, given[c]);
  }
  double lead = (given[pool.truth[sample]] - strongest) / size;
  if (pool.probabilities.empty()) lead = std::clamp(lead, -2 / size, 2 / size);
  lead = std::floor((lead + 1) * 1024 + 0.5) / 1024 - 1;
  return static_cast<std::uint64_t>(std::floor(1048576 / (1 + portable_exp(-lead / 0.1)) + 0.5));
}

LiteralDecision decide(const ReferencePool& pool, int size, const std::vector<int>& cells,
                       const std::vector<std::uint32_t>& halves) {
  const Literal literal(pool, size);
  using Choose = std::function<Members(const Samples&)>;
  std::vector<std::pair<std::string, Choose>> rules;
  const auto best = [&](int s) {
    return [&literal, s](const Samples& samples) { return literal.best(s, samples); };
  };
  const auto most_accurate = [&](int s) {
    return [&literal, s](const Samples& samples) { return literal.most_accurate(s, samples); };
  };
  rules.emplace_back("up to", [&](const Samples& x) { return literal.best_up_to(x); });
  rules.emplace_back("best", best(size));
  rules.emplace_back("most accurate", most_accurate(size));
  rules.emplace_back("single", best(1));
  rules.emplace_back("entire", [&](const Samples&) {
    Members all;
    for (int m = 0; m < pool.model_count; ++m) all.push_back(m);
    return all;
  });
  for (int s = 2; s < size; ++s) rules.emplace_back("most accurate", most_accurate(s));
  for (int s = 2; s < size; ++s) rules.emplace_back("best", best(s));

  const std::uint32_t all_cells = (1U << 16) - 1;
  LiteralDecision decision;
  std::vector<double> worth;
  for (const auto& [title, choose] : rules) {
    const Samples all = samples_in(cells, all_cells);
    LiteralCandidate candidate{.title = title, .team = choose(all)};
    double optimism = 0;
    for (const std::uint32_t one : halves) {
      for (const std::uint32_t half : {one, all_cells & ~one}) {
        const Samples own = samples_in(cells, half);
        const Samples other = samples_in(cells, all_cells & ~half);
        const Members team = choose(own);
        candidate.judged.push_back(literal.accuracy(team, other));
        optimism += literal.accuracy(team, own) - literal.accuracy(team, other);
      }
    }
    optimism /= static_cast<double>(2 * halves.size());
    worth.push_back(literal.accuracy(candidate.team, all));
    candidate.expected = worth.back() - 0.75 * optimism;
    decision.candidates.push_back(candidate);
  }

  const std::vector<LiteralCandidate>& all = decision.candidates;
  constexpr std::size_t standard = 2;
  constexpr double tiny = 1e-12;
  std::size_t winner = standard;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double ahead = all[i].expected - all[standard].expected;
    if (!(ahead > 0.5 * standard_error(all[i].judged, all[standard].judged) + tiny / 2)) continue;
    if (winner == standard || all[i].expected > all[winner].expected + tiny / 2) winner = i;
  }
  decision.recommended = winner;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool may_be_noise = standard_error(all[i].judged, all[winner].judged) > 0;
    if (winner == standard && may_be_noise) continue;
    const Members& team = all[i].team;
    const bool is_part =
        std::includes(all[winner].team.begin(), all[winner].team.end(), team.begin(), team.end());
    const bool is_as_good =
        worth[i] >= worth[winner] && all[i].expected >= all[standard].expected - tiny / 2 &&
        all[winner].expected - all[i].expected <=
            std::min(0.001, 0.5 * standard_error(all[i].judged, all[winner].judged)) + tiny / 2;
    if (is_part && is_as_good && team.size() < all[decision.recommended].team.size()) {
      decision.recommended = i;
    }
  }
  return decision;
}

}  // namespace hqe::reference
