// SPDX-License-Identifier: MIT
/// The scored teams of a study as the report page holds them.

#pragma once

#include "hqe/documents/json_writer.h"
#include "hqe/study/study.h"

namespace hqe {

/// How the scored teams of a study are written: docs/formats.md for a file, web/README.md for
/// pages.
enum class ScoredForm {
  whole,   ///< A file: every metric with all of its columns.
  shared,  ///< A small page: the same, but a metric names an earlier one for equal columns.
  packed,  ///< A page of many teams: compressed columns, every score to 12 decimals.
  big      ///< Very many: one focal metric and its baseline, 12 decimals for kept teams only.
};

/// Above this many scored teams, counted over all metrics, a page holds packed columns.
inline constexpr std::size_t packed_above = 8'000;

/// Above this many scored teams of one metric a page is big.
inline constexpr std::size_t big_above = 100'000;

/// A packed page lists this many of each selection's best teams by themselves.
inline constexpr std::size_t packed_selected = 1'000;

/// Whether `scored` has the teams and the counts of `earlier`: then it need not repeat them.
[[nodiscard]] bool has_columns_of(const StudyDetail::ScoredTeams& scored,
                                  const StudyDetail::ScoredTeams& earlier);

/// How a page of this study is written: shared, packed or big.
[[nodiscard]] ScoredForm page_form(const StudyDetail& detail);

/// "scored" in either packed form.
void write_packed_scored(JsonWriter& json, const StudyDetail& detail, ScoredForm form);

}  // namespace hqe
