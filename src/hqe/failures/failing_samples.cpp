// SPDX-License-Identifier: MIT
#include "hqe/failures/failing_samples.h"

#include <algorithm>
#include <array>
#include <bit>

namespace hqe {
namespace {

/// Moves the bits of a word that a mask selects to its low end (Hacker's Delight, 7-4). The masks
/// of the six moves depend on the selection alone, so one of them serves all models.
class Compressor {
 public:
  explicit Compressor(std::uint64_t selected) : selected_(selected) {
    std::uint64_t zeros_to_the_right = ~selected << 1;
    std::uint64_t rest = selected;
    for (int step = 0; step < 6; ++step) {
      std::uint64_t parity = zeros_to_the_right;
      for (int shift = 1; shift < 64; shift *= 2) parity ^= parity << shift;
      moved_[step] = parity & rest;
      rest = (rest ^ moved_[step]) | (moved_[step] >> (1 << step));
      zeros_to_the_right &= ~parity;
    }
  }

  [[nodiscard]] std::uint64_t operator()(std::uint64_t word) const {
    word &= selected_;
    for (int step = 0; step < 6; ++step) {
      const std::uint64_t moving = word & moved_[step];
      word = (word ^ moving) | (moving >> (1 << step));
    }
    return word;
  }

 private:
  std::uint64_t selected_;
  std::array<std::uint64_t, 6> moved_{};
};

// 31 words are as many as the byte counters of the kernels take in one go.
std::size_t capacity_in_words(std::size_t pitch, std::uint64_t sample_count) {
  constexpr std::size_t wanted_bytes = std::size_t{256} << 10;
  const std::size_t words = std::clamp<std::size_t>(wanted_bytes / (pitch * 8 * 31), 1, 32) * 31;
  // Room for 64 more samples is asked for before each word, so the last one counts twice.
  return static_cast<std::size_t>(std::min<std::uint64_t>(words, sample_count / 64 + 2));
}

}  // namespace

FailingSamples::FailingSamples(int model_count, std::uint64_t sample_count, bool with_labels)
    : model_count_(model_count),
      pitch_((static_cast<std::size_t>(model_count) + 7) / 8 * 8),
      capacity_(capacity_in_words(pitch_, sample_count) * 64),
      bits_(capacity_ / 64 * pitch_ + BitColumns::column_slack),
      labels_(with_labels ? capacity_ * static_cast<std::size_t>(model_count) : 0) {}

void FailingSamples::clear() {
  std::fill_n(bits_.begin(), words() * pitch_, 0);
  size_ = 0;
  has_abstentions_ = false;
}

void FailingSamples::copy_column(int model, std::span<std::uint64_t> out) const {
  const std::uint64_t* word = bits_.data() + model;
  for (std::uint64_t& copy : out) {
    copy = *word;
    word += pitch_;
  }
}

void FailingSamples::find_failures(const Block& block) {
  const auto count = static_cast<std::size_t>(block.count);
  const std::size_t word_count = (count + 63) / 64;
  block_bits_.resize(word_count * pitch_);
  anybody_.assign(word_count, 0);
  for (int m = 0; m < model_count_; ++m) {
    differing_bits(block.predicted.subspan(static_cast<std::size_t>(m) * count, count), block.truth,
                   block_bits_.data() + m, pitch_);
  }
  for (std::size_t w = 0; w < word_count; ++w) {
    for (int m = 0; m < model_count_; ++m) {
      anybody_[w] |= block_bits_[w * pitch_ + static_cast<std::size_t>(m)];
    }
  }
}

void FailingSamples::append(const Block& block, std::size_t word) {
  const std::uint64_t selected = anybody_[word];
  const Compressor compress(selected);
  const auto appended = static_cast<std::size_t>(std::popcount(selected));
  const std::size_t shift = size_ % 64;
  const std::uint64_t* from = block_bits_.data() + word * pitch_;
  std::uint64_t* to = bits_.data() + size_ / 64 * pitch_;
  for (int m = 0; m < model_count_; ++m) to[m] |= compress(from[m]) << shift;
  if (shift + appended > 64) {
    for (int m = 0; m < model_count_; ++m) to[pitch_ + m] |= compress(from[m]) >> (64 - shift);
  }

  if (!labels_.empty()) {
    std::array<std::uint32_t, 64> samples;
    std::size_t chosen = 0;
    for (std::uint64_t rest = selected; rest != 0; rest &= rest - 1) {
      samples[chosen++] = static_cast<std::uint32_t>(word * 64) +
                          static_cast<std::uint32_t>(std::countr_zero(rest));
    }
    std::int32_t lowest = 0;
    for (int m = 0; m < model_count_; ++m) {
      const std::int32_t* predicted =
          block.predicted.data() +
          static_cast<std::size_t>(m) * static_cast<std::size_t>(block.count);
      std::int32_t* labels = labels_.data() + static_cast<std::size_t>(m) * capacity_ + size_;
      for (std::size_t i = 0; i < chosen; ++i) {
        labels[i] = predicted[samples[i]];
        lowest = std::min(lowest, labels[i]);
      }
    }
    has_abstentions_ = has_abstentions_ || lowest < 0;
  }
  size_ += appended;
}

}  // namespace hqe
