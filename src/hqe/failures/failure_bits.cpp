// SPDX-License-Identifier: MIT
#include "hqe/failures/failure_bits.h"

#include <atomic>
#include <bit>

#include "hqe/bits/count.h"

namespace hqe {

void FailureBits::start(const Pool& pool, int /*worker_count*/) {
  sample_count_ = pool.sample_count;
  words_ = static_cast<std::size_t>((sample_count_ + 63) / 64);
  bits_.assign(words_ * static_cast<std::size_t>(pool.model_count()), 0);
}

void FailureBits::consume(const Block& block, int /*worker*/) {
  const auto count = static_cast<std::size_t>(block.count);
  const std::size_t shift = block.first % 64;
  std::vector<std::uint64_t> fails((count + 63) / 64);
  for (int m = 0; m < block.pool->model_count(); ++m) {
    differing_bits(block.predicted.subspan(static_cast<std::size_t>(m) * count, count), block.truth,
                   fails.data());
    std::uint64_t* row = bits_.data() + static_cast<std::size_t>(m) * words_ + block.first / 64;
    // A block may end inside a word that another worker's block begins in.
    const auto add = [](std::uint64_t& word, std::uint64_t bits) {
      if (bits != 0) std::atomic_ref(word).fetch_or(bits, std::memory_order_relaxed);
    };
    for (std::size_t w = 0; w < fails.size(); ++w) {
      add(row[w], fails[w] << shift);
      if (shift != 0 && fails[w] >> (64 - shift) != 0) add(row[w + 1], fails[w] >> (64 - shift));
    }
  }
}

void FailureBits::finish() {}

std::span<const std::uint64_t> FailureBits::row(ModelId model) const {
  return std::span(bits_).subspan(model * words_, words_);
}

std::vector<std::uint64_t> FailureBits::histogram(TeamView team) const {
  std::vector<std::uint64_t> result(team.size() + 1);
  const auto planes = static_cast<std::size_t>(std::bit_width(team.size()));
  std::vector<std::uint64_t> number(planes);  // 64 counters at once, a bit of each a plane
  for (std::size_t w = 0; w < words_; ++w) {
    number.assign(planes, 0);
    std::uint64_t anybody = 0;
    for (const ModelId member : team) {
      std::uint64_t carry = bits_[member * words_ + w];
      anybody |= carry;
      for (std::size_t p = 0; carry != 0; ++p) {
        const std::uint64_t both = number[p] & carry;
        number[p] ^= carry;
        carry = both;
      }
    }
    for (std::size_t k = 1; k <= team.size(); ++k) {
      std::uint64_t equal = anybody;
      for (std::size_t p = 0; p < planes; ++p) equal &= (k >> p & 1) != 0 ? number[p] : ~number[p];
      result[k] += static_cast<std::uint64_t>(std::popcount(equal));
    }
  }
  result[0] = sample_count_;
  for (std::size_t k = 1; k <= team.size(); ++k) result[0] -= result[k];
  return result;
}

}  // namespace hqe
