// SPDX-License-Identifier: MIT
/// What a digest says of its pool: a JSON document of a stranger. Private to formats/.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "hqe/predictions/digest_part.h"

namespace hqe {

struct DigestAbout {
  Pool pool;  ///< No predictions; models have their type.
  std::uint64_t first_row = 0;
  DigestShape shape;
};

/// Throws InputError, naming `file`, for what is no such document, another version, a number out of
/// its range.
[[nodiscard]] DigestAbout read_digest_about(std::string_view text, const std::string& file);

}  // namespace hqe
