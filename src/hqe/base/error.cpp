// SPDX-License-Identifier: MIT
#include "hqe/base/error.h"

#include <utility>

namespace hqe {
namespace {

Message sentence(const std::string& file, const std::string& place, const Message& reason,
                 const Message& advice) {
  Message text = file;
  for (const Message& part : {Message(place), reason}) {
    if (part.empty()) continue;
    if (!text.empty()) text += ": ";
    text += part;
  }
  if (!advice.empty()) text += ". " + advice;
  return text;
}

}  // namespace

Error::Error(Message message) : runtime_error(message.text()), message_(std::move(message)) {}

InputError::InputError(std::string file, std::string place, Message reason, Message advice)
    : Error(sentence(file, place, reason, advice)),
      file_(std::move(file)),
      place_(std::move(place)),
      reason_(std::move(reason)),
      advice_(std::move(advice)) {}

OutputError::OutputError(std::string file, Message reason, Message advice)
    : Error(sentence(file, "", reason, advice)),
      file_(std::move(file)),
      reason_(std::move(reason)),
      advice_(std::move(advice)) {}

}  // namespace hqe
