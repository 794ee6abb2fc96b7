// SPDX-License-Identifier: MIT
/// The inner loop of the scan: one model's rows of scores, each surveyed in one fast pass over its
/// bytes. Private to scan/.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hqe/predictions/pool.h"
#include "hqe/scan/score_kernel.h"

namespace hqe {

/// The rivals of a few samples, one bit a class.
class RivalMarks {
 public:
  void reset(std::size_t samples, int class_count);

  /// Where the kernels put marks: bit k % 64 of word k / 64 of a sample's words for class k. The
  /// true class may be marked like a rival.
  [[nodiscard]] KernelFindings findings();

  /// Appends each sample's marked classes but the true one, ascending, and where they end.
  void append_to(std::vector<std::int32_t>& rivals, std::vector<std::uint32_t>& rival_begin,
                 std::span<const std::int32_t> truth) const;

 private:
  std::size_t words_ = 0;
  std::vector<std::uint64_t> bits_;
  std::vector<char> touched_;
};

/// One model's predictions for consecutive samples.
struct ScoreRows {
  const Array* array = nullptr;
  Kind kind = Kind::probabilities;
  int model_count = 0;  ///< Of the pool: rivals are wider in larger ones.
  std::uint64_t first = 0;
  std::span<const std::int32_t> truth;
  std::span<std::int32_t> likeliest{};  ///< As Block has them; empty: they are not wanted.
};

/// Memory that survey_rows() reuses.
struct ScoreScratch {
  std::vector<float> floats, float_groups;
  std::vector<double> doubles, double_groups;
  std::vector<char> doubtful;
};

/// How many samples to survey at a time, so that RivalMarks stay small.
[[nodiscard]] std::size_t samples_a_run(int class_count);

/// Finds each row's predicted label and marks its rivals (scan.h). Rows that may hold a fault are
/// added to `doubtful` by their place in the run, ascending; find_row_fault() decides them. Results
/// of rows with a fault mean nothing.
void survey_rows(const ScoreRows& rows, std::span<std::int32_t> predicted, RivalMarks& marks,
                 std::vector<std::uint32_t>& doubtful, ScoreScratch& scratch);

/// as_share() of a row's numbers, where they are floats that kernels can read where they lie;
/// false, and nothing is done, where they are not.
[[nodiscard]] bool read_ready_shares(const Array& array, std::int64_t row, std::span<double> out);

}  // namespace hqe
