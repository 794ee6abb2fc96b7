// SPDX-License-Identifier: MIT
#include "hqe/study/options.h"

#include <algorithm>

namespace hqe {

int default_size(int model_count) {
  return std::max(2, std::min(HierarchicalOptions{}.desired_size, model_count / 2));
}

std::string_view to_string(By by) { return by == By::mean ? "mean" : "hierarchical"; }

std::string_view to_string(Scale scale) { return scale == Scale::all ? "all" : "candidates"; }

std::string_view to_string(Merit merit) {
  if (merit == Merit::balanced) return "balanced";
  return merit == Merit::logloss ? "logloss" : "accuracy";
}

std::optional<Merit> parse_merit(std::string_view word) {
  for (const Merit merit : all_merits) {
    if (to_string(merit) == word) return merit;
  }
  return std::nullopt;
}

std::optional<By> parse_by(std::string_view word) {
  for (const By by : all_bys) {
    if (to_string(by) == word) return by;
  }
  return std::nullopt;
}

std::string_view to_string(Choose choose) {
  return choose == Choose::consensus ? "consensus" : "evidence";
}

std::optional<Choose> parse_choose(std::string_view word) {
  for (const Choose choose : all_chooses) {
    if (to_string(choose) == word) return choose;
  }
  return std::nullopt;
}

std::string_view to_string(Prefer prefer) { return prefer == Prefer::cost ? "cost" : "accuracy"; }

std::optional<Prefer> parse_prefer(std::string_view word) {
  for (const Prefer prefer : all_prefers) {
    if (to_string(prefer) == word) return prefer;
  }
  return std::nullopt;
}

std::optional<Scale> parse_scale(std::string_view word) {
  for (const Scale scale : all_scales) {
    if (to_string(scale) == word) return scale;
  }
  return std::nullopt;
}

}  // namespace hqe
