// SPDX-License-Identifier: MIT
#include "hqe/base/random.h"

#include <bit>
#include <cassert>
#include <cmath>

#include "hqe/base/elementary.h"

namespace hqe {
namespace {

std::uint64_t split_mix(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

}  // namespace

Random::Random(std::uint64_t seed, std::uint64_t stream) {
  std::uint64_t stream_state = stream;
  std::uint64_t state = seed ^ split_mix(stream_state);
  for (std::uint64_t& word : state_) word = split_mix(state);
}

std::uint64_t Random::bits() {
  const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const std::uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

std::uint64_t Random::below(std::uint64_t bound) {
  assert(bound > 0);
  // Numbers below 2^64 mod bound would make the first remainders more likely.
  const std::uint64_t rejected = (0 - bound) % bound;
  while (true) {
    const std::uint64_t value = bits();
    if (value >= rejected) return value % bound;
  }
}

double Random::unit() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }

double Random::normal() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_normal_;
  }
  while (true) {
    const double u = 2 * unit() - 1;
    const double v = 2 * unit() - 1;
    const double s = u * u + v * v;
    if (s >= 1 || s == 0) continue;
    const double factor = std::sqrt(-2 * portable_log(s) / s);
    spare_normal_ = v * factor;
    has_spare_ = true;
    return u * factor;
  }
}

}  // namespace hqe
