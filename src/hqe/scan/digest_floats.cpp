// SPDX-License-Identifier: MIT
#include "hqe/scan/digest_floats.h"

#include <algorithm>

#include "hqe/scan/rival_threshold.h"

namespace hqe {
namespace {

/// Wider than any kind of number needs: digests are made of rows that passed.
bool are_probabilities(std::span<const float> values) {
  int is_good = 1;
  for (const float value : values) is_good &= (value >= 0 ? 1 : 0) & (value <= 1.01f ? 1 : 0);
  return is_good != 0;
}

}  // namespace

FloatReader::FloatReader(const Pool& pool) : model_count_(pool.model_count()) {
  if (pool.kind != Kind::probabilities) return;
  for (std::size_t m = 0; m < pool.models.size(); ++m) {
    if (pool.models[m].column != m) return;
  }
  models_ = pool.models.size();
  own_.resize(models_);
  reached_.resize(models_);
  best_.resize(models_);
  predicted_.resize(models_);
}

bool FloatReader::read(const DigestPart& part, const DigestPlace& place, std::size_t truth) {
  const float* const rows = part.floats(place, 0);
  if (rows == nullptr || models_ == 0 ||
      models_ != static_cast<std::size_t>(part.shape().model_count) || part.keeps_all(place) ||
      part.columns().rounded.rows() > 0) {
    return false;
  }
  const auto kept = static_cast<std::size_t>(place.kept);
  const std::span<const float> extras = part.extra_floats(place);
  if (extras.empty() && place.extras_end > place.extras) return false;
  if (!are_probabilities({rows, kept * models_}) || !are_probabilities(extras)) return false;
  rivals_.assign(kept, 0);
  for (std::size_t m = 0; m < models_; ++m) {
    own_[m] = rows[truth * models_ + m];
    reached_[m] = rival_threshold(own_[m], false, model_count_);
  }
  // The true class stays where it is the largest, and of equal ones the lowest.
  std::ranges::copy(own_, best_.begin());
  std::ranges::fill(predicted_, static_cast<std::int32_t>(truth));
  for (std::size_t k = 0; k < kept; ++k) {
    if (k == truth) continue;
    compare(rows + k * models_, static_cast<std::int32_t>(k), static_cast<std::int32_t>(truth));
  }
  return true;
}

// Without a branch that depends on numbers: nobody could foretell it.
void FloatReader::compare(const float* row, std::int32_t k, std::int32_t truth) {
  int is_rival = 0;
  for (std::size_t m = 0; m < models_; ++m) {
    is_rival |= row[m] >= reached_[m] ? 1 : 0;
    // A class below the true one also wins with as much as that has, unless that is nothing; the
    // classes between them come later.
    const bool ties = k < truth && row[m] == best_[m] && predicted_[m] == truth && row[m] > 0;
    const bool wins = row[m] > best_[m] || ties;
    best_[m] = wins ? row[m] : best_[m];
    predicted_[m] = wins ? k : predicted_[m];
  }
  rivals_[static_cast<std::size_t>(k)] = static_cast<char>(is_rival);
}

}  // namespace hqe
