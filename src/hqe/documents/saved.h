// SPDX-License-Identifier: MIT
/// A saved document of any kind that can be read back.

#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "hqe/methods/compare.h"
#include "hqe/study/study.h"
#include "hqe/verbs/verbs.h"

namespace hqe {

using Saved = std::variant<Study, Comparison, Cascading>;

/// What the document holds, of which every number was checked. `file` is for the error message.
/// Throws InputError.
[[nodiscard]] Saved saved_from_json(std::string_view text, const std::string& file);

}  // namespace hqe
