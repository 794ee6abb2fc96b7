// SPDX-License-Identifier: MIT
/// In which order to run a team's members, so that the vote is decided early, and what that saves.

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "hqe/base/run.h"
#include "hqe/ensemble/costs.h"
#include "hqe/ensemble/team.h"
#include "hqe/predictions/pool.h"
#include "hqe/votes/vote.h"

namespace hqe {

/// Up to this many members every order is weighed.
inline constexpr int most_members_of_every_order = 8;
/// With fewer samples than this no half is held back to judge.
inline constexpr std::uint64_t fewest_samples_for_exit_halves = 200;

/// What one order came to on some samples, where members run until the vote is decided (Voter).
struct ExitRun {
  std::vector<ModelId> order;
  std::uint64_t samples = 0;
  std::vector<double> decided_after;  ///< Share of samples that 1, 2, .. all members decide.
  double expected_models = 0;         ///< That run, a sample.
  double expected_cost = 0;           ///< Of those that run, a sample.
};

/// Samples that took no part in choosing an order.
enum class ExitJudge {
  test,  ///< The test pool: the same order.
  half,  ///< One half: the order that the other half chooses.
};
[[nodiscard]] std::string_view to_string(ExitJudge judge);
[[nodiscard]] std::optional<ExitJudge> parse_exit_judge(std::string_view word);

/// How a team is run with the same answers as if all of it ran.
struct EarlyExit {
  /// Counted a sample: the first of latency_ms, gflops, params that is known of every member and
  /// not 0 of all; nothing: models.
  std::optional<Cost> cost;
  double full_cost = 0;  ///< Of all members.
  /// The most that a member may give a class; nothing: votes of labels, studies of older versions.
  std::optional<double> bound{};
  ExitRun selection;
  /// No order has a smaller expected cost on the selection samples.
  double least_cost = 0;
  bool is_least = false;  ///< This order is one with the least expected cost.
  struct Judged {
    ExitJudge by = ExitJudge::half;
    ExitRun run;
  };
  std::optional<Judged> held_out;
};

struct EarlyExitOptions {
  std::uint64_t seed = 0;  ///< Of the split into halves.
  /// Without a test pool of at least 200 samples: judge by halves.
  bool judge_on_half = true;
  /// Pools with more scores of members than this, N C S, are judged by evenly spaced samples, at
  /// least 1,024 of them. Nothing: every sample.
  std::optional<std::uint64_t> most_scores{};
};

/// The order of the team's members with the least expected cost on the pool's samples. Up to eight
/// members every order is weighed; of equal ones, the one that runs fewer models, then the first in
/// team order. More members: those first that bring most towards decisions for their cost, and
/// least_cost is what no order can do better than, since it picks members for each sample anew.
/// `test`: models in the pool's order. Reads the members' predictions once, with more than eight of
/// them twice, and of the test pool once. O(N 2^S C) at worst for eight, O(N S C log S) for more.
/// The same bits for any number of threads. Requires: a non-empty team, a rule settled for the
/// pool, pools that were scanned.
[[nodiscard]] EarlyExit early_exit(const Pool& pool, const VoteRule& rule, TeamView team,
                                   const EarlyExitOptions& options, const Run& run,
                                   const Pool* test = nullptr);

}  // namespace hqe
