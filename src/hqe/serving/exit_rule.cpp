// SPDX-License-Identifier: MIT
#include "hqe/serving/exit_rule.h"

#include <algorithm>

#include "hqe/base/largest.h"

namespace hqe {
namespace {

/// Every vote that is left may go to `rival`.
bool stays_ahead(const TeamVote& vote, const VoteTally& leader, const VoteTally& rival,
                 const Left& left) {
  if (vote.vote == Vote::weighted) return leader.votes - rival.votes > deciding_lead(vote, left);
  // Whole votes add up without rounding.
  const double votes = rival.votes + left.weight;
  const Strength strength = rival.strength + left.correct;
  if (leader.votes != votes) return leader.votes > votes;
  return leader.strength != strength ? leader.strength > strength : leader.label < rival.label;
}

bool leads_for_good(const TeamVote& vote, const VoteTally& leader,
                    std::span<const VoteTally> tallies, const Left& left) {
  std::int32_t untouched = 0;  // The lowest class without a vote.
  for (const VoteTally& rival : tallies) {
    if (rival.label == untouched) ++untouched;
    if (rival.label != leader.label && !stays_ahead(vote, leader, rival, left)) return false;
  }
  return untouched == vote.class_count || stays_ahead(vote, leader, {.label = untouched}, left);
}

}  // namespace

Left left_without(const TeamVote& vote, std::span<const char> is_in) {
  Left left;
  for (std::size_t m = 0; m < is_in.size(); ++m) {
    left.all_weights += vote.weight(m);
    if (is_in[m] != 0) continue;
    ++left.members;
    left.weight += vote.weight(m);
    if (vote.ties == Ties::accuracy) left.correct += vote.correct[m];
  }
  return left;
}

void add_up_scores(const TeamVote& vote, std::span<const double> rows, std::span<const char> is_in,
                   std::span<double> sums) {
  std::ranges::fill(sums, 0.0);
  for (std::size_t m = 0; m < is_in.size(); ++m) {
    if (is_in[m] == 0) continue;
    const std::span row = rows.subspan(m * sums.size(), sums.size());
    const double weight = vote.weight(m);
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += weight * row[k];
  }
}

std::vector<Strength> strengths_of(const TeamVote& vote) {
  std::vector<Strength> result(vote.correct.size());
  if (vote.ties == Ties::label) return result;
  const Team everybody = Team::all(vote.size());
  const Strengths strengths(vote.weights, vote.correct, everybody.view());
  for (const ModelId member : everybody) result[member] = strengths(member);
  return result;
}

void tally_labels(const TeamVote& vote, std::span<const Strength> strengths,
                  std::span<const std::int32_t> labels, std::span<const char> is_in,
                  std::vector<VoteTally>& tallies) {
  tallies.clear();
  for (std::size_t m = 0; m < is_in.size(); ++m) {
    if (is_in[m] == 0 || labels[m] < 0) continue;
    auto place = std::ranges::lower_bound(tallies, labels[m], {}, &VoteTally::label);
    if (place == tallies.end() || place->label != labels[m]) {
      place = tallies.insert(place, VoteTally{.label = labels[m]});
    }
    place->votes += vote.weight(m);
    place->strength += strengths[m];
  }
}

VoteOutcome outcome_of_tallies(const TeamVote& vote, std::span<const VoteTally> tallies,
                               const Left& left) {
  const bool is_majority = vote.vote == Vote::majority;
  VoteTally best;
  for (const VoteTally& tally : tallies) {
    // Classes ascend, so on a full tie the lower one stays; votes without weight are none.
    const bool breaks_tie = !is_majority && tally.votes > 0 && tally.strength > best.strength;
    if (tally.votes > best.votes || (tally.votes == best.votes && breaks_tie)) {
      best = tally;
    }
  }
  if (is_majority) {
    const bool is_reached = 2 * best.votes > left.all_weights;
    return {.decided = is_reached || 2 * (best.votes + left.weight) <= left.all_weights,
            .answer = is_reached ? best.label : -1};
  }
  // Weights of 0 add nothing, neither votes nor strength.
  const bool is_over = left.weight == 0;
  return {.decided = is_over || (best.label >= 0 && leads_for_good(vote, best, tallies, left)),
          .answer = best.label};
}

VoteOutcome outcome_of_scores(const TeamVote& vote, std::span<const double> sums,
                              const Left& left) {
  const std::size_t best = place_of_largest(sums);
  // Weights of 0 add nothing, and a single class has no rival.
  const bool is_over = left.weight == 0 || sums.size() == 1;
  return {.decided = is_over || sums[best] - largest_but(sums, best) > deciding_lead(vote, left),
          .answer = static_cast<std::int32_t>(best)};
}

}  // namespace hqe
