// SPDX-License-Identifier: MIT
#include "hqe/study/options.h"

namespace hqe {

std::string_view to_string(By by) { return by == By::mean ? "mean" : "hierarchical"; }

std::string_view to_string(Scale scale) { return scale == Scale::all ? "all" : "candidates"; }

std::optional<By> parse_by(std::string_view word) {
  for (const By by : {By::hierarchical, By::mean}) {
    if (to_string(by) == word) return by;
  }
  return std::nullopt;
}

std::optional<Scale> parse_scale(std::string_view word) {
  for (const Scale scale : {Scale::candidates, Scale::all}) {
    if (to_string(scale) == word) return scale;
  }
  return std::nullopt;
}

}  // namespace hqe
