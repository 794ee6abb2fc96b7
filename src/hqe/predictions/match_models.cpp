// SPDX-License-Identifier: MIT
#include "hqe/predictions/match_models.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>

#include "hqe/base/error.h"

namespace hqe {

std::vector<std::optional<ModelId>> match_models(const Pool& pool, const Pool& other) {
  if (!pool.class_names.empty() && !other.class_names.empty()) {
    const auto [here, there] = std::ranges::mismatch(other.class_names, pool.class_names);
    if (here != other.class_names.end() || there != pool.class_names.end()) {
      throw InputError(other.name, "", fmt::format("its classes are not those of {}", pool.name),
                       "Both pools must have the same classes in the same order");
    }
  }
  if (pool.has_names && other.has_names) {
    std::vector<std::string> names;
    for (const Model& model : pool.models) names.push_back(model.name);
    return find_models(other, names);
  }
  if (pool.model_count() != other.model_count()) {
    throw InputError(other.name, "",
                     fmt::format("models without names cannot be matched: there are {} here and "
                                 "{} in {}",
                                 other.model_count(), pool.model_count(), pool.name),
                     "Name the models of both pools, or give as many in the same order");
  }
  const Team everybody = Team::all(pool.model_count());
  return {everybody.begin(), everybody.end()};
}

}  // namespace hqe
