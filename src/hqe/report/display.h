// SPDX-License-Identifier: MIT
/// Text on a terminal: how wide it is, how to shorten and wrap it. Model names come from strangers:
/// displayable() (printable.h) makes them fit for it.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "hqe/text/printable.h"

namespace hqe {

/// Columns that the text takes on a terminal: 2 for wide East Asian characters and emoji, 0 for
/// combining marks. Requires: displayable text.
[[nodiscard]] int display_width(std::string_view text);

/// The text in at most `width` columns; a longer one loses its middle to an ellipsis, because the
/// ends of model names tell them apart. Requires: width >= 1.
[[nodiscard]] std::string shorten(std::string_view text, int width);

/// Lines of at most `width` columns, broken at spaces; a longer word is shortened.
[[nodiscard]] std::vector<std::string> wrap(std::string_view text, int width);

/// A message, or a name, as one line for people: displayable, without the middle of words above 200
/// columns, and of at most 1,000 columns. Clean text of usual length stays as it is.
[[nodiscard]] std::string message_text(std::string_view text);

/// What a piece of text is, for the eye.
enum class Paint { plain, heading, faint, good, bad };

/// The text in its colour, or as it is where `colour` is false.
[[nodiscard]] std::string painted(std::string_view text, Paint paint, bool colour);

/// Lines on their way to a terminal: displayable but for line feeds and, where `colour` is true,
/// what painted() adds.
[[nodiscard]] std::string page_text(std::string_view text, bool colour);

}  // namespace hqe
