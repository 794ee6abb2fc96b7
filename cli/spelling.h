// SPDX-License-Identifier: MIT
/// How the command line writes options.

#pragma once

#include <string>

#include "hqe/base/message.h"

namespace hqe::cli {

/// "--max-candidates", "--keep 50", "--keep ''". What may be given several times is named for one.
[[nodiscard]] std::string spelled_option(const OptionName& option);

}  // namespace hqe::cli
