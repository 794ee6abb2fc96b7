// SPDX-License-Identifier: MIT
/// The parts that saved documents share, read back. Private: nlohmann's header is slow.

#pragma once

#include <string>
#include <vector>

#include "hqe/diversity/metric.h"
#include "hqe/ensemble/team.h"
#include "hqe/predictions/limits.h"
#include "hqe/saved/entry.h"
#include "hqe/statistics/intervals.h"
#include "hqe/study/study.h"
#include "hqe/votes/vote.h"

namespace hqe {

[[nodiscard]] std::vector<Metric> read_metrics(const Entry& entry);
/// The name of a metric, as to_string() spells it.
[[nodiscard]] std::string read_metric_name(const Entry& entry);
[[nodiscard]] std::vector<std::string> read_texts(const Entry& entry);
[[nodiscard]] std::vector<Message> read_messages(const Entry& entry);
/// An optional text; empty where it is absent.
[[nodiscard]] std::string read_text_or_nothing(const Entry& entry, std::string_view name);
/// `samples` of a pool: at least one, no more than there can be.
[[nodiscard]] std::uint64_t read_pool_samples(const Entry& document);
[[nodiscard]] PoolSummary read_pool(const Entry& entry);
/// A pool of the same models, in the same order.
[[nodiscard]] PoolSummary read_test_pool(const Entry& entry, const PoolSummary& pool);
[[nodiscard]] VoteOptions read_vote_options(const Entry& entry);
[[nodiscard]] std::vector<Budget> read_budget(const Entry& entry);
[[nodiscard]] PruneOptions read_options(const Entry& entry);

/// That a piece of an answer comes from this version of hqe: others may answer otherwise.
void check_same_version(const Entry& document);

/// A team of the pool: ids of its models, each once. Empty ones are refused but where
/// `may_be_empty`.
[[nodiscard]] Team read_team(const Entry& entry, const PoolSummary& pool,
                             bool may_be_empty = false);

/// Every member of the team once, in the order in which they run.
[[nodiscard]] std::vector<ModelId> read_order(const Entry& entry, const Team& team);

/// Figures that are told twice may differ by what rounding does, no more.
inline constexpr double read_rounding = 1e-9;

/// What correct counts are counts of.
[[nodiscard]] Limit sample_limit(const PoolSummary& pool, std::string_view whose = "the pool's");

/// A score of a metric, or a threshold among them. Metrics stay within [-1, 1]; the bound is far
/// beyond, and keeps differences of scores finite.
[[nodiscard]] double read_score(const Entry& entry);

/// The most that a member may give a class.
[[nodiscard]] double read_score_bound(const Entry& entry);

/// low <= high.
[[nodiscard]] Interval read_interval(const Entry& low, const Entry& high);

/// `read` of what stands under a name, or nothing where that is absent or null.
template <typename Read>
auto maybe(const Entry& entry, std::string_view name, Read read)
    -> std::optional<decltype(read(entry))> {
  const std::optional<Entry> found = entry.find(name);
  if (!found) return std::nullopt;
  return read(*found);
}

inline double number_of(const Entry& entry) { return entry.number(); }
inline bool truth_of(const Entry& entry) { return entry.truth(); }
inline double share_of(const Entry& entry) { return entry.share(); }
inline std::uint64_t count_of(const Entry& entry) { return entry.count(); }

}  // namespace hqe
