// SPDX-License-Identifier: MIT
#include "hqe/base/message.h"

#include <algorithm>

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

}  // namespace

Message::Message(const OptionName& option) : text_(plain_words(option)) {
  options_.push_back({.begin = 0, .length = text_.size(), .option = option});
}

std::string Message::text(const Spelling& spelling) const {
  if (!spelling) return text_;
  std::string spelled;
  std::size_t end = 0;
  for (const Place& place : options_) {
    spelled.append(text_, end, place.begin - end).append(spelling(place.option));
    end = place.begin + place.length;
  }
  return spelled.append(text_, end);
}

std::vector<Message::Piece> Message::pieces() const {
  std::vector<Piece> pieces;
  std::size_t end = 0;
  const auto add_words = [&](std::size_t until) {
    if (end < until) pieces.push_back({text_.substr(end, until - end)});
  };
  for (const Place& place : options_) {
    add_words(place.begin);
    pieces.push_back({text_.substr(place.begin, place.length), place.option});
    end = place.begin + place.length;
  }
  add_words(text_.size());
  return pieces;
}

Message& Message::operator+=(Message more) {
  const std::size_t before = text_.size();
  const bool begins_sentence = text_.ends_with(". ");
  text_ += more.text_;
  for (Place& place : more.options_) {
    char& first = text_[before + place.begin];
    if (begins_sentence && place.begin == 0 && first >= 'a' && first <= 'z') {
      first = static_cast<char>(first - 'a' + 'A');
    }
    place.begin += before;
    options_.push_back(std::move(place));
  }
  return *this;
}

}  // namespace hqe
