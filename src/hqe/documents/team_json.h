// SPDX-License-Identifier: MIT
/// The team file of docs/formats.md.

#pragma once

#include <string>
#include <string_view>

#include "hqe/study/team_file.h"
#include "hqe/text/sink.h"

namespace hqe {

/// Ends with a newline; its bytes depend on the value alone. Throws what the sink throws.
void write_json(const TeamFile& file, const Sink& sink);
[[nodiscard]] std::string to_json(const TeamFile& file);

/// The document, a JSON object and a newline, with the checksum of its bytes as its last member:
/// 64-bit FNV-1a in 16 hexadecimal digits. Requires: it ends in "}\n" and is not "{}\n".
[[nodiscard]] std::string sealed(std::string document);

/// True where `sealed()` gave the text.
[[nodiscard]] bool is_sealed(std::string_view text);

}  // namespace hqe
