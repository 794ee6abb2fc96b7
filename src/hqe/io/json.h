// SPDX-License-Identifier: MIT
/// The JSON documents of spec section 9, and a saved study read back. docs/formats.md describes
/// every key.

#pragma once

#include <string>
#include <string_view>

#include "hqe/study/study.h"
#include "hqe/study/verbs.h"

namespace hqe {

[[nodiscard]] std::string to_json(const Study& study);
[[nodiscard]] std::string to_json(const Sweep& sweep);
[[nodiscard]] std::string to_json(const Explanations& explanations);
[[nodiscard]] std::string to_json(const Scores& scores);
[[nodiscard]] std::string to_json(const Evaluation& evaluation);
[[nodiscard]] std::string to_json(const Inspection& inspection);

/// Reads what to_json(Study) wrote. `file` is for the error message. Throws InputError.
[[nodiscard]] Study study_from_json(std::string_view text, const std::string& file);

}  // namespace hqe
