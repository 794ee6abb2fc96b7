// SPDX-License-Identifier: MIT
#include "hqe/base/message.h"

#include <algorithm>

#include "hqe/base/capital.h"

namespace hqe {
namespace {

/// A number after a name says that the name is one; a word after it does not.
std::string plain_words(const OptionName& option) {
  if (!option.value) return "the option " + option.name;
  if (option.value->empty()) return "the option " + option.name + " ''";
  const std::string& value = *option.value;
  const bool is_number = value.find_first_of("0123456789") <= (value.front() == '-' ? 1U : 0U);
  std::string text = (is_number ? "" : "the option ") + option.name + " " + value;
  std::ranges::replace(text, '=', ' ');
  return text;
}

std::string plain_words(const CommandName& command) {
  if (!command.with_option) return command.name;
  return command.name + " with " + plain_words(OptionName{.name = *command.with_option});
}

std::string spelled(const OptionName& option, const Spelling& spelling) {
  return spelling.option ? spelling.option(option) : plain_words(option);
}

std::string spelled(const CommandName& command, const Spelling& spelling) {
  return spelling.command ? spelling.command(command) : plain_words(command);
}

}  // namespace

Message::Message(const OptionName& option) : text_(plain_words(option)) {
  places_.push_back({.begin = 0, .length = text_.size(), .named = option});
}

Message::Message(const CommandName& command) : text_(plain_words(command)) {
  places_.push_back({.begin = 0, .length = text_.size(), .named = command});
}

std::string Message::text(const Spelling& spelling) const {
  if (!spelling.option && !spelling.command) return text_;
  std::string text;
  std::size_t end = 0;
  for (const Place& place : places_) {
    text.append(text_, end, place.begin - end);
    text += std::visit([&](const auto& named) { return spelled(named, spelling); }, place.named);
    end = place.begin + place.length;
  }
  return text.append(text_, end);
}

std::vector<Message::Piece> Message::pieces() const {
  std::vector<Piece> pieces;
  std::size_t end = 0;
  const auto add_words = [&](std::size_t until) {
    if (end < until) pieces.push_back({text_.substr(end, until - end)});
  };
  for (const Place& place : places_) {
    add_words(place.begin);
    pieces.push_back({text_.substr(place.begin, place.length), place.named});
    end = place.begin + place.length;
  }
  add_words(text_.size());
  return pieces;
}

Message& Message::operator+=(Message more) {
  const std::size_t before = text_.size();
  const bool begins_sentence = text_.ends_with(". ");
  text_ += more.text_;
  for (Place& place : more.places_) {
    char& first = text_[before + place.begin];
    if (begins_sentence && place.begin == 0) first = capital(first);
    place.begin += before;
    places_.push_back(std::move(place));
  }
  return *this;
}

}  // namespace hqe
