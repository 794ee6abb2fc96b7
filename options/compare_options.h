// SPDX-License-Identifier: MIT
/// The options of compare and front.

#pragma once

#include "hqe/methods/compare.h"
#include "hqe/methods/front.h"
#include "options/option.h"

namespace hqe::options {

/// All but those of the vote; they end in `options`, which must outlive the list.
void add_compare_options(OptionList& list, CompareOptions& options);
void add_front_options(OptionList& list, FrontOptions& options);

/// With those of the vote. Throw UsageError, UnknownOption.
[[nodiscard]] CompareOptions read_compare_options(const Words& words);
[[nodiscard]] FrontOptions read_front_options(const Words& words);

}  // namespace hqe::options
