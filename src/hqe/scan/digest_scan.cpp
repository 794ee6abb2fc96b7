// SPDX-License-Identifier: MIT
#include "hqe/scan/digest_scan.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "hqe/base/elementary.h"
#include "hqe/predictions/columns.h"
#include "hqe/scan/digest_floats.h"
#include "hqe/scan/rival_threshold.h"
#include "hqe/scan/scan.h"

namespace hqe {
namespace {

/// A sample of a pool, where it lies.
struct Found {
  Found(const Pool& pool, std::uint64_t sample)
      : Found(pool.digest->find(pool.stored_sample(sample))) {}
  explicit Found(const Digest::Row& at) : part(*at.part), row(at.row), place(part.find(at.row)) {}

  const DigestPart& part;
  std::uint64_t row;
  DigestPlace place;
};

/// From what a model gives a class to what votes add up.
class Shares {
 public:
  Shares(const Found& found, Kind kind, std::size_t column)
      : is_logits_(kind == Kind::logits),
        softmax_(is_logits_ ? found.part.softmax(found.place, column) : DigestPart::Softmax{}) {}

  [[nodiscard]] double operator()(double value) const {
    return as_share(is_logits_ ? portable_exp(value - softmax_.largest) / softmax_.sum : value);
  }

 private:
  bool is_logits_;
  DigestPart::Softmax softmax_;
};

/// Finds classes among those kept, quickest where they are asked for in ascending order.
class Places {
 public:
  /// Requires: more than one is kept.
  explicit Places(const Found& found) : found_(found) {}

  /// Nothing: it is not kept.
  std::optional<int> operator()(std::int32_t label) {
    if (found_.part.keeps_all(found_.place)) return label;
    if (next_ > 0 && at(next_ - 1) >= label) next_ = 0;
    while (next_ < found_.place.kept && at(next_) < label) ++next_;
    if (next_ == found_.place.kept || at(next_) != label) return std::nullopt;
    return next_;
  }

 private:
  [[nodiscard]] std::int32_t at(int i) const { return found_.part.label(found_.place, i); }

  const Found& found_;
  int next_ = 0;
};

RowFault fault_of(double value, Kind kind) {
  return {
      std::nullopt,
      fmt::format("{:.6g} is no {}", value, kind == Kind::probabilities ? "probability" : "score"),
      "Make the digest again from the predictions"};
}

/// Wider than any kind of number needs: digests are made of rows that passed.
bool is_probability(double value) { return value >= 0 && value <= 1.01; }

/// Reads one sample after the other, with memory of its own.
class SampleReader {
 public:
  SampleReader(const Pool& pool, const DigestBlock& block)
      : pool_(pool), block_(block), float_reader_(pool) {
    for (const Model& model : pool.models) columns_.push_back(model.column);
  }

  void read(std::size_t i) {
    const Found found(pool_, block_.first + i);
    if (found.place.kept == 1) {
      read_own(found, i);
    } else {
      read_contested(found, i);
    }
    block_.rival_begin.push_back(static_cast<std::uint32_t>(block_.rivals.size()));
  }

 private:
  void read_own(const Found& found, std::size_t i) {
    for (std::size_t m = 0; m < columns_.size(); ++m) predicted(m, i) = block_.truth[i];
    if (is_sound_own(found)) return;
    for (std::size_t m = 0; m < columns_.size(); ++m) {
      const double own = found.part.own(found.place, pool_.models[m].column);
      if (!is_probability(own)) report(m, i, fault_of(own, Kind::probabilities));
      note_rounding(found, m, i);
    }
  }

  /// True where nothing is to be said of any row, and that is found quickly.
  [[nodiscard]] bool is_sound_own(const Found& found) const {
    const float* const own = found.part.own_floats(found.place);
    if (own == nullptr || found.part.columns().rounded.rows() > 0) return false;
    bool is_sound = true;
    for (const std::size_t column : columns_) is_sound &= is_probability(own[column]);
    return is_sound;
  }

  void read_contested(const Found& found, std::size_t i) {
    const auto kept = static_cast<std::size_t>(found.place.kept);
    labels_.resize(kept);
    for (std::size_t k = 0; k < kept; ++k) {
      labels_[k] = found.part.label(found.place, static_cast<int>(k));
    }
    const auto truth = std::ranges::find(labels_, block_.truth[i]) - labels_.begin();
    // Both were seen to when the file was opened, which may have changed.
    if (truth == std::ssize(labels_) || std::ranges::min(labels_) < 0 ||
        std::ranges::max(labels_) >= pool_.class_count) {
      return report(0, i, fault_of(0, pool_.kind));
    }
    if (float_reader_.read(found.part, found.place, static_cast<std::size_t>(truth))) {
      for (std::size_t m = 0; m < columns_.size(); ++m) {
        predicted(m, i) = labels_[float_reader_.predicted(m)];
      }
      for (std::size_t k = 0; k < kept; ++k) {
        if (float_reader_.is_rival(k)) block_.rivals.push_back(labels_[k]);
      }
      return;
    }
    is_rival_.assign(kept, 0);
    const bool is_sound = read_values(found);
    for (std::size_t m = 0; m < columns_.size(); ++m) {
      values_ = std::span(of_all_).subspan(m * kept, kept);
      predicted(m, i) = read_row(static_cast<std::size_t>(truth));
      if (is_sound) continue;
      if (auto fault = row_fault(found, m, i)) report(m, i, std::move(*fault));
    }
    for (std::size_t k = 0; k < kept; ++k) {
      if (is_rival_[k] != 0) block_.rivals.push_back(labels_[k]);
    }
  }

  /// What every model gives the classes kept. True where nothing is to be said of any row: no
  /// fault, and none was rounded.
  bool read_values(const Found& found) {
    const std::size_t kept = labels_.size();
    of_all_.resize(kept * columns_.size());
    bool is_any_bad = false;
    for (std::size_t k = 0; k < kept; ++k) {
      for (std::size_t m = 0; m < columns_.size(); ++m) {
        const double value = found.part.value(found.place, static_cast<int>(k), columns_[m]);
        of_all_[m * kept + k] = value;
        is_any_bad |= is_bad(value);
      }
    }
    if (found.part.keeps_all(found.place)) return false;
    has_bad_extras_ = false;
    found.part.visit_extras_of_all(found.place,
                                   [&](double value) { has_bad_extras_ |= is_bad(value); });
    return pool_.kind == Kind::probabilities && !is_any_bad && !has_bad_extras_ &&
           found.part.columns().rounded.rows() == 0;
  }

  /// As the kernels survey a row (score_kernel.cpp), of the classes kept.
  std::int32_t read_row(std::size_t truth) {
    const bool is_logits = pool_.kind == Kind::logits;
    const double own = values_[truth];
    double best = -std::numeric_limits<double>::infinity();
    std::size_t first = truth;
    for (std::size_t k = 0; k < values_.size(); ++k) {
      if (k == truth || values_[k] <= best) continue;
      best = values_[k];
      first = k;
    }
    const double reached = rival_threshold(own, is_logits, pool_.model_count());
    if (!(best >= reached)) return labels_[truth];
    const double threshold = mark_threshold(is_logits, own, best, reached);
    for (std::size_t k = 0; k < values_.size(); ++k) {
      if (k != truth && values_[k] >= threshold) is_rival_[k] = 1;
    }
    return labels_[best > own || (best == own && first < truth) ? first : truth];
  }

  std::optional<RowFault> row_fault(const Found& found, std::size_t m, std::size_t i) {
    const Model& model = pool_.models[m];
    if (found.part.keeps_all(found.place)) {
      auto fault = find_row_fault(values_, pool_.kind, model.predictions.dtype);
      if (!fault && is_rounded_row(values_, pool_.kind, model.predictions.dtype)) {
        block_.rounded.push_back(static_cast<std::uint32_t>(m * block_.truth.size() + i));
      }
      return fault;
    }
    note_rounding(found, m, i);
    const auto is_bad = [&](double value) { return this->is_bad(value); };
    std::optional<RowFault> fault;
    const auto bad = std::ranges::find_if(values_, is_bad);
    if (bad != values_.end()) fault = fault_of(*bad, pool_.kind);
    if (has_bad_extras_) {
      found.part.visit_extras(found.place, model.column, [&](std::int32_t, double value) {
        if (is_bad(value)) fault = fault_of(value, pool_.kind);
      });
    }
    if (pool_.kind == Kind::logits) {
      const double sum = found.part.softmax(found.place, model.column).sum;
      if (!(sum >= 1 && std::isfinite(sum))) fault = fault_of(sum, pool_.kind);
    }
    return fault;
  }

  [[nodiscard]] bool is_bad(double value) const {
    return pool_.kind == Kind::probabilities ? !is_probability(value) : !std::isfinite(value);
  }

  void note_rounding(const Found& found, std::size_t m, std::size_t i) {
    if (pool_.kind != Kind::probabilities ||
        !found.part.is_rounded(found.row, pool_.models[m].column)) {
      return;
    }
    block_.rounded.push_back(static_cast<std::uint32_t>(m * block_.truth.size() + i));
  }

  std::int32_t& predicted(std::size_t m, std::size_t i) {
    return block_.predicted[m * block_.truth.size() + i];
  }
  void report(std::size_t m, std::size_t i, RowFault fault) {
    block_.report(static_cast<int>(m), block_.first + i, std::move(fault));
  }

  const Pool& pool_;
  const DigestBlock& block_;
  std::vector<std::int32_t> labels_;
  std::vector<std::size_t> columns_;  ///< Of each model.
  std::vector<double> of_all_;        ///< [model][class kept],
  std::span<const double> values_;    ///< and those of one model.
  std::vector<char> is_rival_;
  FloatReader float_reader_;
  bool has_bad_extras_ = false;
};

}  // namespace

void read_digest_block(const Pool& pool, const DigestBlock& block) {
  SampleReader reader(pool, block);
  for (std::size_t i = 0; i < block.truth.size(); ++i) reader.read(i);
}

void read_digest_labels(const Pool& pool, ModelId model, std::uint64_t first,
                        std::span<std::int32_t> out) {
  const std::size_t column = pool.models[model].column;
  const bool is_mapped = pool.truth.row_map != nullptr;
  while (!out.empty()) {
    const Digest::Row at = pool.digest->find(pool.stored_sample(first));
    const std::uint64_t left = at.part->shape().sample_count - at.row;
    const std::size_t count = is_mapped ? 1 : std::min<std::uint64_t>(left, out.size());
    read_labels(at.part->labels_of(column), at.row, out.first(count));
    out = out.subspan(count);
    first += count;
  }
}

void digest_class_scores(const Pool& pool, ModelId model, std::uint64_t sample,
                         std::span<double> out) {
  std::ranges::fill(out, 0.0);
  const Found found(pool, sample);
  const std::size_t column = pool.models[model].column;
  if (found.place.kept == 1) {
    out[static_cast<std::size_t>(pool.true_label(sample))] =
        as_share(found.part.own(found.place, column));
    return;
  }
  const Shares share(found, pool.kind, column);
  const auto put = [&](std::int32_t label, double value) {
    if (label >= 0 && label < pool.class_count) out[static_cast<std::size_t>(label)] = share(value);
  };
  for (int i = 0; i < found.place.kept; ++i) {
    put(found.part.label(found.place, i), found.part.value(found.place, i, column));
  }
  found.part.visit_extras(found.place, column, put);
}

void digest_scores_of(const Pool& pool, ModelId model, std::uint64_t sample,
                      std::span<const std::int32_t> classes, double* out, std::size_t step) {
  const Found found(pool, sample);
  const std::size_t column = pool.models[model].column;
  if (found.place.kept == 1) {
    const std::int32_t truth = pool.true_label(sample);
    const double own = as_share(found.part.own(found.place, column));
    for (std::size_t i = 0; i < classes.size(); ++i) out[i * step] = classes[i] == truth ? own : 0;
    return;
  }
  const Shares share(found, pool.kind, column);
  Places place_of(found);
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const std::optional<int> place = place_of(classes[i]);
    out[i * step] = place ? share(found.part.value(found.place, *place, column)) : 0;
  }
}

void digest_scores_of_models(const Pool& pool, std::uint64_t sample,
                             std::span<const std::int32_t> classes, double* out) {
  const std::size_t models = pool.models.size();
  const Found found(pool, sample);
  if (found.place.kept == 1 || pool.kind == Kind::logits) {
    for (std::size_t m = 0; m < models; ++m) {
      digest_scores_of(pool, static_cast<ModelId>(m), sample, classes, out + m, models);
    }
    return;
  }
  Places place_of(found);
  bool has_own_columns = true;
  for (std::size_t m = 0; m < models; ++m) has_own_columns &= pool.models[m].column == m;
  for (std::size_t i = 0; i < classes.size(); ++i, out += models) {
    const std::optional<int> place = place_of(classes[i]);
    const float* const floats = place ? found.part.floats(found.place, *place) : nullptr;
    // Nearly every digest is like this, and the general way costs several times as much.
    if (floats != nullptr && has_own_columns) {
      for (std::size_t m = 0; m < models; ++m) out[m] = as_share(floats[m]);
      continue;
    }
    for (std::size_t m = 0; m < models; ++m) {
      const std::size_t column = pool.models[m].column;
      out[m] = place ? as_share(found.part.value(found.place, *place, column)) : 0;
    }
  }
}

void digest_scores_of_truth(const Pool& pool, TeamView team, std::uint64_t sample,
                            std::span<double> out) {
  const Found found(pool, sample);
  const std::int32_t truth[] = {pool.true_label(sample)};
  const bool is_alone = found.place.kept == 1;
  const float* floats = is_alone ? found.part.own_floats(found.place) : nullptr;
  if (!is_alone && pool.kind == Kind::probabilities) {
    const std::optional<int> place = Places(found)(truth[0]);
    if (place) floats = found.part.floats(found.place, *place);
  }
  for (std::size_t m = 0; m < team.size(); ++m) {
    if (floats == nullptr) {
      digest_scores_of(pool, team[m], sample, truth, &out[m], 1);
    } else {
      out[m] = as_share(floats[pool.models[team[m]].column]);
    }
  }
}

std::int64_t digest_label(const Pool& pool, ModelId model, std::uint64_t sample) {
  const std::size_t column = pool.models[model].column;
  if (!has_scores(pool.kind)) {
    const Digest::Row at = pool.digest->find(pool.stored_sample(sample));
    return read_integer(at.part->labels_of(column), static_cast<std::int64_t>(at.row));
  }
  const Found found(pool, sample);
  if (found.place.kept == 1) return pool.true_label(sample);
  int best = 0;
  double largest = found.part.value(found.place, 0, column);
  for (int i = 1; i < found.place.kept; ++i) {
    const double value = found.part.value(found.place, i, column);
    if (value <= largest) continue;
    largest = value;
    best = i;
  }
  return found.part.label(found.place, best);
}

const std::string& digest_file(const Pool& pool, std::uint64_t sample) {
  return pool.digest->find(pool.stored_sample(sample)).part->file();
}

}  // namespace hqe
