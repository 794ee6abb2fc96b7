// SPDX-License-Identifier: MIT
/// The inner loops over blocks of bits, on the active SIMD target. Private to agreement/.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "hqe/agreement/agreement_rows.h"
#include "hqe/agreement/counting_plan.h"
#include "hqe/agreement/partitions.h"

namespace hqe {

/// The rows of one block, in the order of AgreementRows, from its votes: [model][bit]. Who votes
/// like whom only `with_pairs`.
void write_agreement_rows(const std::int16_t* votes, std::size_t model_count, bool with_pairs,
                          std::uint64_t* rows);

/// Where each partition of some first members holds, kept from one list of members to the next.
class PartitionMasks {
 public:
  explicit PartitionMasks(const Partitions& partitions);

  /// One mask a slot of so many members, the open partitions first.
  [[nodiscard]] std::uint64_t* of(int members) {
    return masks_.data() + starts_[static_cast<std::size_t>(members)];
  }
  /// Where so many members have decided already that the team is right.
  [[nodiscard]] std::uint64_t* sure(int members) {
    return masks_.data() + starts_[static_cast<std::size_t>(members) + 1] -
           AgreementRows::block_words;
  }

 private:
  std::vector<std::size_t> starts_;
  CacheLineVector<std::uint64_t> masks_;
};

/// Adds to right[i] the samples of one block that teams[i] is right on, for every team of the plan.
/// Deterministic for every target.
void count_block(const AgreementRows& rows, std::size_t block, const Partitions& partitions,
                 const CountingPlan& plan, const TeamList& teams, PartitionMasks& masks,
                 std::span<std::uint64_t> right);

}  // namespace hqe
