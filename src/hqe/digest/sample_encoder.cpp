// SPDX-License-Identifier: MIT
#include "hqe/digest/sample_encoder.h"

#include <algorithm>

#include "hqe/predictions/sample_scores.h"
#include "hqe/predictions/scan.h"

namespace hqe {

std::uint64_t row_width(const Pool& pool) {
  std::uint64_t width = 0;
  for (const Model& model : pool.models) width += size_of(model.predictions.dtype);
  return width;
}

FewClasses LikelyOfSample::of(std::size_t model) const {
  FewClasses few;
  const std::size_t first = Block::likely_count * (model * count + place);
  for (const std::int32_t label : of_block.subspan(first, Block::likely_count)) {
    if (label >= 0) few.labels[few.count++] = label;
  }
  return few;
}

SampleEncoder::SampleEncoder(const Pool& pool, const TensorTypes& types, bool complements)
    : pool_(pool), types_(types), complements_(complements), row_width_(row_width(pool)) {
  const auto classes = static_cast<std::size_t>(pool.class_count);
  given_ = {.models = pool.models.size(), .classes = classes, .scores = {}};
  given_.scores.resize(given_.models * classes);
  if (pool.kind == Kind::logits) shares_ = given_;
  sums_.resize(given_.models);
}

void SampleEncoder::encode_all(std::uint64_t sample) {
  read(sample);
  append_values(every_class());
}

void SampleEncoder::encode(std::uint64_t sample, std::int32_t truth,
                           std::span<const std::int32_t> rivals, const LikelyOfSample& likely) {
  if (rivals.empty() && !is_all_smaller()) return encode_own(sample, truth);
  if (rivals.empty()) return append_all(sample);
  if (pool_.kind == Kind::logits) {
    read(sample);
    shares_.scores = given_.scores;
    for (std::size_t m = 0; m < shares_.models; ++m) {
      sums_[m] = softmax(shares_.of(m));
    }
  } else {
    // Of probabilities a few classes are all that is needed, and the others are not touched.
    read_classes(sample, rivals);
    read_classes(sample, {&truth, 1});
  }
  const SampleScores& shares = pool_.kind == Kind::logits ? shares_ : given_;
  const std::vector<std::int32_t> classes = deciding_classes(given_, shares, truth, rivals);
  find_extras(sample, classes, likely);
  if (bytes_listed(classes.size()) >= bytes_of_all()) return append_all(sample);
  append_kept(classes);
  append_listed(classes);
}

std::size_t SampleEncoder::bytes_listed(std::size_t classes) const {
  const std::size_t models = given_.models;
  const std::size_t sums = pool_.kind == Kind::logits ? models * width(DigestTensor::sums) : 0;
  return classes * (row_width_ + width(DigestTensor::classes)) + sums + models +
         extras_.size() * (width(DigestTensor::extra_classes) + width(DigestTensor::extra_values));
}

std::vector<std::int32_t> SampleEncoder::every_class() const {
  std::vector<std::int32_t> classes(given_.classes);
  for (std::size_t k = 0; k < classes.size(); ++k) classes[k] = static_cast<std::int32_t>(k);
  return classes;
}

void SampleEncoder::read(std::uint64_t sample) {
  for (std::size_t m = 0; m < given_.models; ++m) {
    read_row(pool_.models[m].predictions, static_cast<std::int64_t>(sample), given_.of(m));
  }
}

void SampleEncoder::read_classes(std::uint64_t sample, std::span<const std::int32_t> classes) {
  some_.resize(classes.size() * given_.models);
  scores_of_models(pool_, sample, classes, some_.data(), row_);
  for (std::size_t i = 0; i < classes.size(); ++i) {
    for (std::size_t m = 0; m < given_.models; ++m) {
      given_.of(m)[static_cast<std::size_t>(classes[i])] = some_[i * given_.models + m];
    }
  }
}

void SampleEncoder::append_all(std::uint64_t sample) {
  read(sample);
  append_kept(every_class());
}

void SampleEncoder::encode_own(std::uint64_t sample, std::int32_t truth) {
  bytes_->append(DigestTensor::kept, std::int64_t{1}, type(DigestTensor::kept));
  some_.resize(given_.models);
  scores_of_models(pool_, sample, {&truth, 1}, some_.data(), row_);
  for (std::size_t m = 0; m < given_.models; ++m) {
    bytes_->append(DigestTensor::own, some_[m],
                   pool_.kind == Kind::logits ? DType::float64 : value_type(m));
  }
}

void SampleEncoder::append_kept(const std::vector<std::int32_t>& classes) {
  bytes_->append(DigestTensor::kept, static_cast<std::int64_t>(classes.size()),
                 type(DigestTensor::kept));
  append_values(classes);
}

void SampleEncoder::append_values(const std::vector<std::int32_t>& classes) {
  for (const std::int32_t label : classes) {
    if (complements_ && label == 0) continue;
    for (std::size_t m = 0; m < given_.models; ++m) {
      bytes_->append(DigestTensor::values, given_.of(m)[static_cast<std::size_t>(label)],
                     value_type(m));
    }
  }
}

void SampleEncoder::append_listed(const std::vector<std::int32_t>& classes) {
  for (const std::int32_t label : classes) {
    bytes_->append(DigestTensor::classes, std::int64_t{label}, type(DigestTensor::classes));
  }
  for (std::size_t m = 0; m < given_.models; ++m) {
    if (pool_.kind == Kind::logits) bytes_->append(DigestTensor::sums, sums_[m], DType::float64);
    const auto count = std::ranges::count(extras_, m, &Extra::model);
    bytes_->append(DigestTensor::extra_counts, std::int64_t{count}, DType::uint8);
  }
  for (const Extra& extra : extras_) {
    bytes_->append(DigestTensor::extra_classes, std::int64_t{extra.label},
                   type(DigestTensor::extra_classes));
    bytes_->append(DigestTensor::extra_values, extra.value, type(DigestTensor::extra_values));
  }
}

void SampleEncoder::find_extras(std::uint64_t sample, const std::vector<std::int32_t>& classes,
                                const LikelyOfSample& likely) {
  extras_.clear();
  for (std::size_t m = 0; m < given_.models; ++m) {
    const bool is_logits = pool_.kind == Kind::logits;
    for (const std::int32_t label : is_logits ? likeliest_classes(shares_.of(m)) : likely.of(m)) {
      if (std::ranges::binary_search(classes, label)) continue;
      extras_.push_back(
          {m, label,
           read_number(pool_.models[m].predictions, static_cast<std::int64_t>(sample), label)});
    }
  }
}

}  // namespace hqe
