// SPDX-License-Identifier: MIT
/// Text files of numbers, separated by commas: one column of labels, or one column a class.

#pragma once

#include "hqe/files/mapped_file.h"
#include "hqe/predictions/array.h"

namespace hqe {

/// The numbers of a .csv file, parsed to scratch: int64 where there is one column of whole numbers
/// (also written as 3.0), else float64, as a vector where there is one column.
///
/// The first line is a header if none of its cells is a number, or if it counts the columns from 0
/// (three columns or more, as pandas writes it). Cells may be quoted; lines may end in CR LF; a
/// byte order mark and blank lines at the end are skipped. Exact: each number becomes the nearest
/// double. Throws InputError with line and column. Cost: one pass over the text, two where one
/// column holds fractions.
[[nodiscard]] Array read_csv(const FileBytes& bytes);

}  // namespace hqe
