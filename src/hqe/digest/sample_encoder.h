// SPDX-License-Identifier: MIT
/// What a digest keeps of one sample of a score pool. Private to digest/.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hqe/digest/contested.h"
#include "hqe/digest/layout.h"
#include "hqe/digest/tensors.h"
#include "hqe/predictions/pool.h"

namespace hqe {

/// Bytes of what every model gives one class. Requires: has_scores(kind).
[[nodiscard]] std::uint64_t row_width(const Pool& pool);

/// The likeliest classes of one sample, as the scan found them; of logits there are none.
struct LikelyOfSample {
  std::span<const std::int32_t> of_block;  ///< Block::likeliest.
  std::size_t count = 0;                   ///< Samples of the block.
  std::size_t place = 0;                   ///< Of the sample in it.

  [[nodiscard]] FewClasses of(std::size_t model) const;
};

/// Takes one sample after the other, with memory of its own.
class SampleEncoder {
 public:
  /// Requires: a score pool; `types` and `layout` outlive the encoder.
  SampleEncoder(const Pool& pool, const TensorTypes& types, const DigestLayout& layout);

  /// Where the samples that follow lie, and where they go.
  void start(const Pool& pool, TensorBytes& bytes) {
    pool_ = &pool;
    bytes_ = &bytes;
  }

  /// Every class, and nothing that says so.
  void encode_all(std::uint64_t sample);

  /// What teams can depend on, given the rivals that the scan found. Requires: no complements,
  /// which are smaller with all classes.
  void encode(std::uint64_t sample, std::int32_t truth, std::span<const std::int32_t> rivals,
              const LikelyOfSample& likely);

 private:
  [[nodiscard]] DType type(DigestTensor tensor) const {
    return types_[static_cast<std::size_t>(tensor)].dtype;
  }
  [[nodiscard]] std::size_t width(DigestTensor tensor) const { return size_of(type(tensor)); }

  /// As the model has its numbers.
  [[nodiscard]] DType value_type(std::size_t model) const {
    return pool_->models[model].predictions.dtype;
  }

  /// Whether all logits take no more than the shares of the true class.
  [[nodiscard]] bool is_all_smaller() const {
    return pool_->kind == Kind::logits &&
           bytes_of_all() <= given_.models * width(DigestTensor::own);
  }
  [[nodiscard]] std::size_t bytes_of_all() const { return given_.classes * row_width_; }
  [[nodiscard]] std::size_t bytes_listed(std::size_t classes) const;

  /// All numbers of the sample, to given_.
  void read(std::uint64_t sample);
  /// Rows of the wanted classes.
  void take_wanted(const SampleScores& from, std::vector<double>& rows) const;
  void find_extras(std::uint64_t sample, const LikelyOfSample& likely);

  void encode_own(std::uint64_t sample, std::int32_t truth);
  void append_all(std::uint64_t sample);
  void append_count(std::size_t kept);
  /// A number a model, each as its model has it.
  void append_row(DigestTensor tensor, std::span<const double> row);
  void append_every_class();
  void append_two_classes();
  void append_kept();
  void append_listed();

  const Pool* pool_;
  const TensorTypes& types_;
  const DigestLayout& layout_;
  TensorBytes* bytes_ = nullptr;
  std::size_t row_width_;
  SampleScores given_;   ///< The numbers as they are, where all of a sample are read.
  SampleScores shares_;  ///< Of logits.
  std::vector<double> sums_, row_, some_;
  std::vector<std::int32_t> wanted_;             ///< The true class, then its rivals:
  std::vector<double> given_rows_, share_rows_;  ///< a row each, the latter of logits.
  DecidingClasses deciding_;
  std::vector<char> is_kept_;              ///< By class.
  std::vector<std::size_t> extra_counts_;  ///< Of each model, of those below.
  std::vector<std::int32_t> extra_labels_;
  std::vector<double> extra_values_;
};

}  // namespace hqe
