// SPDX-License-Identifier: MIT
/// pool.toml: what a pool's owner says of it (spec section 1).

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hqe/ensemble/costs.h"
#include "hqe/predictions/pool.h"

namespace hqe {

/// What pool.toml says; empty where it says nothing.
struct PoolToml {
  std::string name;
  std::optional<Kind> kind;
  std::optional<std::vector<std::string>> models;  ///< Distinct, none with a path separator.
  std::vector<std::string> classes;
  bool classes_are_labels = false;  ///< They are whole numbers, and labels are these.
  std::string about, licence, source;
  std::vector<std::pair<std::string, ModelCosts>> costs;  ///< By model name; names unchecked.
};

/// Reads pool.toml. Throws InputError with line and column for what is not TOML, an unknown key
/// (naming the nearest known one), a value of the wrong type, an unknown kind, a model name that
/// occurs twice or could leave the folder, a class that is a number there twice, a cost that is
/// negative or not finite.
[[nodiscard]] PoolToml read_pool_toml(std::string_view text, const std::string& file);

}  // namespace hqe
