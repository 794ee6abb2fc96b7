// SPDX-License-Identifier: MIT
#include "hqe/base/option_name.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

namespace hqe::detail {

struct Writing::Text {
  /// Where a message stands.
  struct Cut {
    std::size_t place;
    const Message* message;
  };
  fmt::memory_buffer text;
  std::vector<Cut> cuts;
};

Writing::Writing() : text_(std::make_unique<Text>()) {}
Writing::~Writing() = default;

void Writing::place(const Message& message) {
  text_->cuts.push_back({text_->text.size(), &message});
}

Message Writing::written(fmt::string_view format, fmt::format_args arguments) {
  fmt::vformat_to(fmt::appender(text_->text), format, arguments);
  const std::string_view text(text_->text.data(), text_->text.size());
  Message message;
  std::size_t end = 0;
  for (const Text::Cut& cut : text_->cuts) {
    message += std::string(text.substr(end, cut.place - end));
    message += *cut.message;
    end = cut.place;
  }
  message += std::string(text.substr(end));
  return message;
}

}  // namespace hqe::detail
