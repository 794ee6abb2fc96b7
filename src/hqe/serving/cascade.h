// SPDX-License-Identifier: MIT
/// Cascades: a team's members run in an order and stop once the first of them agree, or are sure
/// enough. Cheaper than an exact early exit, and not exact: answers may differ from the full vote.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hqe/base/run.h"
#include "hqe/ensemble/costs.h"
#include "hqe/ensemble/team.h"
#include "hqe/predictions/pool.h"
#include "hqe/serving/early_exit.h"
#include "hqe/votes/vote.h"

namespace hqe {

/// When a cascade may stop before its vote is decided.
enum class StopKind {
  exact,       ///< Never: the answer is the full vote's.
  agreement,   ///< Where its first members all name the same class.
  confidence,  ///< Where the mean share of the leading class is large enough.
};
[[nodiscard]] std::string_view to_string(StopKind kind);
[[nodiscard]] std::optional<StopKind> parse_stop_kind(std::string_view word);

struct StopRule {
  StopKind kind = StopKind::exact;
  int agreeing = 0;       ///< Agreement: how many come first and must agree.
  double confidence = 0;  ///< Confidence: the least mean share.

  bool operator==(const StopRule&) const = default;
};
/// "exact exit", "first 2 agree", "mean confidence >= 0.95".
[[nodiscard]] std::string to_string(const StopRule& stop);

/// What one rule comes to on some samples.
struct CascadeRun {
  std::uint64_t samples = 0;
  std::uint64_t correct = 0;
  std::uint64_t changed = 0;   ///< Answers other than the full vote's.
  double expected_models = 0;  ///< That run, a sample.
  double expected_cost = 0;    ///< Of those that run, a sample.
};

struct CascadeRow {
  StopRule stop;
  CascadeRun selection;
  std::optional<CascadeRun> held_out;
};

/// Accuracy against expected cost.
struct CascadeFront {
  std::optional<Cost> cost;  ///< As in EarlyExit.
  double full_cost = 0;      ///< Of all members.
  std::vector<ModelId> order;
  std::optional<ExitJudge> judged_by;  ///< Nothing: no sample was held out.
  /// The exact exit, then the others that none is better than on the selection samples, as cheap
  /// and as accurate: dearest first.
  std::vector<CascadeRow> rows;

  /// The full vote has as many correct as the exact exit.
  [[nodiscard]] const CascadeRow& exact() const { return rows.front(); }
};

/// The rules that are weighed for a vote of so many members: exact; the first S-1 .. 2 agree; and
/// where classes get scores, mean shares of 0.999, 0.995, 0.99, 0.98 .. 0.95, 0.9 .. 0.3.
[[nodiscard]] std::vector<StopRule> stop_rules(int members, bool has_scores);

/// What each rule comes to on all samples of a pool. Members run in the order, which holds their
/// places in the team. The full vote being decided stops every rule (Voter). Before that:
///   agreement: after the first k members, where all name the same class, which is the answer; of
///   scores a member names the largest, the lowest class first;
///   confidence: after the first members whose scores, added up in the order in which they run,
///   weighted where the vote is, and divided by their weights have a largest that is no smaller;
///   that class, the lowest first, is the answer. Members without weight are not sure of anything.
/// `costs`: one a member. The same bits for any number of threads. O(N S C log S). Requires: a
/// non-empty team, a rule settled for the pool, a pool that was scanned.
[[nodiscard]] std::vector<CascadeRun> run_cascades(const Pool& pool, const VoteRule& rule,
                                                   TeamView team,
                                                   std::span<const std::size_t> order,
                                                   std::span<const double> costs,
                                                   std::span<const StopRule> stops, const Run& run);

/// The front of the team's cascades in the order of its exact early exit. With `test`, order and
/// front are chosen on the pool's samples and judged there; without, on one seeded half and judged
/// on the other, where there are at least 200 samples. `test`: models in the pool's order.
/// Requires: as run_cascades().
[[nodiscard]] CascadeFront cascade_front(const Pool& pool, const VoteRule& rule, TeamView team,
                                         std::uint64_t seed, const Run& run,
                                         const Pool* test = nullptr);

}  // namespace hqe
