// SPDX-License-Identifier: MIT
/// Teams as Python names them: ids, or a file.

#pragma once

#include <optional>
#include <vector>

#include "hqe/predictions/pool.h"
#include "options/named_team.h"

namespace hqe::python {

/// The team of these ids; with a file its members, by their names, and the pool takes over what the
/// file says of its classes. Implemented in team.cpp. Throws UsageError, InputError.
[[nodiscard]] options::NamedTeam named_team(Pool& pool, const std::vector<int>& members,
                                            const std::optional<TeamFile>& file);

}  // namespace hqe::python
