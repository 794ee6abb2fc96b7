// SPDX-License-Identifier: MIT
/// Which classes of a contested sample some team's answer can depend on, and which are shown.
/// Private to digest/.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hqe {

/// What all models give the classes of one sample.
struct SampleScores {
  std::size_t models = 0, classes = 0;
  std::vector<double> scores;  ///< Model after model.

  [[nodiscard]] std::span<const double> of(std::size_t model) const {
    return std::span(scores).subspan(model * classes, classes);
  }
  [[nodiscard]] std::span<double> of(std::size_t model) {
    return std::span(scores).subspan(model * classes, classes);
  }
};

/// What all models give the true class of a sample and its rivals: a row of one number a model for
/// the true class, then one for each rival.
struct RivalRows {
  std::size_t models = 0;
  std::span<const double> scores;

  [[nodiscard]] std::span<const double> of(std::size_t row) const {
    return scores.subspan(row * models, models);
  }
};

/// Finds the true class and those of its rivals that can win for some team and some weights that
/// are not negative. Each rival left out has another one, kept, that is at or above it for every
/// team: by rounding, too, and where they tie it is the lower class or both have nothing
/// (docs/decisions/0016-digests.md). Has memory of its own, used again for every sample.
class DecidingClasses {
 public:
  /// `given` are the numbers of the pool and `shares` what votes make of them, which logits are
  /// not; where they are the same memory, it is looked at once. Requires: `rivals` ascend.
  void find(const RivalRows& given, const RivalRows& shares, std::int32_t truth,
            std::span<const std::int32_t> rivals);

  /// Ascending.
  [[nodiscard]] const std::vector<std::int32_t>& labels() const { return labels_; }
  /// Where the rows of each are.
  [[nodiscard]] const std::vector<std::size_t>& rows() const { return rows_; }

 private:
  struct Rival {
    std::size_t row = 0;
    double strength = 0;
  };
  std::vector<Rival> order_;
  std::vector<std::size_t> rows_;
  std::vector<std::int32_t> labels_;
};

/// At most three classes.
struct FewClasses {
  std::array<std::int32_t, 3> labels{};
  std::size_t count = 0;

  [[nodiscard]] const std::int32_t* begin() const { return labels.data(); }
  [[nodiscard]] const std::int32_t* end() const { return labels.data() + count; }
};

/// A model's three likeliest classes, of equal ones the lower.
[[nodiscard]] FewClasses likeliest_classes(std::span<const double> shares);

}  // namespace hqe
