// SPDX-License-Identifier: MIT
#include "hqe/study/trust.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

namespace hqe {
namespace {

constexpr std::array held_out_words{
    std::pair{HeldOut::nothing, std::string_view("nothing")},
    std::pair{HeldOut::half, std::string_view("half")},
    std::pair{HeldOut::share, std::string_view("share")},
    std::pair{HeldOut::folds, std::string_view("folds")},
    std::pair{HeldOut::test, std::string_view("test")},
};

}  // namespace

std::string_view to_string(HeldOut held_out) {
  return std::ranges::find(held_out_words, held_out, &std::pair<HeldOut, std::string_view>::first)
      ->second;
}

std::optional<HeldOut> parse_held_out(std::string_view word) {
  for (const auto& [held_out, name] : held_out_words) {
    if (name == word) return held_out;
  }
  return std::nullopt;
}

std::string baseline_title(std::string_view against, int size) {
  if (against == "entire_ensemble") return "the entire ensemble";
  if (against == "best_single") return "the best single model";
  return fmt::format("the {} most accurate models", size);
}

std::optional<double> SideBySide::optimism() const {
  if (!held_out) return std::nullopt;
  return selection.accuracy() - held_out->accuracy();
}

double BaselineComparison::difference() const {
  return merit ? merit->difference : (held_out ? *held_out : selection).counts.difference();
}

const Interval& BaselineComparison::interval() const {
  if (merit) return merit->interval;
  return held_out ? held_out->interval : corrected;
}

}  // namespace hqe
