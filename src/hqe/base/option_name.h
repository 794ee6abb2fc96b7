// SPDX-License-Identifier: MIT
/// How the engine writes messages that name options:
///
///   throw UsageError(message("{} teams, more than {}. Raise {}", count,
///                            option("max_candidates", limit), option("max_candidates")));

#pragma once

#include <fmt/format.h>

#include <string_view>
#include <type_traits>
#include <vector>

#include "hqe/base/message.h"

namespace hqe {

/// The option itself, whatever its value.
[[nodiscard]] inline Message option(std::string_view name) {
  return Message(OptionName{.name = std::string(name)});
}

/// The option with a value: a number, or a word.
template <typename Value>
[[nodiscard]] Message option(std::string_view name, const Value& value) {
  return Message(OptionName{.name = std::string(name), .value = fmt::format("{}", value)});
}

namespace detail {

/// Where a message stands in a text that is being written.
struct Cut {
  std::size_t place;
  const Message* message;
};

/// A message as an argument of fmt, which is told its place and writes nothing.
struct MessageArgument {
  const Message* message;
  const fmt::memory_buffer* text;
  std::vector<Cut>* cuts;
};

/// The text with a message at each cut.
[[nodiscard]] Message joined(std::string_view text, const std::vector<Cut>& cuts);

template <typename Value>
using Argument = std::conditional_t<std::is_same_v<Value, Message>, MessageArgument, const Value&>;

}  // namespace detail

/// As fmt::format; arguments may be messages, whose options stay options.
template <typename... Values>
[[nodiscard]] Message message(fmt::format_string<detail::Argument<Values>...> format,
                              const Values&... values);

}  // namespace hqe

template <>
struct fmt::formatter<hqe::detail::MessageArgument> {
  static constexpr auto parse(fmt::format_parse_context& context) { return context.begin(); }
  static auto format(const hqe::detail::MessageArgument& argument, fmt::format_context& context) {
    argument.cuts->push_back({argument.text->size(), argument.message});
    return context.out();
  }
};

template <typename... Values>
hqe::Message hqe::message(fmt::format_string<detail::Argument<Values>...> format,
                          const Values&... values) {
  fmt::memory_buffer text;
  std::vector<detail::Cut> cuts;
  const auto argument = [&]<typename Value>(const Value& value) -> detail::Argument<Value> {
    if constexpr (std::is_same_v<Value, Message>) {
      return {&value, &text, &cuts};
    } else {
      return value;
    }
  };
  fmt::format_to(fmt::appender(text), format, argument(values)...);
  return detail::joined({text.data(), text.size()}, cuts);
}
