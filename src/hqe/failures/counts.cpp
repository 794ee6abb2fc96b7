// SPDX-License-Identifier: MIT
#include "hqe/failures/counts.h"

#include <algorithm>
#include <cassert>

#include "hqe/bits/count.h"
#include "hqe/failures/tables.h"

namespace hqe {
namespace {

template <class T>
void add(std::vector<T>& sum, const std::vector<T>& other) {
  // A table that only exceptional samples need is empty while there are none.
  if (sum.empty()) sum.assign(other.size(), 0);
  for (std::size_t i = 0; i < other.size(); ++i) sum[i] += other[i];
}

void add(LabelCounts& sum, const LabelCounts& other) {
  add(sum.dense, other.dense);
  for (const auto& [label, count] : other.sparse) sum.sparse[label] += count;
}

bool same_on_demand(const Counts::Tables& a, const Counts::Tables& b) {
  for (int i = 0; i < a.model_count; ++i) {
    for (int j = i + 1; j < a.model_count; ++j) {
      for (int f = 0; f < a.model_count; ++f) {
        if (a.any_triple(f, i, j) != b.any_triple(f, i, j)) return false;
        if (!a.plan.keep_labels) continue;
        if (a.differing_on(f, i, j) != b.differing_on(f, i, j)) return false;
        if (a.chance_on(f, i, j) != b.chance_on(f, i, j)) return false;
      }
    }
  }
  return true;
}

}  // namespace

int Counts::model_count() const { return tables_->model_count; }
int Counts::class_count() const { return tables_->class_count; }
std::uint64_t Counts::sample_count() const { return tables_->sample_count; }
std::uint64_t Counts::failures(ModelId f) const { return tables_->pair(f, f); }
std::uint64_t Counts::correct(ModelId f) const { return sample_count() - failures(f); }
std::uint64_t Counts::abstentions(ModelId f) const { return tables_->predicted[f][-1]; }
std::uint64_t Counts::co_failures(ModelId f, ModelId i) const { return tables_->pair(f, i); }

std::uint64_t Counts::co_failures(ModelId f, ModelId i, ModelId j) const {
  assert(tables_->options.triples || tables_->options.agreements);
  return tables_->any_triple(f, i, j);
}

std::uint64_t Counts::agreements(ModelId i, ModelId j) const {
  // Both right, or both wrong alike: N - n_i - n_j + a_ij, and a_ij less those that differ.
  if (i == j) return sample_count();
  const std::size_t at = std::size_t{i} * static_cast<std::size_t>(model_count()) + j;
  return sample_count() + 2 * co_failures(i, j) - failures(i) - failures(j) -
         tables_->differing[at];
}

std::uint64_t Counts::chance_agreements(ModelId i, ModelId j) const {
  const LabelCounts &a = tables_->predicted[i], &b = tables_->predicted[j];
  if (!a.dense.empty()) return sum_of_products(a.dense, b.dense);
  std::uint64_t sum = 0;
  for (const auto& [label, count] : a.sparse) sum += count * b[label];
  return sum;
}

std::uint64_t Counts::agreements_given(ModelId f, ModelId i, ModelId j) const {
  assert(tables_->options.agreements);
  if (i == j) return failures(f);
  const std::uint64_t alike_or_not = failures(f) + 2 * co_failures(f, i, j);
  return alike_or_not - co_failures(f, i) - co_failures(f, j) -
         tables_->differing_on(f, std::min(i, j), std::max(i, j));
}

std::uint64_t Counts::predicted(ModelId i, std::int32_t label) const {
  return tables_->predicted[i][label];
}

Counts Counts::merge(const Counts& other) const {
  const Tables& part = other.tables();
  assert(model_count() == part.model_count && class_count() == part.class_count);
  assert(tables_->plan == part.plan);
  auto sum = std::make_shared<Tables>(*tables_);
  sum->sample_count += part.sample_count;
  for (std::size_t m = 0; m < sum->predicted.size(); ++m) add(sum->predicted[m], part.predicted[m]);
  add(sum->co_failures, part.co_failures);
  add(sum->differing, part.differing);
  add(sum->triples, part.triples);
  add(sum->differing_given, part.differing_given);
  add(sum->labels_given, part.labels_given);
  sum->kept.insert(sum->kept.end(), part.kept.begin(), part.kept.end());
  return Counts(std::move(sum));
}

bool Counts::operator==(const Counts& other) const {
  const Tables &a = *tables_, &b = other.tables();
  const bool same_tables =
      a.model_count == b.model_count && a.class_count == b.class_count &&
      a.sample_count == b.sample_count && a.plan == b.plan && a.predicted == b.predicted &&
      a.co_failures == b.co_failures && a.differing == b.differing && a.triples == b.triples &&
      a.differing_given == b.differing_given && a.labels_given == b.labels_given;
  // Kept predictions lie in the order in which parts were merged; what they say does not.
  return same_tables && (!a.plan.keep_failures || same_on_demand(a, b));
}

}  // namespace hqe
