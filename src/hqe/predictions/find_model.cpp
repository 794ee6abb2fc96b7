// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include "hqe/base/error.h"
#include "hqe/predictions/pool.h"
#include "hqe/text/nearest.h"

namespace hqe {
namespace {

std::string nearest_names(const Pool& pool, std::string_view wanted) {
  std::vector<std::pair<std::size_t, std::string_view>> nearest;
  nearest.reserve(pool.models.size());
  for (const Model& model : pool.models) {
    nearest.emplace_back(edit_distance(wanted, model.name), model.name);
  }
  std::stable_sort(nearest.begin(), nearest.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(3, nearest.size()); ++i) {
    text += fmt::format("{}\"{}\"", i == 0 ? "" : ", ", nearest[i].second);
  }
  return text;
}

}  // namespace

std::vector<std::optional<ModelId>> find_models(const Pool& pool,
                                                const std::vector<std::string>& wanted) {
  std::unordered_map<std::string_view, ModelId> ids;
  for (const Model& model : pool.models) {
    ids.emplace(model.name, static_cast<ModelId>(ids.size()));
  }
  std::vector<std::optional<ModelId>> found;
  for (const std::string& name : wanted) {
    const auto entry = ids.find(name);
    found.push_back(entry == ids.end() ? std::nullopt : std::optional(entry->second));
  }
  return found;
}

ModelId find_model(const Pool& pool, std::string_view id_or_name) {
  for (std::size_t id = 0; id < pool.models.size(); ++id) {
    if (pool.models[id].name == id_or_name) return static_cast<ModelId>(id);
  }
  const bool is_number = !id_or_name.empty() && id_or_name.size() <= 9 &&
                         id_or_name.find_first_not_of("0123456789") == std::string_view::npos;
  if (!is_number) {
    throw UsageError(fmt::format("no model is called \"{}\"; the nearest names are {}", id_or_name,
                                 nearest_names(pool, id_or_name)));
  }
  const int id = std::stoi(std::string(id_or_name));
  if (id < pool.model_count()) return static_cast<ModelId>(id);
  throw UsageError(fmt::format("there is no model {}: the pool has the models 0 to {}", id_or_name,
                               pool.model_count() - 1));
}

}  // namespace hqe
