// SPDX-License-Identifier: MIT
#include <cstring>

#include "bench/scenarios.h"

namespace hqe::bench {
namespace {

/// Several sums side by side, so that the adds do not wait for each other.
float sum_words(const std::byte* data, std::uint64_t begin, std::uint64_t end) {
  constexpr int lanes = 64;
  float sums[lanes] = {};
  std::uint64_t at = begin;
  for (; at + lanes * sizeof(float) <= end; at += lanes * sizeof(float)) {
    float values[lanes];
    std::memcpy(values, data + at, sizeof values);
    for (int lane = 0; lane < lanes; ++lane) sums[lane] += values[lane];
  }
  float sum = 0;
  for (const float lane : sums) sum += lane;
  return sum;
}

}  // namespace

Figures plain_sum(const Settings& settings) {
  const Pool pool = open_pool({.folder = settings.folder});
  const Run run = settings.run();
  std::vector<float> sums(static_cast<std::size_t>(run.thread_count()));
  double bytes = 0;
  const double seconds = median_seconds(1, [&] {
    for (const Model& model : pool.models) {
      const Array& array = model.predictions;
      const auto size = static_cast<std::uint64_t>(array.rows()) *
                        static_cast<std::uint64_t>(array.columns()) * size_of(array.dtype);
      bytes += static_cast<double>(size);
      parallel_for(run, "summing", size, 1 << 22,
                   [&](std::uint64_t begin, std::uint64_t end, int worker) {
                     sums[static_cast<std::size_t>(worker)] += sum_words(array.data, begin, end);
                   });
    }
  });
  float sum = 0;
  for (const float one : sums) sum += one;
  return {{"seconds", seconds}, {"bytes", bytes}, {"sum", sum}};
}

}  // namespace hqe::bench
