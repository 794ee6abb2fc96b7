// SPDX-License-Identifier: MIT
#include "hqe/study/trust.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "hqe/base/words.h"

namespace hqe {
namespace {

constexpr std::array held_out_words{Word{HeldOut::nothing, "nothing"}, Word{HeldOut::half, "half"},
                                    Word{HeldOut::share, "share"}, Word{HeldOut::folds, "folds"},
                                    Word{HeldOut::test, "test"}};

const JudgedRuleRow& row_of(JudgedRule rule) {
  return judged_rule_rows.at(static_cast<std::size_t>(rule));
}

}  // namespace

std::string_view to_string(JudgedRule rule) { return row_of(rule).name; }

std::optional<JudgedRule> parse_judged_rule(std::string_view name) {
  const auto found = std::ranges::find(judged_rule_rows, name, &JudgedRuleRow::name);
  return found == judged_rule_rows.end() ? std::nullopt : std::optional(found->rule);
}

std::string title_of(JudgedRule rule, int size) {
  return fmt::format(fmt::runtime(row_of(rule).title), size);
}

std::string label_of(JudgedRule rule, int size) {
  return fmt::format(fmt::runtime(row_of(rule).label), size);
}

std::string_view to_string(HeldOut held_out) { return word_of(held_out_words, held_out); }

std::optional<HeldOut> parse_held_out(std::string_view word) {
  return value_of(held_out_words, word);
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
