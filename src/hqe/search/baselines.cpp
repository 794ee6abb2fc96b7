// SPDX-License-Identifier: MIT
#include "hqe/search/baselines.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace hqe {
namespace {

/// All models, most accurate first; ties: lower id.
std::vector<ModelId> by_accuracy(const SearchSpace& space) {
  std::vector<ModelId> models(static_cast<std::size_t>(space.model_count()));
  std::iota(models.begin(), models.end(), ModelId{0});
  std::ranges::stable_sort(models, std::ranges::greater{}, [&](ModelId model) {
    return space.selection().measured().counts.correct(model);
  });
  return models;
}

}  // namespace

Baselines baselines_of(const SearchSpace& space, int size, const Population& population_of_size) {
  Baselines baselines;
  baselines.best_single = space.figures(Team{by_accuracy(space).front()});
  const Team accurate = take_in_order(by_accuracy(space), size, space.eligibility());
  if (!accurate.empty()) baselines.most_accurate = space.figures(accurate);
  if (population_of_size.good) {
    baselines.best_of_size = best_of_size(space, size);
  } else {
    baselines.best_of_size_not_computed = population_of_size.not_computed;
  }
  return baselines;
}

}  // namespace hqe
