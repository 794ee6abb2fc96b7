// SPDX-License-Identifier: MIT
/// The small languages of option values: numbers, ranges, lists, choices. Each throws UsageError
/// naming the option, what was found and what is allowed.

#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hqe/base/error.h"
#include "hqe/base/listed.h"
#include "hqe/diversity/focal.h"
#include "hqe/study/options.h"

namespace hqe::options {

[[nodiscard]] int parse_int(std::string_view name, std::string_view word, int least,
                            int most = std::numeric_limits<int>::max());
/// Threads to use: 0 for all, at most 1,024.
[[nodiscard]] int parse_threads(std::string_view word);
/// Also "1e6" and "2_000_000"; whole numbers only.
[[nodiscard]] std::uint64_t parse_count(std::string_view name, std::string_view word,
                                        std::uint64_t least = 0);
[[nodiscard]] double parse_number(std::string_view name, std::string_view word);
/// "0.1" or "10%", exactly the nearest double.
[[nodiscard]] double parse_fraction(std::string_view name, std::string_view word);

[[nodiscard]] std::vector<std::string> split(std::string_view text, char separator);

/// "3", "2:4".
[[nodiscard]] std::pair<int, int> parse_size_range(std::string_view name, std::string_view word);
/// "3", "3:6", "3,5": ranges include their ends.
[[nodiscard]] std::vector<int> parse_sizes(std::string_view name, std::string_view word);
/// "0.1", "10%", "0.2,0.1,0.1".
[[nodiscard]] std::vector<double> parse_fractions(std::string_view name, std::string_view word);
/// As parse_fractions, and "0.05:0.35:0.05": ranges include their ends, and 0.05 + 2 * 0.05 is
/// 0.15.
[[nodiscard]] std::vector<double> parse_fraction_range(std::string_view name,
                                                       std::string_view word);
/// "100x3".
[[nodiscard]] SampleOptions parse_sample(std::string_view name, std::string_view word);
/// "params=1e8".
[[nodiscard]] Budget parse_budget(std::string_view name, std::string_view word);

[[nodiscard]] std::string lower(std::string_view word);

/// The words of a table of choices: "soft, weighted, plurality or majority" with " or " as the last
/// separator.
template <typename Choices>
[[nodiscard]] std::string words_of(const Choices& choices, std::string_view last = ", ");

/// A choice of a table by its word, any case. Throws UsageError naming them all.
template <typename Choices>
[[nodiscard]] auto parse_choice(std::string_view name, std::string_view word,
                                const Choices& choices);

/// The word is none of those that an option allows.
class UnknownChoice : public UsageError {
 public:
  /// `allowed` are joined by commas or spaces.
  UnknownChoice(Message message, std::string_view allowed);

  [[nodiscard]] const std::vector<std::string>& allowed() const { return allowed_; }

 private:
  std::vector<std::string> allowed_;
};

/// Throws UnknownChoice.
[[noreturn]] void refuse_choice(std::string_view name, std::string_view word,
                                std::string_view allowed);

template <typename Choices>
std::string words_of(const Choices& choices, std::string_view last) {
  const auto word = [](auto choice) { return to_string(choice); };
  return listed(choices | std::views::transform(word), last);
}

template <typename Choices>
auto parse_choice(std::string_view name, std::string_view word, const Choices& choices) {
  for (const auto choice : choices) {
    if (to_string(choice) == lower(word)) return choice;
  }
  refuse_choice(name, word, words_of(choices));
}

}  // namespace hqe::options
