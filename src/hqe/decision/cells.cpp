// SPDX-License-Identifier: MIT
#include "hqe/decision/cells.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "hqe/base/random.h"
#include "hqe/bits/count.h"

namespace hqe {
namespace {

/// Streams of the seed below this belong to others.
constexpr std::uint64_t first_stream = std::uint64_t{1} << 34;
constexpr std::uint64_t stream_of_halves = std::uint64_t{1} << 33;

/// Deals samples one by one: each in turn takes one of the places that are left.
class Dealer {
 public:
  Dealer(std::uint64_t samples, std::uint64_t seed, std::uint64_t stream)
      : random_(seed, first_stream + stream), remaining_(samples) {
    for (std::size_t cell = 0; cell < cell_count; ++cell) {
      left_[cell] = samples / cell_count + (cell < samples % cell_count ? 1 : 0);
    }
  }

  [[nodiscard]] const PerCell<std::uint64_t>& left() const { return left_; }
  std::size_t deal() {
    std::uint64_t place = random_.below(remaining_--);
    std::size_t cell = 0;
    while (place >= left_[cell]) place -= left_[cell++];
    --left_[cell];
    return cell;
  }

 private:
  Random random_;
  std::uint64_t remaining_;
  PerCell<std::uint64_t> left_{};
};

}  // namespace

std::vector<CellSet> random_halves(std::uint64_t seed, int count) {
  Random random(seed, stream_of_halves);
  std::vector<CellSet> halves;
  for (int i = 0; i < count; ++i) {
    PerCell<std::size_t> order{};
    std::iota(order.begin(), order.end(), std::size_t{0});
    CellSet half = 0;
    for (std::size_t place = 0; place < cell_count / 2; ++place) {
      std::swap(order[place], order[place + random.below(cell_count - place)]);
      half |= CellSet{1} << order[place];
    }
    halves.push_back(half);
  }
  return halves;
}

std::vector<std::uint8_t> deal_into_cells(std::uint64_t count, std::uint64_t seed) {
  Dealer dealer(count, seed, 0);
  std::vector<std::uint8_t> cells(count);
  for (std::uint8_t& cell : cells) cell = static_cast<std::uint8_t>(dealer.deal());
  return cells;
}

Cells::Cells(const Contests& contests, std::uint64_t seed, std::uint64_t stream) {
  Dealer dealer(contests.summary().samples, seed, stream);
  samples_ = dealer.left();
  patterns_.reserve(contests.weights().size());
  for (const std::uint32_t weight : contests.weights()) {
    PerCell<std::uint32_t>& pattern = patterns_.emplace_back();
    for (std::uint32_t i = 0; i < weight; ++i) ++pattern[dealer.deal()];
  }
  always_right_ = dealer.left();
  make_planes();
}

void Cells::make_planes() {
  const std::size_t words = (patterns_.size() + 63) / 64;
  only_cell_.reserve(patterns_.size());
  for (std::size_t pattern = 0; pattern < patterns_.size(); ++pattern) {
    std::uint64_t weight = 0;
    std::size_t last = cell_count;
    for (std::size_t cell = 0; cell < cell_count; ++cell) {
      const std::uint32_t samples = patterns_[pattern][cell];
      if (samples == 0) continue;
      weight += samples;
      last = cell;
      Planes& planes = planes_[cell];
      while (planes.size() < static_cast<std::size_t>(std::bit_width(samples))) {
        planes.emplace_back(words, 0);
      }
      for (std::uint32_t rest = samples; rest != 0; rest &= rest - 1) {
        planes[static_cast<std::size_t>(std::countr_zero(rest))][pattern / 64] |= std::uint64_t{1}
                                                                                  << (pattern % 64);
      }
    }
    only_cell_.push_back(static_cast<std::uint8_t>(weight == 1 ? last : cell_count));
  }
}

PerCell<std::uint64_t> Cells::count(std::span<const std::uint64_t> right) const {
  PerCell<std::uint64_t> counts = always_right_;
  for (std::size_t cell = 0; cell < cell_count; ++cell) {
    for (std::size_t plane = 0; plane < planes_[cell].size(); ++plane) {
      counts[cell] += count_and(right, planes_[cell][plane]) << plane;
    }
  }
  return counts;
}

PerCell<std::uint64_t> Cells::sum(std::span<const std::uint32_t> values) const {
  // One more place than there are cells: patterns of several samples fall there, and are added by
  // themselves.
  std::array<std::uint64_t, cell_count + 1> sums{};
  for (std::size_t pattern = 0; pattern < values.size(); ++pattern) {
    sums[only_cell_[pattern]] += values[pattern];
    if (only_cell_[pattern] != cell_count) continue;
    for (std::size_t cell = 0; cell < cell_count; ++cell) {
      sums[cell] += std::uint64_t{values[pattern]} * patterns_[pattern][cell];
    }
  }
  PerCell<std::uint64_t> result{};
  std::copy_n(sums.begin(), cell_count, result.begin());
  return result;
}

}  // namespace hqe
