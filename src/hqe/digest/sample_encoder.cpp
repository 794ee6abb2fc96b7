// SPDX-License-Identifier: MIT
#include "hqe/digest/sample_encoder.h"

#include <algorithm>
#include <array>

#include "hqe/ensemble/team.h"
#include "hqe/scan/sample_scores.h"
#include "hqe/scan/scan.h"

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

SampleEncoder::SampleEncoder(const Pool& pool, const TensorTypes& types, const DigestLayout& layout)
    : pool_(&pool), types_(types), layout_(layout), row_width_(row_width(pool)) {
  const auto classes = static_cast<std::size_t>(pool.class_count);
  given_ = {.models = pool.models.size(), .classes = classes, .scores = {}};
  if (pool.kind == Kind::logits) {
    given_.scores.resize(given_.models * classes);
    shares_ = given_;
  }
  sums_.resize(given_.models);
  extra_counts_.resize(given_.models);
  is_kept_.resize(classes);
}

void SampleEncoder::encode_all(std::uint64_t sample) {
  read(sample);
  append_every_class();
}

void SampleEncoder::encode(std::uint64_t sample, std::int32_t truth,
                           std::span<const std::int32_t> rivals, const LikelyOfSample& likely) {
  if (rivals.empty() && !is_all_smaller()) return encode_own(sample, truth);
  if (rivals.empty()) return append_all(sample);
  wanted_.assign(1, truth);
  wanted_.insert(wanted_.end(), rivals.begin(), rivals.end());
  if (pool_->kind == Kind::logits) {
    read(sample);
    shares_.scores = given_.scores;
    for (std::size_t m = 0; m < shares_.models; ++m) {
      sums_[m] = softmax(shares_.of(m));
    }
    take_wanted(given_, given_rows_);
    take_wanted(shares_, share_rows_);
  } else {
    // Of probabilities a few classes are all that is needed, and the others are not touched.
    given_rows_.resize(wanted_.size() * given_.models);
    scores_of_models(*pool_, sample, wanted_, given_rows_.data(), row_);
  }
  deciding_.find({given_.models, given_rows_},
                 {given_.models, pool_->kind == Kind::logits ? share_rows_ : given_rows_}, truth,
                 rivals);
  find_extras(sample, likely);
  if (bytes_listed(deciding_.labels().size()) >= bytes_of_all()) return append_all(sample);
  append_kept();
  append_listed();
}

std::size_t SampleEncoder::bytes_listed(std::size_t classes) const {
  const std::size_t models = given_.models;
  const std::size_t sums = pool_->kind == Kind::logits ? models * width(DigestTensor::sums) : 0;
  return classes * (row_width_ + width(DigestTensor::classes)) + sums + models +
         extra_labels_.size() *
             (width(DigestTensor::extra_classes) + width(DigestTensor::extra_values));
}

void SampleEncoder::read(std::uint64_t sample) {
  given_.scores.resize(given_.models * given_.classes);
  for (std::size_t m = 0; m < given_.models; ++m) {
    read_row(pool_->models[m].predictions, static_cast<std::int64_t>(sample), given_.of(m));
  }
}

void SampleEncoder::take_wanted(const SampleScores& from, std::vector<double>& rows) const {
  rows.clear();
  for (const std::int32_t label : wanted_) {
    for (std::size_t m = 0; m < from.models; ++m) {
      rows.push_back(from.of(m)[static_cast<std::size_t>(label)]);
    }
  }
}

void SampleEncoder::append_all(std::uint64_t sample) {
  read(sample);
  append_count(given_.classes);
  append_every_class();
}

void SampleEncoder::encode_own(std::uint64_t sample, std::int32_t truth) {
  append_count(1);
  some_.resize(given_.models);
  scores_of_models(*pool_, sample, {&truth, 1}, some_.data(), row_);
  if (pool_->kind == Kind::logits) return bytes_->append(DigestTensor::own, some_, DType::float64);
  append_row(DigestTensor::own, some_);
}

void SampleEncoder::append_count(std::size_t kept) {
  bytes_->append(DigestTensor::kept, static_cast<std::int64_t>(kept), type(DigestTensor::kept));
}

void SampleEncoder::append_row(DigestTensor tensor, std::span<const double> row) {
  const bool is_mixed = type(DigestTensor::values) == DType::uint8;
  if (!is_mixed) return bytes_->append(tensor, row, value_type(0));
  for (std::size_t m = 0; m < row.size(); ++m) bytes_->append(tensor, row[m], value_type(m));
}

void SampleEncoder::append_every_class() {
  if (layout_.complements) return append_two_classes();
  some_.resize(given_.models);
  for (std::size_t k = 0; k < given_.classes; ++k) {
    for (std::size_t m = 0; m < given_.models; ++m) some_[m] = given_.of(m)[k];
    append_row(DigestTensor::values, some_);
  }
}

void SampleEncoder::append_two_classes() {
  for (std::size_t m = 0; m < given_.models; ++m) {
    const std::size_t count = layout_.count(m);
    bytes_->append(DigestTensor::values, given_.of(m).last(count), layout_.numbers[m].dtype);
  }
}

void SampleEncoder::append_kept() {
  append_count(deciding_.rows().size());
  for (const std::size_t row : deciding_.rows()) {
    append_row(DigestTensor::values,
               std::span(given_rows_).subspan(row * given_.models, given_.models));
  }
}

void SampleEncoder::append_listed() {
  for (const std::int32_t label : deciding_.labels()) {
    bytes_->append(DigestTensor::classes, std::int64_t{label}, type(DigestTensor::classes));
  }
  if (pool_->kind == Kind::logits) bytes_->append(DigestTensor::sums, sums_, DType::float64);
  for (const std::size_t count : extra_counts_) {
    bytes_->append(DigestTensor::extra_counts, static_cast<std::int64_t>(count), DType::uint8);
  }
  for (const std::int32_t label : extra_labels_) {
    bytes_->append(DigestTensor::extra_classes, std::int64_t{label},
                   type(DigestTensor::extra_classes));
  }
  bytes_->append(DigestTensor::extra_values, extra_values_, type(DigestTensor::extra_values));
}

void SampleEncoder::find_extras(std::uint64_t sample, const LikelyOfSample& likely) {
  extra_labels_.clear();
  extra_values_.clear();
  const bool is_logits = pool_->kind == Kind::logits;
  for (const std::int32_t label : deciding_.labels()) is_kept_[static_cast<std::size_t>(label)] = 1;
  for (std::size_t m = 0; m < given_.models; ++m) {
    FewClasses extra;
    for (const std::int32_t label : is_logits ? likeliest_classes(shares_.of(m)) : likely.of(m)) {
      // Without a branch, which nobody could predict.
      extra.labels[extra.count] = label;
      extra.count += is_kept_[static_cast<std::size_t>(label)] == 0 ? 1 : 0;
    }
    std::array<double, 3> values{};
    if (is_logits) {
      std::ranges::transform(extra, values.begin(), [&](std::int32_t label) {
        return given_.of(m)[static_cast<std::size_t>(label)];
      });
    } else {
      scores_of_classes(*pool_, static_cast<ModelId>(m), sample, extra, values.data(), 1, row_);
    }
    extra_counts_[m] = extra.count;
    extra_labels_.insert(extra_labels_.end(), extra.begin(), extra.end());
    extra_values_.insert(extra_values_.end(), values.begin(), values.begin() + extra.count);
  }
  for (const std::int32_t label : deciding_.labels()) is_kept_[static_cast<std::size_t>(label)] = 0;
}

}  // namespace hqe
