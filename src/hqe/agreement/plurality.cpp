// SPDX-License-Identifier: MIT
#include "hqe/agreement/plurality.h"

#include <algorithm>
#include <limits>

#include "hqe/agreement/agreement_kernel.h"
#include "hqe/agreement/agreement_rows.h"
#include "hqe/agreement/counting_plan.h"
#include "hqe/agreement/partitions.h"
#include "hqe/bits/target.h"

namespace hqe {
namespace {

constexpr std::size_t most_bytes = std::size_t{256} << 20;
constexpr std::size_t most_partitions = 203;  // A partition's number is one byte.

// Teams of pruned lists share their first members with a handful of others.
constexpr double teams_a_prefix = 8;
// A block is so many of the widest vectors.
constexpr double vectors = AgreementRows::block_words / 8.0;

}  // namespace

double plurality_cost(const PluralityVotes& pool, int team_size) {
  const double never = std::numeric_limits<double>::infinity();
  if (team_size < 2) return never;
  const int places = team_size - 1;
  const std::size_t partitions = Partitions::count(places, pool.one_rival);
  if (partitions > most_partitions) return never;
  const std::size_t blocks = AgreementRows::blocks_of(pool);
  const std::size_t block_bytes = AgreementRows::rows_of(pool) * AgreementRows::block_words * 8;
  if (blocks > most_bytes / block_bytes) return never;
  const double of_team = 6 + 2.0 * (pool.one_rival ? 0 : places);
  const double of_prefix = 5.0 * static_cast<double>(partitions);
  return static_cast<double>(blocks) * vectors * (of_team + of_prefix / teams_a_prefix);
}

void add_plurality_counts(const PluralityVotes& pool, const TeamList& teams, const Run& run,
                          std::span<std::uint64_t> right) {
  apply_target_from_environment();
  const AgreementRows rows(pool, run);
  const Partitions partitions(teams.team_size() - 1, pool.one_rival);
  // Long ranges of teams share more first members, but every thread wants several.
  const std::size_t shares = static_cast<std::size_t>(run.thread_count()) * 8;
  const std::size_t grain = std::clamp<std::size_t>(teams.size() / shares, 1, 1 << 14);
  parallel_for(run, "counting correct answers", teams.size(), grain,
               [&](std::uint64_t begin, std::uint64_t end, int) {
                 const CountingPlan plan(partitions, pool.one_rival, teams, begin, end,
                                         pool.correct);
                 PartitionMasks masks(partitions);
                 for (std::size_t block = 0; block < rows.block_count(); ++block) {
                   count_block(rows, block, partitions, plan, teams, masks, right);
                 }
               });
}

}  // namespace hqe
