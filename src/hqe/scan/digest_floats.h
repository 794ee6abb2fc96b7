// SPDX-License-Identifier: MIT
/// Reads what a digest keeps of a sample where all numbers are floats side by side, every model at
/// once. Private to scan/.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hqe/predictions/digest_part.h"

namespace hqe {

/// Reuses its memory: one a thread.
class FloatReader {
 public:
  explicit FloatReader(const Pool& pool);

  /// Reads a contested sample whose true class is at `truth` of those kept. False, and nothing is
  /// known, where numbers lie otherwise or something is to be said of a row.
  [[nodiscard]] bool read(const DigestPart& part, const DigestPlace& place, std::size_t truth);

  /// Of the sample read last, as places among the classes kept: what a model predicts, and
  /// whether a class is a rival.
  [[nodiscard]] std::size_t predicted(std::size_t model) const {
    return static_cast<std::size_t>(predicted_[model]);
  }
  [[nodiscard]] bool is_rival(std::size_t k) const { return rivals_[k] != 0; }

 private:
  void compare(const float* row, std::int32_t k, std::int32_t truth);

  std::size_t models_ = 0;  ///< 0: the models of the pool are not those of the digest.
  int model_count_;
  std::vector<float> own_, reached_, best_;  ///< Of each model: see read_row() of digest_scan.cpp.
  std::vector<std::int32_t> predicted_;
  std::vector<char> rivals_;
};

}  // namespace hqe
