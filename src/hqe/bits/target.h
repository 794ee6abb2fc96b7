// SPDX-License-Identifier: MIT
/// Which instruction set the dispatched kernels run on. No choice ever changes a result.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hqe {

/// The targets that this binary was compiled for and this CPU supports, slowest first: "scalar",
/// then "sse4", "avx2", "avx3", "avx3_dl". "scalar" is always there; the last one is used
/// unless another is forced.
[[nodiscard]] std::vector<std::string> available_targets();

/// From now on every kernel runs on `name`. Throws UsageError naming the available targets when it
/// is not one of them. Not to be called while kernels run.
void force_target(std::string_view name);

/// The target that a kernel runs on now: a dispatched kernel tells what it was compiled for.
[[nodiscard]] std::string active_target();

/// Forces the target that the environment variable HQE_TARGET names, if it is set and not empty.
/// Only the first call does anything, and not even that one after force_target(). The command calls
/// it at start, kernels before their first use. Safe to call from several threads.
/// Throws UsageError as force_target() does.
void apply_target_from_environment();

}  // namespace hqe
