// SPDX-License-Identifier: MIT
#include "hqe/digest/encoder.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "hqe/digest/contested.h"

namespace hqe {
namespace {

/// The type of numbers from 0 to `largest`.
DType counting_type(std::int64_t largest) {
  return largest < 256 ? DType::uint8 : largest < 65536 ? DType::uint16 : DType::int32;
}

/// The type of labels from -1 on; where nobody can abstain, of one byte more often.
DType label_type(const Pool& pool) {
  const bool never_abstains = std::ranges::all_of(pool.models, [](const Model& model) {
    const DType dtype = model.predictions.dtype;
    return dtype == DType::uint8 || dtype == DType::boolean;
  });
  if (pool.class_count <= 128) return DType::int8;
  if (never_abstains && pool.class_count <= 256) return DType::uint8;
  return pool.class_count <= 32768 ? DType::int16 : DType::int32;
}

TensorTypes types_of(const Pool& pool) {
  const auto models = static_cast<std::uint64_t>(pool.model_count());
  const DType label = counting_type(pool.class_count - 1);
  const DType value = has_scores(pool.kind) ? common_type(pool) : DType::float32;
  const DType own = pool.kind == Kind::logits ? DType::float64 : value;
  TensorTypes types{};
  const auto set = [&](DigestTensor tensor, DType dtype, std::uint64_t columns) {
    types[static_cast<std::size_t>(tensor)] = {dtype, columns};
  };
  set(DigestTensor::truth, label, 0);
  set(DigestTensor::labels, label_type(pool), models);
  set(DigestTensor::kept, counting_type(pool.class_count), 0);
  set(DigestTensor::own, own, models);
  set(DigestTensor::classes, label, 0);
  set(DigestTensor::values, value, models);
  set(DigestTensor::sums, DType::float64, models);
  set(DigestTensor::extra_counts, DType::uint8, models);
  set(DigestTensor::extra_classes, label, 0);
  set(DigestTensor::extra_values, value, 0);
  set(DigestTensor::rounded, DType::uint8, (models + 7) / 8);
  return types;
}

/// One sample after the other of a score pool, with memory of its own.
class SampleEncoder {
 public:
  SampleEncoder(const Pool& pool, const TensorTypes& types, TensorBytes& bytes)
      : pool_(pool), types_(types), bytes_(bytes) {
    const auto classes = static_cast<std::size_t>(pool.class_count);
    given_ = {.models = pool.models.size(), .classes = classes, .scores = {}};
    given_.scores.resize(given_.models * classes);
    shares_ = given_;
    sums_.resize(given_.models);
  }

  void encode_all(std::uint64_t sample) {
    read(sample);
    append_values(every_class());
  }

  void encode(std::uint64_t sample, std::int32_t truth, std::span<const std::int32_t> rivals) {
    if (rivals.empty() && !is_all_smaller()) return encode_own(sample, truth);
    read(sample);
    if (rivals.empty()) return append_kept(every_class());
    if (pool_.kind == Kind::logits) {
      shares_.scores = given_.scores;
      for (std::size_t m = 0; m < shares_.models; ++m) {
        sums_[m] = softmax(shares_.of(m));
      }
    }
    const SampleScores& shares = pool_.kind == Kind::logits ? shares_ : given_;
    const std::vector<std::int32_t> classes = deciding_classes(given_, shares, truth, rivals);
    find_extras(shares, classes);
    if (bytes_listed(classes.size()) >= bytes_of_all()) return append_kept(every_class());
    append_kept(classes);
    append_listed(classes);
  }

 private:
  [[nodiscard]] DType type(DigestTensor tensor) const {
    return types_[static_cast<std::size_t>(tensor)].dtype;
  }
  [[nodiscard]] std::size_t width(DigestTensor tensor) const { return size_of(type(tensor)); }

  /// Whether all logits of a model take no more than the share of its true class.
  [[nodiscard]] bool is_all_smaller() const {
    return given_.classes * width(DigestTensor::values) <= width(DigestTensor::own);
  }
  [[nodiscard]] std::size_t bytes_of_all() const {
    return given_.models * given_.classes * width(DigestTensor::values);
  }
  [[nodiscard]] std::size_t bytes_listed(std::size_t classes) const {
    const std::size_t models = given_.models;
    const std::size_t sums = pool_.kind == Kind::logits ? models * width(DigestTensor::sums) : 0;
    return classes * (models * width(DigestTensor::values) + width(DigestTensor::classes)) + sums +
           models +
           extras_.size() *
               (width(DigestTensor::extra_classes) + width(DigestTensor::extra_values));
  }

  [[nodiscard]] std::vector<std::int32_t> every_class() const {
    std::vector<std::int32_t> classes(given_.classes);
    for (std::size_t k = 0; k < classes.size(); ++k) classes[k] = static_cast<std::int32_t>(k);
    return classes;
  }

  void read(std::uint64_t sample) {
    for (std::size_t m = 0; m < given_.models; ++m) {
      read_row(pool_.models[m].predictions, static_cast<std::int64_t>(sample), given_.of(m));
    }
  }

  void encode_own(std::uint64_t sample, std::int32_t truth) {
    bytes_.append(DigestTensor::kept, std::int64_t{1}, type(DigestTensor::kept));
    const std::int32_t wanted[] = {truth};
    for (std::size_t m = 0; m < given_.models; ++m) {
      double own[] = {0};
      scores_of_classes(pool_, static_cast<ModelId>(m), sample, wanted, own, 1, row_);
      bytes_.append(DigestTensor::own, own[0], type(DigestTensor::own));
    }
  }

  void append_kept(const std::vector<std::int32_t>& classes) {
    bytes_.append(DigestTensor::kept, static_cast<std::int64_t>(classes.size()),
                  type(DigestTensor::kept));
    append_values(classes);
  }

  void append_values(const std::vector<std::int32_t>& classes) {
    for (const std::int32_t label : classes) {
      for (std::size_t m = 0; m < given_.models; ++m) {
        bytes_.append(DigestTensor::values, given_.of(m)[static_cast<std::size_t>(label)],
                      type(DigestTensor::values));
      }
    }
  }

  void append_listed(const std::vector<std::int32_t>& classes) {
    for (const std::int32_t label : classes) {
      bytes_.append(DigestTensor::classes, std::int64_t{label}, type(DigestTensor::classes));
    }
    for (std::size_t m = 0; m < given_.models; ++m) {
      if (pool_.kind == Kind::logits) bytes_.append(DigestTensor::sums, sums_[m], DType::float64);
      const auto count = std::ranges::count(extras_, m, &Extra::model);
      bytes_.append(DigestTensor::extra_counts, std::int64_t{count}, DType::uint8);
    }
    for (const Extra& extra : extras_) {
      bytes_.append(DigestTensor::extra_classes, std::int64_t{extra.label},
                    type(DigestTensor::extra_classes));
      bytes_.append(DigestTensor::extra_values,
                    given_.of(extra.model)[static_cast<std::size_t>(extra.label)],
                    type(DigestTensor::extra_values));
    }
  }

  void find_extras(const SampleScores& shares, const std::vector<std::int32_t>& classes) {
    extras_.clear();
    for (std::size_t m = 0; m < shares.models; ++m) {
      for (const std::int32_t label : likeliest_classes(shares.of(m))) {
        if (!std::ranges::binary_search(classes, label)) extras_.push_back({m, label});
      }
    }
  }

  struct Extra {
    std::size_t model = 0;
    std::int32_t label = 0;
  };

  const Pool& pool_;
  const TensorTypes& types_;
  TensorBytes& bytes_;
  SampleScores given_;   ///< The numbers as they are.
  SampleScores shares_;  ///< Of logits.
  std::vector<double> sums_, row_;
  std::vector<Extra> extras_;
};

}  // namespace

DType common_type(const Pool& pool) {
  const DType first = pool.models.front().predictions.dtype;
  const auto has = [&](DType dtype) {
    return [dtype](const Model& model) { return model.predictions.dtype == dtype; };
  };
  if (std::ranges::all_of(pool.models, has(first))) return first;
  return std::ranges::any_of(pool.models, has(DType::float64)) ? DType::float64 : DType::float32;
}

DigestEncoder::DigestEncoder(std::string name, bool keeps_all)
    : name_(std::move(name)), keeps_all_(keeps_all) {}

void DigestEncoder::start(const Pool& pool, int) {
  tensors_ = std::make_unique<Tensors>(name_, types_of(pool));
  waiting_.clear();
  ends_.clear();
  next_ = 0;
  contested_ = 0;
  has_rounded_ = false;
}

void DigestEncoder::finish() {
  if (!has_rounded_) tensors_->drop(DigestTensor::rounded);
}

void DigestEncoder::consume(const Block& block, int) {
  TensorBytes bytes;
  if (block.pool->kind != Kind::correctness) {
    const DType dtype = tensors_->types()[static_cast<std::size_t>(DigestTensor::truth)].dtype;
    for (const std::int32_t label : block.truth) {
      bytes.append(DigestTensor::truth, std::int64_t{label}, dtype);
    }
  }
  if (has_scores(block.pool->kind)) {
    encode_scores(block, bytes);
    if (!keeps_all_) encode_rounded(block, bytes);
  } else {
    encode_labels(block, bytes);
  }
  const std::scoped_lock lock(mutex_);
  for (std::size_t i = 0; i + 1 < block.rival_begin.size(); ++i) {
    if (block.rival_begin[i] < block.rival_begin[i + 1]) ++contested_;
  }
  has_rounded_ = has_rounded_ || !block.rounded.empty();
  waiting_.emplace(block.first, std::move(bytes));
  ends_.emplace(block.first, block.first + static_cast<std::uint64_t>(block.count));
  for (auto ready = waiting_.find(next_); ready != waiting_.end(); ready = waiting_.find(next_)) {
    tensors_->append(ready->second);
    next_ = ends_.at(ready->first);
    ends_.erase(ready->first);
    waiting_.erase(ready);
  }
}

void DigestEncoder::encode_labels(const Block& block, TensorBytes& bytes) const {
  const DType dtype = tensors_->types()[static_cast<std::size_t>(DigestTensor::labels)].dtype;
  for (int i = 0; i < block.count; ++i) {
    for (std::size_t m = 0; m < block.pool->models.size(); ++m) {
      bytes.append(DigestTensor::labels, std::int64_t{block.predicted[m * block.count + i]}, dtype);
    }
  }
}

void DigestEncoder::encode_scores(const Block& block, TensorBytes& bytes) const {
  SampleEncoder encoder(*block.pool, tensors_->types(), bytes);
  for (int i = 0; i < block.count; ++i) {
    const std::uint64_t sample = block.first + static_cast<std::uint64_t>(i);
    if (keeps_all_) {
      encoder.encode_all(sample);
      continue;
    }
    encoder.encode(sample, block.truth[i],
                   block.rivals.subspan(block.rival_begin[i],
                                        block.rival_begin[i + 1] - block.rival_begin[i]));
  }
}

void DigestEncoder::encode_rounded(const Block& block, TensorBytes& bytes) const {
  const std::size_t models = block.pool->models.size();
  const std::size_t width = (models + 7) / 8;
  std::vector<std::uint8_t> bits(width * static_cast<std::size_t>(block.count), 0);
  for (const std::uint32_t place : block.rounded) {
    const std::size_t model = place / static_cast<std::size_t>(block.count);
    const std::size_t i = place % static_cast<std::size_t>(block.count);
    bits[i * width + model / 8] |= static_cast<std::uint8_t>(1u << (model % 8));
  }
  for (const std::uint8_t byte : bits) bytes.append(DigestTensor::rounded, std::uint64_t{byte}, 1);
}

}  // namespace hqe
