// SPDX-License-Identifier: MIT
/// The scored teams of a big study, packed for the report page.

#pragma once

#include "hqe/io/json_writer.h"
#include "hqe/study/study.h"

namespace hqe {

/// Above this many scored teams a page holds packed columns in place of arrays.
inline constexpr std::size_t packed_above = 100'000;

/// Above `packed_above`, a page lists this many of each selection's best teams exactly.
inline constexpr std::size_t packed_selected = 2'000;

/// Whether a page of this study is packed.
[[nodiscard]] bool is_packed(const StudyDetail& detail);

/// "scored": one focal metric and its baseline, scores at drawing precision, counts exactly.
void write_packed_scored(JsonWriter& json, const StudyDetail& detail);

}  // namespace hqe
