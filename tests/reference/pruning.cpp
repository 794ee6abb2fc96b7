// SPDX-License-Identifier: MIT
#include "tests/reference/pruning.h"

#include <algorithm>
#include <cmath>

namespace hqe::reference {
namespace {

double rounded(double score) { return std::round(score * 1e12) / 1e12; }

bool contains_any(const Members& team, const std::vector<Members>& prune_set) {
  return std::ranges::any_of(
      prune_set, [&](const Members& part) { return std::ranges::includes(team, part); });
}

}  // namespace

std::vector<Members> mean_threshold(const std::map<Members, double>& scores) {
  double sum = 0;
  for (const auto& [team, score] : scores) sum += score;
  const double mean = sum / static_cast<double>(scores.size());
  std::vector<Members> kept;
  for (const auto& [team, score] : scores) {
    if (score > mean + 1e-12) kept.push_back(team);
  }
  return kept;
}

std::vector<ReferenceTier> prune_hierarchically(int model_count, const ScoreTier& score,
                                                const HierarchicalReference& options) {
  std::vector<Members> prune_set;
  std::vector<ReferenceTier> tiers;
  for (int size = 2; size <= options.desired_size; ++size) {
    ReferenceTier tier{.team_size = size};
    for (const Members& team : all_teams(model_count, size)) {
      if (!contains_any(team, prune_set)) tier.candidates.push_back(team);
    }
    tier.scores = score(tier.candidates);

    // Best first: higher score, then team order.
    std::vector<Members> ranking = tier.candidates;
    std::ranges::stable_sort(ranking, [&](const Members& a, const Members& b) {
      return rounded(tier.scores.at(a)) > rounded(tier.scores.at(b));
    });
    const bool last = size == options.desired_size;
    const double beta = options.beta.size() == 1 ? options.beta[0] : options.beta[size - 2];
    const auto count = static_cast<int>(ranking.size());
    int pruned = static_cast<int>(std::floor(beta * count + 1e-9));
    if (last && options.keep_last_tier) pruned = 0;
    if (options.keep) pruned = std::max(pruned, count - *options.keep);
    for (int i = 0; i < count; ++i) {
      if (i < pruned) {
        tier.pruned.push_back(ranking[count - 1 - i]);
      } else {
        tier.kept.push_back(ranking[count - 1 - i]);
      }
    }
    std::ranges::sort(tier.kept);
    prune_set.insert(prune_set.end(), tier.pruned.begin(), tier.pruned.end());
    tiers.push_back(tier);
  }
  return tiers;
}

std::vector<ReferenceConsensus> consensus(const std::vector<std::map<Members, double>>& opinions) {
  std::map<Members, ReferenceConsensus> tally;
  for (const auto& opinion : opinions) {
    for (const auto& [team, score] : opinion) {
      auto& entry = tally[team];
      entry.team = team;
      ++entry.votes;
      entry.score += score;
    }
  }
  std::vector<ReferenceConsensus> result;
  for (auto& [team, entry] : tally) {
    entry.score /= entry.votes;
    if (2 * entry.votes > static_cast<int>(opinions.size())) result.push_back(entry);
  }
  std::ranges::stable_sort(result, [](const ReferenceConsensus& a, const ReferenceConsensus& b) {
    if (a.votes != b.votes) return a.votes > b.votes;
    return rounded(a.score) > rounded(b.score);
  });
  return result;
}

}  // namespace hqe::reference
