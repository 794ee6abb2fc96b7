// SPDX-License-Identifier: MIT
#include "hqe/digest/encoder.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "hqe/predictions/columns.h"
#include "hqe/scan/sample_scores.h"

namespace hqe {
namespace {

/// The type of numbers from 0 to `largest`.
DType counting_type(std::int64_t largest) {
  return largest < 256 ? DType::uint8 : largest < 65536 ? DType::uint16 : DType::int32;
}

bool is_mixed(const Pool& pool) {
  return std::ranges::any_of(pool.models, [&](const Model& model) {
    return model.predictions.dtype != pool.models.front().predictions.dtype;
  });
}

/// The narrowest type that holds what every model has, exactly.
DType common_type(const Pool& pool) {
  if (!is_mixed(pool)) return pool.models.front().predictions.dtype;
  const bool has_doubles = std::ranges::any_of(
      pool.models, [](const Model& model) { return model.predictions.dtype == DType::float64; });
  return has_doubles ? DType::float64 : DType::float32;
}

/// Of numbers that the layout describes.
TensorType type_of(const DigestLayout& layout) {
  if (layout.is_packed) return {DType::uint8, layout.width()};
  return {layout.numbers.front().dtype, layout.numbers.size()};
}

TensorTypes types_of(const Pool& pool, const DigestLayout& layout) {
  const auto models = static_cast<std::uint64_t>(pool.model_count());
  const DType label = counting_type(pool.class_count - 1);
  const DType value = has_scores(pool.kind) ? common_type(pool) : DType::float32;
  TensorTypes types{};
  const auto set = [&](DigestTensor tensor, DType dtype, std::uint64_t columns) {
    types[static_cast<std::size_t>(tensor)] = {dtype, columns};
  };
  set(DigestTensor::truth, label, 0);
  set(DigestTensor::kept, counting_type(pool.class_count), 0);
  set(DigestTensor::classes, label, 0);
  if (has_scores(pool.kind) && is_mixed(pool)) {
    set(DigestTensor::values, DType::uint8, row_width(pool));
  } else {
    set(DigestTensor::values, value, models);
  }
  if (pool.kind == Kind::logits) {
    set(DigestTensor::own, DType::float64, models);
  } else {
    types[static_cast<std::size_t>(DigestTensor::own)] =
        types[static_cast<std::size_t>(DigestTensor::values)];
  }
  set(DigestTensor::sums, DType::float64, models);
  set(DigestTensor::extra_counts, DType::uint8, models);
  set(DigestTensor::extra_classes, label, 0);
  set(DigestTensor::extra_values, value, 0);
  set(DigestTensor::rounded, DType::uint8, (models + 7) / 8);
  const DigestTensor described =
      has_scores(pool.kind) ? DigestTensor::values : DigestTensor::labels;
  if (!has_scores(pool.kind) || layout.complements) {
    types[static_cast<std::size_t>(described)] = type_of(layout);
  }
  if (pool.kind == Kind::labels) {
    set(DigestTensor::truth, counting_type(largest_integer(pool.truth)), 0);
  }
  return types;
}

}  // namespace

DigestEncoder::DigestEncoder(std::string name, bool keeps_all, DigestLayout layout)
    : name_(std::move(name)), keeps_all_(keeps_all), layout_(std::move(layout)) {}

void DigestEncoder::start(const Pool& pool, int worker_count) {
  tensors_ = std::make_unique<Tensors>(name_, types_of(pool, layout_));
  encoders_.clear();
  encoders_.reserve(static_cast<std::size_t>(worker_count));
  for (int worker = 0; worker < worker_count && has_scores(pool.kind); ++worker) {
    encoders_.emplace_back(pool, tensors_->types(), layout_);
  }
  waiting_.clear();
  ends_.clear();
  next_ = 0;
  contested_ = 0;
  has_rounded_ = false;
}

void DigestEncoder::finish() {
  if (!has_rounded_) tensors_->drop(DigestTensor::rounded);
}

TensorBytes DigestEncoder::take_spare() {
  const std::scoped_lock lock(mutex_);
  if (spare_.empty()) return {};
  TensorBytes bytes = std::move(spare_.back());
  spare_.pop_back();
  return bytes;
}

void DigestEncoder::consume(const Block& block, int worker) {
  TensorBytes bytes = take_spare();
  if (block.pool->kind != Kind::correctness) {
    const DType dtype = tensors_->types()[static_cast<std::size_t>(DigestTensor::truth)].dtype;
    for (const std::int32_t label : block.truth) {
      bytes.append(DigestTensor::truth, std::int64_t{label}, dtype);
    }
  }
  if (has_scores(block.pool->kind)) {
    SampleEncoder& encoder = encoders_[static_cast<std::size_t>(worker)];
    encoder.start(*block.pool, bytes);
    encode_scores(block, encoder);
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
    ready->second.clear();
    spare_.push_back(std::move(ready->second));
    waiting_.erase(ready);
  }
}

void DigestEncoder::encode_labels(const Block& block, TensorBytes& bytes) const {
  for (int i = 0; i < block.count; ++i) {
    for (std::size_t m = 0; m < block.pool->models.size(); ++m) {
      bytes.append(DigestTensor::labels, std::int64_t{block.predicted[m * block.count + i]},
                   layout_.numbers[m].dtype);
    }
  }
}

void DigestEncoder::encode_scores(const Block& block, SampleEncoder& encoder) const {
  for (int i = 0; i < block.count; ++i) {
    fetch_scores_after(block, i);
    const std::uint64_t sample = block.first + static_cast<std::uint64_t>(i);
    if (keeps_all_) {
      encoder.encode_all(sample);
      continue;
    }
    encoder.encode(
        sample, block.truth[i],
        block.rivals.subspan(block.rival_begin[i], block.rival_begin[i + 1] - block.rival_begin[i]),
        {block.likeliest, static_cast<std::size_t>(block.count), static_cast<std::size_t>(i)});
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
