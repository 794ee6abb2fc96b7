// SPDX-License-Identifier: MIT
#include "hqe/synth/rows.h"

#include <algorithm>
#include <cstddef>

#include "hqe/base/elementary.h"
#include "hqe/base/random.h"

namespace hqe {
namespace {

/// Different places in the strip at which a row may start.
constexpr std::size_t strip_starts = 4096;

}  // namespace

RowWriter::RowWriter(const SynthOptions& options)
    : is_logits_(options.kind == Kind::logits),
      strip_(static_cast<std::size_t>(options.class_count) + strip_starts),
      strip_sum_(1, 0.0) {
  Random random(options.seed, ~std::uint64_t{0});
  strip_sum_.reserve(strip_.size() + 1);
  for (float& value : strip_) {
    const double logit = lowest_plausible_logit - 1 - 2 * random.unit();
    value = static_cast<float>(is_logits_ ? logit : portable_exp(logit));
    strip_sum_.push_back(strip_sum_.back() + static_cast<double>(value));
  }
}

void RowWriter::write(std::uint64_t number, int model, const Sample& sample,
                      const SyntheticOpinion& opinion, std::span<float> row) const {
  // Multipliers without meaning: neighbouring rows should not start at neighbouring places.
  const std::size_t start =
      (number * 2654435761u + static_cast<std::uint64_t>(model) * 40503u) % strip_starts;
  const float* const strip = strip_.data() + start;
  if (is_logits_) {
    std::copy_n(strip, row.size(), row.begin());
    row[static_cast<std::size_t>(sample.truth)] = static_cast<float>(opinion.truth);
    for (std::size_t i = 0; i < sample.lookalikes.size(); ++i) {
      row[static_cast<std::size_t>(sample.lookalikes[i])] =
          static_cast<float>(opinion.lookalikes[i]);
    }
    return;
  }
  double total = strip_sum_[start + row.size()] - strip_sum_[start];
  const auto replace = [&](std::int32_t label, double logit) {
    const auto place = static_cast<std::size_t>(label);
    total += portable_exp(logit) - static_cast<double>(strip[place]);
  };
  replace(sample.truth, opinion.truth);
  for (std::size_t i = 0; i < sample.lookalikes.size(); ++i) {
    replace(sample.lookalikes[i], opinion.lookalikes[i]);
  }
  const auto scale = static_cast<float>(1 / total);
  for (std::size_t label = 0; label < row.size(); ++label) row[label] = strip[label] * scale;
  row[static_cast<std::size_t>(sample.truth)] =
      static_cast<float>(portable_exp(opinion.truth) / total);
  for (std::size_t i = 0; i < sample.lookalikes.size(); ++i) {
    row[static_cast<std::size_t>(sample.lookalikes[i])] =
        static_cast<float>(portable_exp(opinion.lookalikes[i]) / total);
  }
}

std::int32_t label_of(const Sample& sample, const SyntheticOpinion& opinion) {
  if (opinion.abstains) return -1;
  if (opinion.truth > 0) return sample.truth;
  const auto best = std::max_element(opinion.lookalikes.begin(), opinion.lookalikes.end());
  return sample.lookalikes[static_cast<std::size_t>(best - opinion.lookalikes.begin())];
}

}  // namespace hqe
