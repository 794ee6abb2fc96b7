// SPDX-License-Identifier: MIT
#include "hqe/study/match_pools.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <utility>

#include "hqe/base/error.h"
#include "hqe/base/listed.h"
#include "hqe/predictions/match_models.h"

namespace hqe {
namespace {

/// Which models of the selection pool the test pool has.
struct Common {
  std::vector<ModelId> models, test_models;  ///< Of both, in the order of the selection pool.
  std::vector<std::string> missing;          ///< The others, by name.

  [[nodiscard]] bool lacks(const std::string& name) const {
    return std::ranges::find(missing, name) != missing.end();
  }
};

/// Throws InputError where there are none.
Common common_models(const Pool& pool, const Pool& test) {
  Common common;
  const auto found = match_models(pool, test);
  for (std::size_t id = 0; id < found.size(); ++id) {
    if (found[id]) {
      common.models.push_back(static_cast<ModelId>(id));
      common.test_models.push_back(*found[id]);
    } else {
      common.missing.push_back(pool.models[id].name);
    }
  }
  if (common.models.empty()) {
    throw InputError(test.name, "", fmt::format("no model of {} is in this pool", pool.name),
                     "The two pools must name their models alike");
  }
  return common;
}

std::vector<Message> remarks(const Pool& pool, const Pool& test, const Common& common) {
  std::vector<Message> warnings;
  if (!pool.has_names || !test.has_names) {
    warnings.emplace_back(
        "the models have no names: those of the test pool were matched by position");
  }
  if (!common.missing.empty()) {
    warnings.emplace_back(
        fmt::format("{} of {} models are not in {} and were dropped from both pools: {}",
                    common.missing.size(), pool.models.size(), test.name, listed(common.missing)));
  }
  return warnings;
}

/// As they are asked of the common models alone. Throws UsageError where one that is required is
/// not among them.
PruneOptions options_of(PruneOptions options, const Pool& pool, const Pool& test,
                        const Common& common) {
  // Ids given by the user are those of the whole pool; names survive the dropping.
  for (std::vector<std::string>* words : {&options.require, &options.exclude}) {
    for (std::string& word : *words) word = pool.models[find_model(pool, word)].name;
  }
  for (const std::string& name : options.require) {
    if (!common.lacks(name)) continue;
    throw UsageError(fmt::format("{} is required, but {} does not have it", name, test.name));
  }
  std::erase_if(options.exclude, [&](const std::string& name) { return common.lacks(name); });
  std::vector<double>& weights = options.vote.weights;
  if (weights.size() == pool.models.size()) {
    std::vector<double> kept;
    for (const ModelId id : common.models) kept.push_back(weights[id]);
    weights = std::move(kept);
  }
  return options;
}

}  // namespace

MatchedPools match_pools(Pool pool, std::optional<Pool> test, PruneOptions options) {
  if (!test) return {.pool = std::move(pool), .options = std::move(options)};
  const Common common = common_models(pool, *test);
  return {.pool = pool_of(pool, common.models),
          .test = pool_of(*test, common.test_models),
          .options = options_of(std::move(options), pool, *test, common),
          .warnings = remarks(pool, *test, common)};
}

}  // namespace hqe
