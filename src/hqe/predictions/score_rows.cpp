// SPDX-License-Identifier: MIT
#include "hqe/predictions/score_rows.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace hqe {
namespace {

/// A class is a rival where its score is at least this.
double rival_threshold(std::span<const double> row, std::int32_t truth, Kind kind,
                       int model_count) {
  const double own = row[static_cast<std::size_t>(truth)];
  if (kind == Kind::probabilities) {
    if (own == 0) return std::numeric_limits<double>::denorm_min();
    return own * (1 - model_count * 0x1p-49);
  }
  const double largest = *std::max_element(row.begin(), row.end());
  if (own - largest < -680) return largest - 746;
  return own - (model_count * 0x1p-48 + 0x1p-41);
}

}  // namespace

void RivalMarks::reset(std::size_t samples, int class_count) {
  words_ = (static_cast<std::size_t>(class_count) + 63) / 64;
  bits_.assign(samples * words_, 0);
  touched_.assign(samples, 0);
}

void RivalMarks::append_to(std::vector<std::int32_t>& rivals,
                           std::vector<std::uint32_t>& rival_begin,
                           std::span<const std::int32_t> truth) const {
  for (std::size_t sample = 0; sample < truth.size(); ++sample) {
    if (touched_[sample] != 0) {
      for (std::size_t word = 0; word < words_; ++word) {
        for (std::uint64_t bits = bits_[sample * words_ + word]; bits != 0; bits &= bits - 1) {
          const auto label = static_cast<std::int32_t>(word * 64) + std::countr_zero(bits);
          if (label != truth[sample]) rivals.push_back(label);
        }
      }
    }
    rival_begin.push_back(static_cast<std::uint32_t>(rivals.size()));
  }
}

std::size_t samples_a_run(int class_count) {
  constexpr std::size_t mark_bits = std::size_t{1} << 18;
  return std::clamp<std::size_t>(mark_bits / static_cast<std::size_t>(class_count), 1, 64);
}

void judge_rows(const ScoreRows& rows, std::span<std::int32_t> predicted, RivalMarks& marks,
                std::vector<std::uint32_t>& doubtful, ScoreScratch& scratch) {
  scratch.row.resize(static_cast<std::size_t>(rows.array->columns()));
  for (std::size_t i = 0; i < rows.truth.size(); ++i) {
    read_row(*rows.array, static_cast<std::int64_t>(rows.first + i), scratch.row);
    const double threshold =
        rival_threshold(scratch.row, rows.truth[i], rows.kind, rows.model_count);
    std::size_t best = 0;
    for (std::size_t label = 0; label < scratch.row.size(); ++label) {
      if (scratch.row[label] > scratch.row[best]) best = label;
      if (scratch.row[label] >= threshold)
        marks.of(i)[label / 64] |= std::uint64_t{1} << (label % 64);
    }
    predicted[i] = static_cast<std::int32_t>(best);
    marks.touch(i);
    doubtful.push_back(static_cast<std::uint32_t>(i));
  }
}

}  // namespace hqe
