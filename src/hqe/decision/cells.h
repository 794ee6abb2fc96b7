// SPDX-License-Identifier: MIT
/// The samples of a pool dealt into cells. Half of the cells is half of the samples: what a rule
/// chooses there can be judged on the other half, again and again, without reading anything twice.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hqe/evaluation/contests.h"

namespace hqe {

inline constexpr std::size_t cell_count = 16;

template <class T>
using PerCell = std::array<T, cell_count>;

/// Which cells make a half: bit c for cell c.
using CellSet = std::uint32_t;
inline constexpr CellSet all_cells = (CellSet{1} << cell_count) - 1;

/// The sum over the cells of a set, in their order.
template <class T>
[[nodiscard]] T sum_over(const PerCell<T>& values, CellSet cells) {
  T sum{};
  for (std::size_t cell = 0; cell < cell_count; ++cell) {
    if ((cells >> cell & 1) != 0) sum += values[cell];
  }
  return sum;
}

/// Random halves: each set has half of the cells. Deterministic in the seed.
[[nodiscard]] std::vector<CellSet> random_halves(std::uint64_t seed, int count);

/// The cell of each of `count` samples, dealt at random so that no cell has two more than another.
[[nodiscard]] std::vector<std::uint8_t> deal_into_cells(std::uint64_t count, std::uint64_t seed);

/// The samples of `contests`, dealt at random so that no cell has two more than another. Samples
/// that share a pattern are alike to every team, so only their numbers are kept.
class Cells {
 public:
  Cells(const Contests& contests, std::uint64_t seed, std::uint64_t stream);

  [[nodiscard]] const PerCell<std::uint64_t>& samples() const { return samples_; }
  /// Those that every team gets right.
  [[nodiscard]] const PerCell<std::uint64_t>& always_right() const { return always_right_; }
  /// A pattern's samples.
  [[nodiscard]] const PerCell<std::uint32_t>& of(std::size_t pattern) const {
    return patterns_[pattern];
  }
  /// How many samples of each cell have a pattern whose bit is set, or are always right.
  [[nodiscard]] PerCell<std::uint64_t> count(std::span<const std::uint64_t> right) const;
  /// The sum over the samples of each cell of their patterns' values.
  [[nodiscard]] PerCell<std::uint64_t> sum(std::span<const std::uint32_t> values) const;

 private:
  /// Of one cell: bit p of plane k is bit k of the number of samples that pattern p has there.
  using Planes = std::vector<std::vector<std::uint64_t>>;
  void make_planes();

  PerCell<std::uint64_t> samples_{}, always_right_{};
  std::vector<PerCell<std::uint32_t>> patterns_;
  std::vector<std::uint8_t> only_cell_;  ///< Of a pattern of one sample; else cell_count.
  PerCell<Planes> planes_;
};

}  // namespace hqe
