// SPDX-License-Identifier: MIT
/// Random numbers that are the same on every platform and for every standard library.

#pragma once

#include <array>
#include <cstdint>

namespace hqe {

/// xoshiro256** (Blackman and Vigna 2018), seeded through SplitMix64.
class Random {
 public:
  /// Different `stream`s of one seed are independent for all practical purposes.
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0);

  /// 64 random bits.
  std::uint64_t bits();

  /// Uniform in [0, bound), without bias. Requires: bound > 0.
  std::uint64_t below(std::uint64_t bound);

  /// Uniform in [0, 1), a multiple of 2^-53.
  double unit();

  /// Standard normal (polar method with our own logarithm: the same bits everywhere).
  double normal();

 private:
  std::array<std::uint64_t, 4> state_;
  double spare_normal_ = 0;
  bool has_spare_ = false;
};

}  // namespace hqe
