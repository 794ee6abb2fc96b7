// SPDX-License-Identifier: MIT
/// Long columns of whole numbers as the report page reads them: byte planes, gzip, base64
/// (web/README.md, "Many teams").

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "hqe/documents/json_writer.h"

namespace hqe {

/// Writes `{"dtype", "length", "offset", "step", "data"}`, where a value is
/// `offset + step * integer`. The narrowest of u8, u16, u32 that holds every integer is used.
/// Requires: integers below 2^32.
void write_packed_column(JsonWriter& json, std::string_view name,
                         std::span<const std::uint32_t> integers, double offset = 0,
                         double step = 1);

/// RFC 4648, standard alphabet, padded.
[[nodiscard]] std::string base64(std::string_view bytes);

/// RFC 1952, without a time or name: the same bytes for the same input and zlib.
[[nodiscard]] std::string gzip(std::string_view bytes);

}  // namespace hqe
