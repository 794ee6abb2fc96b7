// SPDX-License-Identifier: MIT
/// Results as text for a terminal. Everything shown was computed before; here it is only arranged.
/// Implemented in prune_text.cpp, inspect_text.cpp, serving_text.cpp, cascade_text.cpp and
/// verb_texts.cpp.

#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "hqe/base/message.h"
#include "hqe/study/study.h"
#include "hqe/verbs/verbs.h"

namespace hqe {

struct TextOptions {
  /// Columns of the page; lines are no longer unless a single number or name is.
  int width = 100;
  /// Escape sequences for a terminal that shows colours.
  bool colour = false;
  /// Teams by the names of their models; else by ids, which take less room.
  bool by_name = true;
  /// Every table of a study, not only its decision.
  bool verbose = false;
  /// Rows of a table of teams, best first; the heading says how many there are.
  std::size_t top = 5;
  /// How options and commands are written; none: in plain words.
  Spelling spelling{};
  /// The last line of a decision, what its reader may ask for next; none where it is empty.
  std::string next{};
  /// Where its reader finds the notes that a decision leaves out to fit a screen; may be empty.
  std::string all_notes{};
};

/// Each text ends with a newline and depends on its arguments alone.
[[nodiscard]] std::string to_text(const Study& study, const TextOptions& options = {});
[[nodiscard]] std::string to_text(const Sweep& sweep, const TextOptions& options = {});
[[nodiscard]] std::string to_text(const Explanations& explanations,
                                  const TextOptions& options = {});
[[nodiscard]] std::string to_text(const Scores& scores, const TextOptions& options = {});
[[nodiscard]] std::string to_text(const Evaluation& evaluation, const TextOptions& options = {});
[[nodiscard]] std::string to_text(const Inspection& inspection, const TextOptions& options = {});
[[nodiscard]] std::string to_text(const Ordering& ordering, const TextOptions& options = {});
[[nodiscard]] std::string to_text(const Cascading& cascading, const TextOptions& options = {});
[[nodiscard]] std::string to_text(const Combined& combined, const TextOptions& options = {});

}  // namespace hqe
