// SPDX-License-Identifier: MIT
#include "tests/reference/pool.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "hqe/base/elementary.h"
#include "hqe/base/random.h"

namespace hqe::reference {
namespace {

template <class T>
Array array_of(std::vector<T> numbers, DType dtype, std::int64_t rows, std::int64_t columns) {
  const auto owner = std::make_shared<const std::vector<T>>(std::move(numbers));
  const auto size = static_cast<std::int64_t>(sizeof(T));
  return {.dtype = dtype,
          .rank = columns > 1 ? 2 : 1,
          .shape = {rows, columns},
          .strides = {columns * size, size},
          .data = reinterpret_cast<const std::byte*>(owner->data()),
          .owner = owner};
}

Array labels_array(const std::vector<int>& labels) {
  return array_of(std::vector<std::int32_t>(labels.begin(), labels.end()), DType::int32,
                  static_cast<std::int64_t>(labels.size()), 1);
}

Array scores_array(const std::vector<std::vector<double>>& scores, int class_count) {
  std::vector<double> flat;
  for (const auto& row : scores) flat.insert(flat.end(), row.begin(), row.end());
  return array_of(std::move(flat), DType::float64, static_cast<std::int64_t>(scores.size()),
                  class_count);
}

// A class other than the true one; the first rival is likelier, so that models share their errors.
int wrong_label(Random& random, int truth, int class_count) {
  const auto others = static_cast<std::uint64_t>(class_count - 1);
  const auto shift = random.unit() < 0.5 ? 0 : random.below(others);
  return (truth + 1 + static_cast<int>(shift)) % class_count;
}

std::vector<double> row_with_maximum(Random& random, int maximum, int class_count) {
  std::vector<double> row(static_cast<std::size_t>(class_count));
  double sum = 0;
  for (double& p : row) p = random.unit();
  std::swap(row[maximum], *std::ranges::max_element(row));
  for (const double p : row) sum += p;
  for (double& p : row) p /= sum;
  return row;
}

}  // namespace

int ReferencePool::correct(int model) const {
  return sample_count - static_cast<int>(negative_samples(model).size());
}

std::vector<int> ReferencePool::all_samples() const {
  std::vector<int> samples;
  for (int x = 0; x < sample_count; ++x) samples.push_back(x);
  return samples;
}

std::vector<int> ReferencePool::negative_samples(int focal) const {
  std::vector<int> samples;
  for (int x = 0; x < sample_count; ++x) {
    if (fails(focal, x)) samples.push_back(x);
  }
  return samples;
}

std::vector<Members> all_teams(int model_count, int team_size) {
  if (team_size == 0) return {Members{}};
  std::vector<Members> teams;
  for (const Members& smaller : all_teams(model_count, team_size - 1)) {
    for (int model = smaller.empty() ? 0 : smaller.back() + 1; model < model_count; ++model) {
      Members team = smaller;
      team.push_back(model);
      teams.push_back(team);
    }
  }
  return teams;
}

int argmax(const std::vector<double>& row) {
  int best = 0;
  for (int c = 1; c < static_cast<int>(row.size()); ++c) {
    if (row[c] > row[best]) best = c;
  }
  return best;
}

std::vector<double> softmax(const std::vector<double>& logits) {
  const double maximum = *std::ranges::max_element(logits);
  std::vector<double> row;
  double sum = 0;
  for (const double logit : logits) row.push_back(portable_exp(logit - maximum));
  for (const double e : row) sum += e;
  for (double& e : row) e /= sum;
  return row;
}

ReferencePool random_pool(const RandomPoolOptions& options) {
  ReferencePool pool{.model_count = options.model_count,
                     .sample_count = options.sample_count,
                     .class_count = options.class_count};
  Random random(options.seed);
  std::vector<double> ease;
  for (int x = 0; x < options.sample_count; ++x) {
    pool.truth.push_back(static_cast<int>(random.below(options.class_count)));
    ease.push_back(random.unit());
  }
  for (int m = 0; m < options.model_count; ++m) {
    auto& labels = pool.predictions.emplace_back();
    std::vector<std::vector<double>> scores;
    for (int x = 0; x < options.sample_count; ++x) {
      const bool right = 0.5 * (ease[x] + random.unit()) < options.accuracy;
      int label = right || options.class_count == 1
                      ? pool.truth[x]
                      : wrong_label(random, pool.truth[x], options.class_count);
      if (!options.probabilities && random.unit() < options.abstain) label = -1;
      labels.push_back(label);
      if (options.probabilities) {
        scores.push_back(row_with_maximum(random, label, options.class_count));
      }
    }
    if (options.probabilities) pool.probabilities.push_back(std::move(scores));
  }
  return pool;
}

Pool to_pool(const ReferencePool& pool) {
  const bool scores = !pool.probabilities.empty();
  Pool result{.name = "reference",
              .kind = scores ? Kind::probabilities : Kind::labels,
              .truth = labels_array(pool.truth),
              .sample_count = static_cast<std::uint64_t>(pool.sample_count),
              .class_count = pool.class_count};
  for (int m = 0; m < pool.model_count; ++m) {
    result.models.push_back(
        {.name = "model" + std::to_string(m),
         .predictions = scores ? scores_array(pool.probabilities[m], pool.class_count)
                               : labels_array(pool.predictions[m])});
  }
  return result;
}

}  // namespace hqe::reference
