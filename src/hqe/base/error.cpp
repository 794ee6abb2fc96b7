// SPDX-License-Identifier: MIT
#include "hqe/base/error.h"

#include <utility>

namespace hqe {
namespace {

std::string sentence(const std::string& file, const std::string& place, const std::string& reason,
                     const std::string& advice) {
  std::string text = file;
  for (const std::string* part : {&place, &reason}) {
    if (part->empty()) continue;
    if (!text.empty()) text += ": ";
    text += *part;
  }
  if (!advice.empty()) text += ". " + advice;
  return text;
}

}  // namespace

InputError::InputError(std::string file, std::string place, std::string reason, std::string advice)
    : Error(sentence(file, place, reason, advice)),
      file_(std::move(file)),
      place_(std::move(place)),
      reason_(std::move(reason)),
      advice_(std::move(advice)) {}

OutputError::OutputError(std::string file, std::string reason, std::string advice)
    : Error(sentence(file, "", reason, advice)),
      file_(std::move(file)),
      reason_(std::move(reason)),
      advice_(std::move(advice)) {}

}  // namespace hqe
