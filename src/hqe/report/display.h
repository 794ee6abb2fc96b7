// SPDX-License-Identifier: MIT
/// Text on a terminal: how wide it is, how to shorten and wrap it. Model names come from strangers,
/// so whatever could move the cursor or colour the screen is replaced.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hqe {

/// The text with control characters and bytes that are not UTF-8 replaced by U+FFFD.
[[nodiscard]] std::string displayable(std::string_view text);

/// Columns that the text takes on a terminal: 2 for wide East Asian characters and emoji, 0 for
/// combining marks. Requires: displayable text.
[[nodiscard]] int display_width(std::string_view text);

/// The text in at most `width` columns; a longer one loses its middle to an ellipsis, because the
/// ends of model names tell them apart. Requires: width >= 1.
[[nodiscard]] std::string shorten(std::string_view text, int width);

/// Lines of at most `width` columns, broken at spaces; a longer word is shortened.
[[nodiscard]] std::vector<std::string> wrap(std::string_view text, int width);

/// What a piece of text is, for the eye.
enum class Paint { plain, heading, faint, good, bad };

/// The text in its colour, or as it is where `colour` is false.
[[nodiscard]] std::string painted(std::string_view text, Paint paint, bool colour);

}  // namespace hqe
