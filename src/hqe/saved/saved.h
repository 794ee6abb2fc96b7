// SPDX-License-Identifier: MIT
/// Saved documents read back, of which every number is checked. docs/formats.md describes every
/// key. Read in json_read.cpp, json_read_cascade.cpp, compare_read.cpp, team_read.cpp and
/// saved.cpp.

#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "hqe/methods/compare.h"
#include "hqe/study/study.h"
#include "hqe/study/team_file.h"
#include "hqe/verbs/verbs.h"

namespace hqe {

/// Reads what to_json(Study) wrote: to_json(study_from_json(text, file)) == text for such a text.
/// `file` is for the error message. Throws InputError.
[[nodiscard]] Study study_from_json(std::string_view text, const std::string& file);
/// The same of to_json(Comparison) and of to_json(Cascading).
[[nodiscard]] Comparison comparison_from_json(std::string_view text, const std::string& file);
[[nodiscard]] Cascading cascade_from_json(std::string_view text, const std::string& file);

/// Reads what to_json(TeamFile) wrote, whose bytes must have its checksum, or the team that a saved
/// study recommends. `file` is for the error message. Throws InputError, and UsageError where a
/// study recommends nothing.
[[nodiscard]] TeamFile team_from_json(std::string_view text, const std::string& file);

using Saved = std::variant<Study, Comparison, Cascading>;

/// Whatever of these three the document holds. `file` is for the error message. Throws InputError.
[[nodiscard]] Saved saved_from_json(std::string_view text, const std::string& file);

}  // namespace hqe
