// SPDX-License-Identifier: MIT
/// How the engine writes messages that name options and commands:
///
///   throw UsageError(message("{} teams, more than {}. Raise {}", count,
///                            option("max_candidates", limit), option("max_candidates")));
///   throw InputError(file, "", "is no digest", message("Make it with {}", command("digest")));

#pragma once

#include <fmt/core.h>

#include <memory>
#include <string_view>
#include <type_traits>

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

/// A command, by the name that the command line gives it.
[[nodiscard]] inline Message command(std::string_view name) {
  return Message(CommandName{.name = std::string(name)});
}

/// What a command answers about a pool, saved; some only with an option.
[[nodiscard]] inline Message saved_by(std::string_view name, std::string_view with_option = {}) {
  CommandName command{.name = std::string(name), .is_saved = true};
  if (!with_option.empty()) command.with_option = with_option;
  return Message(command);
}

namespace detail {

/// A text that is being written, with messages in it. Its functions are compiled once: fmt's own
/// would be compiled wherever a message is written, which took a quarter of the library's time.
class Writing {
 public:
  Writing();
  ~Writing();
  Writing(const Writing&) = delete;
  Writing& operator=(const Writing&) = delete;

  /// Remembers that the message stands where the text ends now.
  void place(const Message& message);
  [[nodiscard]] Message written(fmt::string_view format, fmt::format_args arguments);

 private:
  struct Text;
  std::unique_ptr<Text> text_;
};

/// A message as an argument of fmt, which writes nothing: its place is remembered.
struct MessageArgument {
  const Message* message;
  Writing* writing;
};

template <typename Value>
using Argument = std::conditional_t<std::is_same_v<Value, Message>, MessageArgument, const Value&>;

}  // namespace detail

/// As fmt::format; arguments may be messages, and what those name stays named.
template <typename... Values>
[[nodiscard]] Message message(fmt::format_string<detail::Argument<Values>...> format,
                              const Values&... values);

}  // namespace hqe

template <>
struct fmt::formatter<hqe::detail::MessageArgument> {
  static constexpr auto parse(fmt::format_parse_context& context) { return context.begin(); }
  static auto format(const hqe::detail::MessageArgument& argument, fmt::format_context& context) {
    argument.writing->place(*argument.message);
    return context.out();
  }
};

template <typename... Values>
hqe::Message hqe::message(fmt::format_string<detail::Argument<Values>...> format,
                          const Values&... values) {
  detail::Writing writing;
  const auto argument = [&]<typename Value>(const Value& value) -> detail::Argument<Value> {
    if constexpr (std::is_same_v<Value, Message>) {
      return {&value, &writing};
    } else {
      return value;
    }
  };
  const auto written = [&](const auto&... arguments) {
    return writing.written(format, fmt::make_format_args(arguments...));
  };
  return written(argument(values)...);
}
