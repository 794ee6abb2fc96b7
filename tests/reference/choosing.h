// SPDX-License-Identifier: MIT
/// The words that the literal methods are written in (docs/methods.md, Terms).

#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tests/reference/pool.h"
#include "tests/reference/votes.h"

namespace hqe::reference {

/// Whether the voters are right on each sample.
inline std::vector<bool> right_on(const ReferencePool& pool, const Members& voters) {
  const std::vector<std::uint64_t> correct = correct_counts(pool);
  std::vector<bool> right;
  for (int x = 0; x < pool.sample_count; ++x) {
    const int answer = pool.probabilities.empty() ? plurality_vote(pool, voters, x, correct)
                                                  : soft_vote(pool, voters, x);
    right.push_back(answer == pool.truth[static_cast<std::size_t>(x)]);
  }
  return right;
}

/// c_t of the literature: +1 where the model is right, -1 where it is wrong.
inline std::vector<std::int64_t> signature(const ReferencePool& pool, int model) {
  std::vector<std::int64_t> signs;
  for (int x = 0; x < pool.sample_count; ++x) signs.push_back(pool.fails(model, x) ? -1 : 1);
  return signs;
}

inline Members joined(Members team, int model) {
  team.push_back(model);
  std::sort(team.begin(), team.end());
  return team;
}

inline Members left_by(Members team, int model) {
  team.erase(std::find(team.begin(), team.end(), model));
  return team;
}

inline bool has(const Members& team, int model) {
  return std::find(team.begin(), team.end(), model) != team.end();
}

inline std::vector<int> outside(const ReferencePool& pool, const Members& team) {
  std::vector<int> models;
  for (int m = 0; m < pool.model_count; ++m) {
    if (!has(team, m)) models.push_back(m);
  }
  return models;
}

/// The models, better ones first: by right answers, then lower ids.
inline std::vector<int> best_first(const ReferencePool& pool) {
  std::vector<int> models = outside(pool, {});
  std::stable_sort(models.begin(), models.end(),
                   [&](int a, int b) { return pool.correct(a) > pool.correct(b); });
  return models;
}

/// The models sorted by a key, largest first, better ones first among equals.
template <class Key>
Members first_by(const ReferencePool& pool, int size, const Key& key) {
  std::vector<int> models = best_first(pool);
  std::stable_sort(models.begin(), models.end(), [&](int a, int b) { return key(a) > key(b); });
  models.resize(static_cast<std::size_t>(size));
  std::sort(models.begin(), models.end());
  return models;
}

inline bool is_better(const ReferencePool& pool, int a, int b) {
  return pool.correct(a) > pool.correct(b) || (pool.correct(a) == pool.correct(b) && a < b);
}

/// The model with the largest key; the better one among equals.
template <class Key>
int best_of(const ReferencePool& pool, const std::vector<int>& models, const Key& key) {
  int best = models.front();
  for (const int m : models) {
    if (key(m) > key(best) || (key(m) == key(best) && is_better(pool, m, best))) best = m;
  }
  return best;
}

}  // namespace hqe::reference
