// SPDX-License-Identifier: MIT
/// What a digest says of its pool: a JSON document of a stranger. Private to formats/.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "hqe/predictions/digest_part.h"

namespace hqe {

struct DigestAbout {
  Pool pool;  ///< No predictions; models have their type.
  std::uint64_t first_row = 0;
  std::optional<std::uint64_t> pool_rows{};  ///< Where the rows of all digests end, if known.
  std::optional<bool> names_are_labels{};    ///< As of Pool; nothing: nobody says.
  DigestShape shape;
};

/// Throws InputError, naming `file`, for what is no such document, another version, a number out of
/// its range.
[[nodiscard]] DigestAbout read_digest_about(std::string_view text, const std::string& file);

}  // namespace hqe
