// SPDX-License-Identifier: MIT
/// A stranger's bytes made fit for somebody's terminal: names of models, files and classes, values
/// of documents.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hqe {

/// The text with an escape such as \x1b or \u202e in the place of every character that moves the
/// cursor, colours the screen, breaks the line, turns the direction of writing or cannot be seen,
/// and of every byte that is not UTF-8. All else stays, so clean text is returned as it is. What it
/// returns is also free of the characters that XML forbids.
[[nodiscard]] std::string displayable(std::string_view text);

/// The text in quotes, displayable, at most 60 characters of it.
[[nodiscard]] std::string printable(std::string_view text);

/// The code point that well-formed UTF-8 spells. Requires: one whole character.
[[nodiscard]] char32_t code_point(std::string_view character);

/// The length of the UTF-8 sequence at the start of `text`, 0 if there is no valid one.
/// Requires: !text.empty().
[[nodiscard]] std::size_t utf8_length(std::string_view text);

/// True when the text is well-formed UTF-8.
[[nodiscard]] bool is_utf8(std::string_view text);

}  // namespace hqe
