// SPDX-License-Identifier: MIT
/// What teams can depend on of consecutive samples, and no more. Of a score pool that is: of a
/// sample that no team can lose, the true class alone; of a contested one the classes that can win
/// for some team, and each model's three likeliest. Of other pools the labels.

#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "hqe/predictions/pool.h"

namespace hqe {

/// The numbers of one part, as its file has them (docs/formats.md, "Digests"). What a part has none
/// of is an empty array. `model` and `class` below stand for as many columns or rows.
struct DigestColumns {
  Array truth;  ///< [sample]; none in a correctness pool.
  /// [sample][model]: what label and correctness pools hold. Bytes where DigestShape::stored says
  /// so.
  Array labels;
  /// [sample]: how many classes are kept: 1 is the true one, class_count all of them. No such
  /// array: all of every sample.
  Array kept;
  /// [sample that keeps 1][model]: what the true class has: of probabilities as given, of logits
  /// its softmax.
  Array own;
  Array classes;  ///< Of each sample that keeps some: these, ascending, the true class among them.
  /// [class of a sample that keeps some or all][model], as given. Where models have numbers of
  /// different types, `values` and `own` of probabilities are bytes: each number in its model's.
  Array values;
  Array sums;  ///< Logits: [sample that keeps some][model], what the softmax is divided by.
  /// [sample that keeps some][model]: how many of its three likeliest are not among those classes.
  Array extra_counts;
  Array extra_classes;  ///< Those, sample after sample and model after model ...
  Array extra_values;   ///< ... as given.
  Array rounded;        ///< [sample][model / 8]: bit model % 8 where a row sums to 1 by rounding.
};

/// How a digest has the numbers of one model.
struct StoredNumbers {
  DType dtype = DType::float32;
  bool alone = false;  ///< Of two classes class 1 alone; class 0 has what it leaves.

  [[nodiscard]] bool operator==(const StoredNumbers&) const = default;
};

struct DigestShape {
  Kind kind = Kind::labels;
  std::uint64_t sample_count = 0;
  int class_count = 0;
  int model_count = 0;
  std::vector<DType> types{};  ///< Of score pools: of each model's numbers.
  /// Probabilities of two classes as floats or doubles: `values` has a row a sample, class 1 alone,
  /// and class 0 has 1 - that, in the model's type.
  bool complements = false;
  /// Of each model, where `labels`, or with complements `values`, are bytes: each model's numbers
  /// one after the other. Empty: as `types` and the above have it, labels in columns.
  std::vector<StoredNumbers> stored{};
};

/// What a number of probabilities leaves to the other of two classes, in its type. Requires:
/// float32 or float64.
[[nodiscard]] inline double complement_of(double value, DType dtype) {
  return dtype == DType::float32 ? static_cast<double>(1.0f - static_cast<float>(value))
                                 : 1.0 - value;
}

/// What is kept of one sample, found.
struct DigestPlace {
  std::uint64_t own = 0;         ///< Where only the true class is kept: the row of `own`.
  std::uint64_t values = 0;      ///< Elsewhere: its first row of `values`,
  std::uint64_t classes = 0;     ///< its first class of `classes`,
  std::uint64_t listed = 0;      ///< its row of `sums` and `extra_counts`,
  std::uint64_t extras = 0;      ///< its first of `extra_classes`,
  std::uint64_t extras_end = 0;  ///< and where the next sample's begin.
  int kept = 1;
};

/// Invariant: every place that a sample leads to exists. Numbers that are classes are looked at
/// again where they are used, since a file can change. Thread safety: const members may be called
/// from several threads. Memory: 4 bytes a sample and 16 a contested one beside the arrays, and 4
/// more where a contested one keeps all classes.
class DigestPart {
 public:
  /// A model's likeliest classes that reports show.
  static constexpr std::int64_t most_extras = 3;

  /// Checks all that says where something lies; values are left to the scan. `file` is for
  /// messages. Throws InputError.
  DigestPart(std::string file, DigestShape shape, DigestColumns columns);

  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] const DigestShape& shape() const { return shape_; }
  [[nodiscard]] const DigestColumns& columns() const { return columns_; }
  /// Of the file; null where nobody sees the numbers change.
  [[nodiscard]] const std::shared_ptr<const Witness>& witness() const {
    return (shape_.kind == Kind::correctness ? columns_.labels : columns_.truth).witness;
  }

  /// Requires: a score pool, row < sample_count.
  [[nodiscard]] DigestPlace find(std::uint64_t row) const;

  [[nodiscard]] bool keeps_all(const DigestPlace& place) const {
    return place.kept == shape_.class_count;
  }
  /// The class at `i` of those kept. Requires: place.kept > 1, i < place.kept.
  [[nodiscard]] std::int32_t label(const DigestPlace& place, int i) const {
    if (keeps_all(place)) return i;
    const std::int64_t at = static_cast<std::int64_t>(place.classes) + i;
    // Of most pools: 256 to 65,536 classes. The general way costs several times as much.
    if (is_plain(columns_.classes, DType::uint16)) return load<std::uint16_t>(columns_.classes, at);
    return static_cast<std::int32_t>(read_integer(columns_.classes, at));
  }
  /// What a model gives that class, as given.
  [[nodiscard]] double value(const DigestPlace& place, int i, std::size_t model) const {
    if (shape_.complements) return one_of_two(place, i, model);
    const std::int64_t at = static_cast<std::int64_t>(place.values) + i;
    if (is_plain(values_[model], DType::float32)) return load<float>(values_[model], at);
    return read_number(values_[model], at);
  }
  /// What a model's true class has where no other is kept. Requires: place.kept == 1.
  [[nodiscard]] double own(const DigestPlace& place, std::size_t model) const {
    const auto at = static_cast<std::int64_t>(place.own);
    if (is_plain(own_[model], DType::float32)) return load<float>(own_[model], at);
    return read_number(own_[model], at);
  }
  /// Where all models' numbers of a class kept, or of the true class alone, are floats that lie
  /// side by side, those; null elsewhere, and the general way costs several times as much.
  [[nodiscard]] const float* floats(const DigestPlace& place, int i) const {
    if (!has_float_values_) return nullptr;
    return floats_at(columns_.values, place.values + static_cast<std::uint64_t>(i));
  }
  [[nodiscard]] const float* own_floats(const DigestPlace& place) const {
    return has_float_own_ ? floats_at(columns_.own, place.own) : nullptr;
  }
  /// Of logits: a model's largest, and what its softmax is divided by. Requires: place.kept > 1.
  struct Softmax {
    double largest = 0, sum = 1;
  };
  [[nodiscard]] Softmax softmax(const DigestPlace& place, std::size_t model) const;

  /// Calls visit(label, value) for a model's likeliest classes that are not among those kept.
  template <class Visit>
  void visit_extras(const DigestPlace& place, std::size_t model, const Visit& visit) const {
    if (place.kept == 1 || keeps_all(place)) return;
    std::int64_t at = static_cast<std::int64_t>(place.extras);
    for (std::size_t before = 0; before < model; ++before) at += extra_count(place, before);
    const std::int64_t end = at + extra_count(place, model);
    for (; at < end && at < columns_.extra_classes.rows(); ++at) {
      visit(static_cast<std::int32_t>(read_integer(columns_.extra_classes, at)),
            read_number(columns_.extra_values, at));
    }
  }

  /// Those of every model where they are floats side by side; nothing where they are not, or there
  /// are none.
  [[nodiscard]] std::span<const float> extra_floats(const DigestPlace& place) const {
    if (!has_float_extras_) return {};
    const auto rows = static_cast<std::uint64_t>(columns_.extra_values.rows());
    const std::uint64_t begin = std::min(place.extras, rows);
    const std::uint64_t end = std::clamp(place.extras_end, begin, rows);
    return {floats_at(columns_.extra_values, begin), static_cast<std::size_t>(end - begin)};
  }

  /// Calls visit(value) for those of every model.
  template <class Visit>
  void visit_extras_of_all(const DigestPlace& place, const Visit& visit) const {
    const Array& values = columns_.extra_values;
    const bool is_float = is_plain(values, DType::float32);
    const auto end = std::min(static_cast<std::int64_t>(place.extras_end), values.rows());
    for (auto at = static_cast<std::int64_t>(place.extras); at < end; ++at) {
      visit(is_float ? static_cast<double>(load<float>(values, at)) : read_number(values, at));
    }
  }

  /// The label of a model of a label or correctness pool.
  [[nodiscard]] const Array& labels_of(std::size_t model) const { return labels_[model]; }

  /// Whether the model's row sums to 1 only because it was rounded. Requires: not all are kept.
  [[nodiscard]] bool is_rounded(std::uint64_t row, std::size_t model) const;

 private:
  struct Contested {
    std::uint64_t values = 0, extras = 0;
  };
  /// Where the next contested sample begins.
  struct Next : Contested {
    std::uint64_t classes = 0, listed = 0;
  };

  [[nodiscard]] static bool is_plain(const Array& array, DType dtype) {
    return array.dtype == dtype && !array.byte_swapped;
  }
  template <class T>
  [[nodiscard]] static T load(const Array& array, std::int64_t row) {
    T number;
    std::memcpy(&number, array.data + row * array.strides[0], sizeof number);
    return number;
  }

  [[nodiscard]] static const float* floats_at(const Array& array, std::uint64_t row) {
    return reinterpret_cast<const float*>(array.data +
                                          static_cast<std::int64_t>(row) * array.strides[0]);
  }

  [[nodiscard]] std::int64_t extra_count(const DigestPlace& place, std::size_t model) const {
    const std::int64_t count =
        read_integer(columns_.extra_counts, static_cast<std::int64_t>(place.listed),
                     static_cast<std::int64_t>(model));
    return std::clamp<std::int64_t>(count, 0, most_extras);  // The file may be another by now.
  }
  [[nodiscard]] double one_of_two(const DigestPlace& place, int i, std::size_t model) const;
  void check_kind() const;
  void check_types() const;
  void index();
  void add_contested(std::uint64_t row, std::int32_t truth, std::int32_t kept, Next& next);
  [[nodiscard]] std::uint64_t add_listed(std::uint64_t row, std::int32_t truth, std::int64_t kept,
                                         const Next& at) const;
  [[nodiscard]] std::uint64_t add_extras(std::uint64_t row, const Next& at) const;
  void check_totals(const Next& end, std::uint64_t own) const;

  std::string file_;
  DigestShape shape_;
  DigestColumns columns_;
  std::vector<Array> values_, own_, labels_;  ///< Of each model.
  bool has_float_values_ = false, has_float_own_ = false, has_float_extras_ = false;
  /// A sample's row of `own`, or, beyond contested_bit, its place in contested_.
  std::vector<std::uint32_t> places_;
  std::vector<Contested> contested_;  ///< And where the last one ends.
  std::vector<std::uint32_t> whole_;  ///< Those of them that keep all classes.
};

}  // namespace hqe
