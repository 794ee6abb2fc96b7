// SPDX-License-Identifier: MIT
#include "options/words.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "hqe/base/option_name.h"

namespace hqe::options {

namespace {

[[noreturn]] void refuse(std::string_view name, std::string_view word, std::string_view expected) {
  throw UsageError(message("{}: expected {}.", option(name, word), expected));
}

/// The whole word as a number, or nothing.
template <typename Number>
std::optional<Number> whole(std::string_view word) {
  Number number{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return number;
}

std::optional<double> finite(std::string_view word) {
  const auto number = whole<double>(word);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

/// Sums of steps drift: the third of 0.05, 0.10, 0.15 must be the double that people call 0.15.
double rounded(double value) { return std::round(value * 1e12) / 1e12; }

constexpr int most_values = 10'000;

}  // namespace

std::string lower(std::string_view word) {
  std::string text(word);
  std::ranges::transform(text, text.begin(), [](char byte) {
    return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte - 'A' + 'a') : byte;
  });
  return text;
}

UnknownChoice::UnknownChoice(Message message, std::string_view allowed)
    : UsageError(std::move(message)) {
  for (const std::string& part : split(allowed, ' ')) {
    allowed_.push_back(part.ends_with(',') ? part.substr(0, part.size() - 1) : part);
  }
}

void refuse_choice(std::string_view name, std::string_view word, std::string_view allowed) {
  throw UnknownChoice(message("{}: expected one of {}.", option(name, word), allowed), allowed);
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0;;) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.emplace_back(text.substr(begin, end - begin));
    if (end == text.size()) return parts;
    begin = end + 1;
  }
}

int parse_int(std::string_view name, std::string_view word, int least, int most) {
  const auto number = whole<int>(word);
  if (!number || *number < least || *number > most) {
    const bool is_open = most == std::numeric_limits<int>::max();
    refuse(name, word,
           is_open ? fmt::format("a whole number from {}", least)
                   : fmt::format("a whole number from {} to {}", least, most));
  }
  return *number;
}

int parse_threads(std::string_view word) {
  constexpr int most = 1024;  // More than any machine of today has.
  return parse_int("threads", word, 0, most);
}

std::uint64_t parse_count(std::string_view name, std::string_view word, std::uint64_t least) {
  std::string digits(word);
  std::erase(digits, '_');
  auto number = whole<std::uint64_t>(digits);
  if (!number) {
    const auto real = finite(digits);
    if (real && *real >= 0 && *real <= 9e15 && *real == std::floor(*real)) {
      number = static_cast<std::uint64_t>(*real);
    }
  }
  if (!number || *number < least) refuse(name, word, fmt::format("a whole number from {}", least));
  return *number;
}

double parse_number(std::string_view name, std::string_view word) {
  const auto number = finite(word);
  if (!number) refuse(name, word, "a number");
  return *number;
}

double parse_fraction(std::string_view name, std::string_view word) {
  if (!word.ends_with('%')) {
    const auto number = finite(word);
    if (!number) refuse(name, word, "a fraction such as 0.1 or 10%");
    return *number;
  }
  std::string_view percent = word.substr(0, word.size() - 1);
  if (percent.ends_with(' ')) percent.remove_suffix(1);
  // Shifting the decimal point gives the nearest double, dividing by 100 not always.
  const auto number = finite(std::string(percent) + "e-2");
  if (!number) refuse(name, word, "a fraction such as 0.1 or 10%");
  return *number;
}

std::pair<int, int> parse_size_range(std::string_view name, std::string_view word) {
  const auto parts = split(word, ':');
  const auto first = whole<int>(parts.front());
  const auto last = whole<int>(parts.back());
  if (parts.size() > 2 || !first || !last || *first < 1 || *last < *first) {
    refuse(name, word, "a size such as 3, or a range such as 2:4");
  }
  return {*first, *last};
}

std::vector<int> parse_sizes(std::string_view name, std::string_view word) {
  std::vector<int> sizes;
  for (const std::string& part : split(word, ',')) {
    const auto [first, last] = parse_size_range(name, part);
    if (last - first >= most_values) refuse(name, word, "fewer sizes");
    for (int more = 0; more <= last - first; ++more) {
      const int size = first + more;
      if (std::ranges::find(sizes, size) == sizes.end()) sizes.push_back(size);
    }
  }
  return sizes;
}

std::vector<double> parse_fractions(std::string_view name, std::string_view word) {
  std::vector<double> fractions;
  for (const std::string& part : split(word, ',')) {
    fractions.push_back(parse_fraction(name, part));
  }
  return fractions;
}

std::vector<double> parse_fraction_range(std::string_view name, std::string_view word) {
  const auto parts = split(word, ':');
  if (parts.size() == 1) return parse_fractions(name, word);
  if (parts.size() != 3) refuse(name, word, "a range such as 0.05:0.35:0.05 (from:to:step)");
  const double first = parse_fraction(name, parts[0]);
  const double last = parse_fraction(name, parts[1]);
  const double step = parse_fraction(name, parts[2]);
  if (step <= 0 || last < first || (last - first) / step > most_values) {
    refuse(name, word, "from <= to and a step above 0, such as 0.05:0.35:0.05");
  }
  // A step that rounding swallows would never pass the end.
  const double most_places = (last - first) / step + 1;
  std::vector<double> fractions;
  for (int place = 0; place <= most_places; ++place) {
    const double fraction = rounded(first + place * step);
    if (fraction > rounded(last)) break;
    fractions.push_back(fraction);
  }
  return fractions;
}

SampleOptions parse_sample(std::string_view name, std::string_view word) {
  const auto parts = split(lower(word), 'x');
  const auto draws = whole<int>(parts.front());
  const auto repeats = whole<int>(parts.back());
  if (parts.size() != 2 || !draws || !repeats || *draws < 1 || *repeats < 1) {
    refuse(name, word, "draws x repeats such as 100x3");
  }
  return {.draws = *draws, .repeats = *repeats};
}

Budget parse_budget(std::string_view name, std::string_view word) {
  const std::size_t equals = word.find('=');
  const auto cost = parse_cost(lower(word.substr(0, equals)));
  const auto limit =
      equals == std::string_view::npos ? std::nullopt : finite(word.substr(equals + 1));
  if (!cost || !limit || *limit < 0) {
    refuse(name, word, "COST=LIMIT such as params=1e8, with one of " + words_of(all_costs));
  }
  return {.cost = *cost, .limit = *limit};
}

}  // namespace hqe::options
