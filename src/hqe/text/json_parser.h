// SPDX-License-Identifier: MIT
/// JSON as a tree, of a stranger's bytes. Private: nlohmann's header is slow.

#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace hqe {

using Json = nlohmann::json;

/// Thrown where a text is no JSON that HQE takes. Callers know the file, and what it should be.
struct BadJson {
  std::string place;   ///< "byte 17", or nothing.
  std::string reason;  ///< "this is not JSON", "is nested too deeply", "the name "a" occurs twice".
};

/// The text as a tree of at most `max_depth` lists and objects within each other, so that whoever
/// walks it may call itself. Names of an object occur once: readers differ in which of two they
/// take. Time and memory follow the length of the text. Throws BadJson.
[[nodiscard]] Json parse_json(std::string_view text, std::size_t max_depth);

}  // namespace hqe
