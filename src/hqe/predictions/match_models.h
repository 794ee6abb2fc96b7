// SPDX-License-Identifier: MIT
/// Which model of one pool is which of another.

#pragma once

#include <optional>
#include <vector>

#include "hqe/predictions/pool.h"

namespace hqe {

/// The models of `pool` in `other`, one a model: by name, or by position where those of one of the
/// pools have no names. Throws InputError where these pools differ in their number of models, or
/// where the two name their classes differently.
[[nodiscard]] std::vector<std::optional<ModelId>> match_models(const Pool& pool, const Pool& other);

}  // namespace hqe
