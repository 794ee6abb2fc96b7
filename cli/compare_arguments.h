// SPDX-License-Identifier: MIT
/// The options of compare and front, but for pools and votes.

#pragma once

#include "cli/command.h"
#include "hqe/methods/compare.h"
#include "hqe/methods/front.h"

namespace hqe::cli {

/// They end in `options`, which must outlive the command.
void add_compare_arguments(Command& command, CompareOptions& options);
void add_front_arguments(Command& command, FrontOptions& options);

}  // namespace hqe::cli
