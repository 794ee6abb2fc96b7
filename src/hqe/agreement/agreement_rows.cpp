// SPDX-License-Identifier: MIT
#include "hqe/agreement/agreement_rows.h"

#include <algorithm>
#include <array>
#include <bit>
#include <span>

#include "hqe/agreement/agreement_kernel.h"

namespace hqe {
namespace {

constexpr std::size_t binary_digits = 32;

/// The patterns whose number of samples has each binary digit.
std::array<std::vector<std::uint32_t>, binary_digits> patterns_by_digit(
    const PluralityVotes& pool) {
  std::array<std::vector<std::uint32_t>, binary_digits> result;
  for (std::size_t pattern = 0; pattern < pool.weights.size(); ++pattern) {
    for (std::uint32_t left = pool.weights[pattern]; left != 0; left &= left - 1) {
      result[static_cast<std::size_t>(std::countr_zero(left))].push_back(
          static_cast<std::uint32_t>(pattern));
    }
  }
  return result;
}

/// The votes of some patterns side by side, model after model; bits without a pattern do not vote.
void gather(const PluralityVotes& pool, std::span<const std::uint32_t> patterns,
            CacheLineVector<std::int16_t>& gathered) {
  const auto models = static_cast<std::size_t>(pool.model_count);
  gathered.assign(models * AgreementRows::block_bits, VoteTable::not_voting);
  for (std::size_t model = 0; model < models; ++model) {
    const std::int16_t* const from = pool.table.of(model);
    std::int16_t* const to = gathered.data() + model * AgreementRows::block_bits;
    for (std::size_t i = 0; i < patterns.size(); ++i) to[i] = from[patterns[i]];
  }
}

}  // namespace

std::size_t AgreementRows::blocks_of(const PluralityVotes& pool) {
  std::array<std::size_t, binary_digits> counts{};
  for (const std::uint32_t weight : pool.weights) {
    for (std::uint32_t left = weight; left != 0; left &= left - 1) {
      ++counts[static_cast<std::size_t>(std::countr_zero(left))];
    }
  }
  std::size_t blocks = 0;
  for (const std::size_t count : counts) blocks += (count + block_bits - 1) / block_bits;
  return blocks;
}

std::size_t AgreementRows::rows_of(const PluralityVotes& pool) {
  const auto models = static_cast<std::size_t>(pool.model_count);
  return 2 * models + (pool.one_rival ? 0 : models * (models - 1) / 2);
}

AgreementRows::AgreementRows(const PluralityVotes& pool, const Run& run)
    : model_count_(static_cast<std::size_t>(pool.model_count)),
      one_rival_(pool.one_rival),
      rows_(rows_of(pool)) {
  const auto by_digit = patterns_by_digit(pool);
  std::vector<std::span<const std::uint32_t>> blocks;
  for (std::size_t digit = 0; digit < binary_digits; ++digit) {
    std::span<const std::uint32_t> left = by_digit[digit];
    while (!left.empty()) {
      const std::size_t some = std::min(left.size(), block_bits);
      blocks.push_back(left.first(some));
      shifts_.push_back(static_cast<int>(digit));
      left = left.subspan(some);
    }
  }
  bits_.resize(blocks.size() * rows_ * block_words);
  parallel_for(run, "preparing votes", blocks.size(), 1,
               [&](std::uint64_t begin, std::uint64_t end, int) {
                 CacheLineVector<std::int16_t> gathered;
                 for (std::size_t block = begin; block < end; ++block) {
                   gather(pool, blocks[block], gathered);
                   write_agreement_rows(gathered.data(), model_count_, !one_rival_,
                                        bits_.data() + block * rows_ * block_words);
                 }
               });
}

}  // namespace hqe
