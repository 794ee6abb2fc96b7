// SPDX-License-Identifier: MIT
#include "hqe/serving/long_exit.h"

#include <algorithm>
#include <numeric>

#include "hqe/serving/said.h"

namespace hqe {
namespace {

constexpr std::uint64_t grain = 256;

/// The class that comes closest to `answer`; -1 where there is none.
std::int32_t runner_up(const Said& said, std::int32_t answer) {
  std::int32_t best = -1;
  double most = -1;
  const auto weigh = [&](std::int32_t label, double votes) {
    if (label == answer || votes <= most) return;
    best = label;
    most = votes;
  };
  for (std::size_t k = 0; k < said.sums.size(); ++k) {
    weigh(static_cast<std::int32_t>(k), said.sums[k]);
  }
  for (const VoteTally& tally : said.tallies) weigh(tally.label, tally.votes);
  return best;
}

/// Fills in what each member brings, and returns how much is needed.
double gains_of(Said& said, std::span<double> gains) {
  const TeamVote& vote = said.vote;
  const Left nothing = left_without(vote, said.everybody);
  const std::int32_t answer = said.outcome(said.everybody, nothing).answer;
  const std::int32_t rival = runner_up(said, answer);
  for (std::size_t m = 0; m < gains.size(); ++m) {
    if (vote.has_scores) {
      const double* row = said.rows.data() + m * said.sums.size();
      const double lead = row[answer] - (rival < 0 ? 0 : row[rival]);
      gains[m] = std::max(0.0, vote.weight(m) * (vote.largest_score + lead));
    } else if (vote.vote == Vote::majority) {
      // Either the answer is reached, or the class with most votes is out of reach.
      const bool brings =
          answer >= 0 ? said.labels[m] == answer : rival < 0 || said.labels[m] != rival;
      gains[m] = brings ? 1 : 0;
    } else {
      const bool is_for = answer < 0 || said.labels[m] == answer;
      const bool is_against = rival >= 0 && said.labels[m] == rival;
      gains[m] = vote.weight(m) * (1 + (is_for ? 1 : 0) - (is_against ? 1 : 0));
    }
  }
  if (vote.class_count == 1) return 0;
  if (!vote.has_scores && vote.vote == Vote::majority) return nothing.all_weights / 2;
  return nothing.all_weights * vote.largest_score;
}

/// The cost of the cheapest fraction of members whose gains reach `needed`.
double cheapest_cover(std::span<const double> gains, std::span<const double> costs, double needed,
                      std::vector<std::size_t>& scratch) {
  scratch.resize(gains.size());
  std::iota(scratch.begin(), scratch.end(), std::size_t{0});
  std::ranges::sort(scratch, [&](std::size_t left, std::size_t right) {
    const double by_left = gains[left] * costs[right], by_right = gains[right] * costs[left];
    return by_left != by_right ? by_left > by_right : left < right;
  });
  // Rounding must not make it more than what a set that decides costs.
  double missing = needed * (1 - 1e-9);
  double cost = 0;
  for (const std::size_t m : scratch) {
    if (missing <= 0 || gains[m] <= 0) break;
    const double part = std::min(1.0, missing / gains[m]);
    cost += part * costs[m];
    missing -= gains[m];
  }
  return std::max(cost, std::ranges::min(costs));  // Somebody is always asked.
}

}  // namespace

MemberGains member_gains(const Pool& pool, const VoteRule& rule, TeamView team,
                         std::span<const double> costs, std::span<const std::uint64_t> samples,
                         const Run& run) {
  const std::size_t members = team.size();
  std::vector<Said> workers(static_cast<std::size_t>(run.thread_count()),
                            Said(pool, team_vote(pool, rule, team), team));
  // Sums in an order that no number of threads changes: block by block, then blocks ascending.
  const std::uint64_t blocks = (samples.size() + grain - 1) / grain;
  std::vector<double> block_gains(blocks * members), block_costs(blocks);
  parallel_for(run, "looking for early exits", samples.size(), grain,
               [&](std::uint64_t begin, std::uint64_t end, int number) {
                 Said& said = workers[static_cast<std::size_t>(number)];
                 const std::uint64_t block = begin / grain;
                 std::vector<double> gains(members);
                 std::vector<std::size_t> scratch;
                 for (std::uint64_t i = begin; i < end; ++i) {
                   said.read(samples[i]);
                   const double needed = gains_of(said, gains);
                   for (std::size_t m = 0; m < members; ++m) {
                     block_gains[block * members + m] += gains[m];
                   }
                   block_costs[block] += cheapest_cover(gains, costs, needed, scratch);
                 }
               });
  MemberGains result{.gains = std::vector<double>(members)};
  const auto count = static_cast<double>(samples.size());
  for (std::uint64_t block = 0; block < blocks; ++block) {
    result.least_cost += block_costs[block] / count;
    for (std::size_t m = 0; m < members; ++m) {
      result.gains[m] += block_gains[block * members + m] / count;
    }
  }
  return result;
}

std::vector<std::size_t> order_by_gain(std::span<const double> gains,
                                       std::span<const double> costs) {
  std::vector<std::size_t> order(gains.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t left, std::size_t right) {
    return gains[left] * costs[right] > gains[right] * costs[left];
  });
  return order;
}

std::vector<std::uint64_t> open_along(const Pool& pool, const VoteRule& rule, TeamView team,
                                      std::span<const std::size_t> order,
                                      std::span<const std::uint64_t> samples, const Run& run) {
  const TeamVote vote = team_vote(pool, rule, team);
  const std::size_t members = team.size();
  const Beginnings beginnings(vote, order);
  const auto threads = static_cast<std::size_t>(run.thread_count());
  std::vector<Said> workers(threads, Said(pool, vote, team));
  std::vector<std::vector<std::uint64_t>> ends(threads, std::vector<std::uint64_t>(members + 1));
  parallel_for(run, "looking for early exits", samples.size(), grain,
               [&](std::uint64_t begin, std::uint64_t end, int number) {
                 const auto worker = static_cast<std::size_t>(number);
                 Said& said = workers[worker];
                 for (std::uint64_t i = begin; i < end; ++i) {
                   said.read(samples[i]);
                   ++ends[worker][beginnings.deciding(said)];
                 }
               });
  std::vector<std::uint64_t> result;
  std::uint64_t still_open = samples.size();
  for (std::size_t k = 0; k < members; ++k) {
    for (const auto& counts : ends) still_open -= counts[k];
    result.push_back(still_open);
  }
  return result;
}

}  // namespace hqe
