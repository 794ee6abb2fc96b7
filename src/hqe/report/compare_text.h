// SPDX-License-Identifier: MIT
/// Comparisons and fronts for people, as text. Everything shown was computed before.

#pragma once

#include <string>

#include "hqe/methods/compare.h"
#include "hqe/methods/front.h"
#include "hqe/report/text.h"

namespace hqe {

/// Each text ends with a newline and depends on its arguments alone.
[[nodiscard]] std::string to_text(const Comparison& comparison, const TextOptions& options = {});
[[nodiscard]] std::string to_text(const Front& front, const TextOptions& options = {});

}  // namespace hqe
