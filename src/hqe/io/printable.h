// SPDX-License-Identifier: MIT
/// A stranger's bytes made fit for a message on somebody's terminal.

#pragma once

#include <string>
#include <string_view>

namespace hqe {

/// The text in quotes, what is not printable ASCII as \xNN, at most 60 bytes of it.
[[nodiscard]] std::string printable(std::string_view text);

/// True when the text is well-formed UTF-8.
[[nodiscard]] bool is_utf8(std::string_view text);

}  // namespace hqe
