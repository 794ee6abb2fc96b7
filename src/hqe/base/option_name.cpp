// SPDX-License-Identifier: MIT
#include "hqe/base/option_name.h"

namespace hqe {

Message detail::joined(std::string_view text, const std::vector<Cut>& cuts) {
  Message message;
  std::size_t end = 0;
  for (const Cut& cut : cuts) {
    message += std::string(text.substr(end, cut.place - end));
    message += *cut.message;
    end = cut.place;
  }
  message += std::string(text.substr(end));
  return message;
}

}  // namespace hqe
