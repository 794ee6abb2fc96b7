// SPDX-License-Identifier: MIT
/// hqe collect: runs models, which takes Python.

#pragma once

#include <string>
#include <vector>

namespace hqe::cli {

/// Becomes `python -m hqe` with these arguments: the Python that HQE_PYTHON names, else python3.
/// Throws UsageError where there is none. Where it lacks the module, that Python says so and ends
/// with 2.
[[noreturn]] void become_python(const std::vector<std::string>& arguments);

}  // namespace hqe::cli
