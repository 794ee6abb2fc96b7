// SPDX-License-Identifier: MIT
#include "hqe/failures/tables.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <unordered_map>

#include "hqe/bits/count.h"
#include "hqe/predictions/pool.h"

namespace hqe {
namespace {

std::int64_t choose_two(std::int64_t n) { return n * (n - 1) / 2; }
std::int64_t choose_three(std::int64_t n) { return n * (n - 1) * (n - 2) / 6; }

}  // namespace

TripleIndex::TripleIndex(int model_count)
    : size_(static_cast<std::size_t>(choose_three(model_count))) {
  // Before (i, j, k) lie the triples that begin below i, those of i that go on below j, and those
  // of (i, j) that end below k; what depends on i alone and on j alone is summed here.
  for (std::int64_t i = 0; i < model_count; ++i) {
    first_.push_back(choose_three(model_count) - choose_three(model_count - i) +
                     choose_two(model_count - i - 1));
    second_.push_back(-choose_two(model_count - i) - i - 1);
  }
}

CountPlan plan_counts(int model_count, int class_count, Kind kind, const CountOptions& options) {
  const auto models = static_cast<std::size_t>(model_count);
  const auto classes = static_cast<std::size_t>(class_count);
  std::size_t room = options.table_limit;
  const auto fits = [&](std::size_t entries) {
    const std::size_t bytes = entries * sizeof(std::uint32_t);
    if (bytes > room) return false;
    room -= bytes;
    return true;
  };
  CountPlan plan;
  plan.can_differ = class_count > 2 || kind == Kind::labels;
  const bool needs_triples = options.triples || options.agreements;
  plan.triples = needs_triples && fits(TripleIndex(model_count).size());
  if (options.agreements) {
    plan.labels_given = class_count < sparse_class_count && fits(models * models * (classes + 1));
    plan.differing = !plan.can_differ || fits(models * (models - 1) / 2 * models);
    plan.keep_labels = !plan.labels_given || !plan.differing;
  }
  plan.keep_failures = plan.keep_labels || (needs_triples && !plan.triples);
  return plan;
}

std::uint64_t LabelCounts::operator[](std::int32_t label) const {
  if (!dense.empty()) {
    const auto at = static_cast<std::size_t>(label + 1);
    return at < dense.size() ? dense[at] : 0;
  }
  const auto found = sparse.find(label);
  return found == sparse.end() ? 0 : found->second;
}

std::uint64_t Counts::Tables::any_triple(int f, int i, int j) const {
  std::array three{f, i, j};
  std::ranges::sort(three);
  if (three[0] == three[1] || three[1] == three[2]) return pair(three[0], three[2]);
  return triple(three[0], three[1], three[2]);
}

std::uint64_t Counts::Tables::triple_on_demand(int i, int j, int k) const {
  assert(plan.keep_failures);
  std::uint64_t sum = 0;
  for (const auto& part : kept) sum += part->co_failures(i, j, k);
  return sum;
}

std::uint64_t Counts::Tables::differing_looked_up(int f, int i, int j) const {
  assert(i < j);
  if (plan.differing) {
    const auto models = static_cast<std::size_t>(model_count);
    return differing_given[pair_index(model_count, i, j) * models + static_cast<std::size_t>(f)];
  }
  std::uint64_t sum = 0;
  for (const auto& part : kept) sum += part->differing(f, i, j);
  return sum;
}

std::uint64_t Counts::Tables::chance_of_many(int f, int i, int j) const {
  if (plan.labels_given) {
    return sum_of_products(labels_on(f, i), labels_on(f, j));
  }
  // sum_c n_i(c) n_j(c): each prediction of j meets n_i of its label. Only looked up, never walked,
  // so that the map's order does not matter.
  std::unordered_map<std::int32_t, std::uint64_t> counts;
  for (const auto& part : kept) part->add_labels(f, i, counts);
  std::uint64_t sum = 0;
  for (const auto& part : kept) {
    part->for_each_failure(f, [&](std::uint64_t sample) {
      const auto found = counts.find(part->label(j, sample) + 1);
      if (found != counts.end()) sum += found->second;
    });
  }
  return sum;
}

}  // namespace hqe
