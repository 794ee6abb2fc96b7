// SPDX-License-Identifier: MIT
/// What of hqe runs models or writes them, which takes Python.

#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hqe::cli {

/// A command that is Python's.
struct PythonCommand {
  std::string_view name;
  std::string_view does;  ///< What makes it need Python.
  std::string_view help;  ///< Its line in the overview.
};

inline constexpr std::array<PythonCommand, 2> python_commands{{
    {"collect", "runs models", "makes one of ONNX models and data"},
    {"export", "writes models", "makes one ONNX file of a team"},
}};

/// The row of that name, or nullptr.
[[nodiscard]] const PythonCommand* python_command(std::string_view name);

/// The Python that HQE_PYTHON names, else that of the virtual environment the command is installed
/// in, else python3.
[[nodiscard]] std::string python_name();

/// What that Python prints when it runs the program `source`; nothing where it cannot, or says that
/// it failed.
[[nodiscard]] std::optional<std::string> ask_python(const std::string& source);

/// Becomes `python -m hqe` with these arguments, of which the first is `command`, of the Python
/// that python_name() tells. Throws UsageError where there is none. Where it lacks the module, that
/// Python says so and ends with 2.
[[noreturn]] void become_python(const PythonCommand& command,
                                const std::vector<std::string>& arguments);

}  // namespace hqe::cli
