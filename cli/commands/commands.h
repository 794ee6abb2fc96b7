// SPDX-License-Identifier: MIT
/// Every command, one a file.

#pragma once

#include <string_view>
#include <vector>

#include "cli/command.h"

namespace hqe::cli {

[[nodiscard]] Command inspect_command();
[[nodiscard]] Command score_command();
[[nodiscard]] Command evaluate_command();
[[nodiscard]] Command prune_command();
[[nodiscard]] Command sweep_command();
[[nodiscard]] Command compare_command();
[[nodiscard]] Command front_command();
[[nodiscard]] Command explain_command();
[[nodiscard]] Command order_command();
[[nodiscard]] Command apply_command();
[[nodiscard]] Command team_command();
[[nodiscard]] Command digest_command();
[[nodiscard]] Command synth_command();
[[nodiscard]] Command report_command();
[[nodiscard]] Command plot_command();
[[nodiscard]] Command demo_command();
[[nodiscard]] Command doctor_command();
[[nodiscard]] Command completion_command();
/// `all` gives every command.
[[nodiscard]] Command man_command(std::vector<Command> (*all)());
[[nodiscard]] Command version_command();

/// What compiled this binary: "g++ 12.2.0".
[[nodiscard]] std::string_view compiler_name();

}  // namespace hqe::cli
