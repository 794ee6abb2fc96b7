// SPDX-License-Identifier: MIT
/// Where bytes go: a string, a file, standard output. Writers hand over large pieces, in order.

#pragma once

#include <functional>
#include <string_view>

namespace hqe {

/// Takes the next bytes of a document. What it throws passes through the writer.
using Sink = std::function<void(std::string_view)>;

}  // namespace hqe
