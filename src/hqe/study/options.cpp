// SPDX-License-Identifier: MIT
#include "hqe/study/options.h"

namespace hqe {

std::string_view to_string(By by) { return by == By::mean ? "mean" : "hierarchical"; }

std::string_view to_string(Scale scale) { return scale == Scale::all ? "all" : "candidates"; }

std::string_view to_string(Merit merit) {
  if (merit == Merit::balanced) return "balanced";
  return merit == Merit::logloss ? "logloss" : "accuracy";
}

std::optional<Merit> parse_merit(std::string_view word) {
  for (const Merit merit : {Merit::accuracy, Merit::balanced, Merit::logloss}) {
    if (to_string(merit) == word) return merit;
  }
  return std::nullopt;
}

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
