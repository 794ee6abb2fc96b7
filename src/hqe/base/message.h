// SPDX-License-Identifier: MIT
/// A text for people that may name options and commands. The engine names them neutrally, and
/// whoever shows the text spells them as its readers write them.

#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace hqe {

/// An option that a message names.
struct OptionName {
  std::string name;                    ///< As documents call it: "max_candidates".
  std::optional<std::string> value{};  ///< "50", "auto", "params=1e8"; nothing: any value.

  [[nodiscard]] bool operator==(const OptionName&) const = default;
};

/// A command that a message names.
struct CommandName {
  std::string name;                             ///< "inspect".
  bool is_saved = false;                        ///< And what it answers about a pool is saved.
  std::optional<std::string> with_option = {};  ///< One that it takes: "cascade".

  [[nodiscard]] bool operator==(const CommandName&) const = default;
};

/// How a face of hqe writes what messages name. What has no function is in plain words.
struct Spelling {
  std::function<std::string(const OptionName&)> option{};
  std::function<std::string(const CommandName&)> command{};
};

/// What is an option or a command in the text is known beside the text: nothing that a stranger
/// writes into a file, or calls one, can pass for one.
class Message {
 public:
  Message() = default;
  // Texts become messages without ceremony; option_name.h makes those that name something.
  Message(std::string text) : text_(std::move(text)) {}
  Message(const char* text) : text_(text) {}
  explicit Message(const OptionName& option);
  explicit Message(const CommandName& command);

  [[nodiscard]] bool empty() const { return text_.empty(); }

  /// In plain words, as documents have it: "keep 50", "the option keep", "the option size auto",
  /// "inspect". What is named at the beginning of a sentence has a capital.
  [[nodiscard]] const std::string& text() const { return text_; }

  /// With options and commands as `spelling` writes them.
  [[nodiscard]] std::string text(const Spelling& spelling) const;

  /// A stretch of the text: words, or what is named.
  struct Piece {
    std::string text;  ///< In plain words.
    std::optional<std::variant<OptionName, CommandName>> named{};
  };
  /// All of it, one after the other; added up again they are the message. None is empty.
  [[nodiscard]] std::vector<Piece> pieces() const;

  Message& operator+=(Message more);
  [[nodiscard]] friend Message operator+(Message first, Message more) {
    first += std::move(more);
    return first;
  }
  [[nodiscard]] bool operator==(const Message&) const = default;

 private:
  struct Place {
    std::size_t begin = 0, length = 0;  ///< In the text.
    std::variant<OptionName, CommandName> named;

    [[nodiscard]] bool operator==(const Place&) const = default;
  };

  std::string text_;
  std::vector<Place> places_;  ///< In the order of the text.
};

}  // namespace hqe
