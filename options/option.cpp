// SPDX-License-Identifier: MIT
#include "options/option.h"

#include <algorithm>

#include "hqe/base/option_name.h"

namespace hqe::options {

void take_words(const OptionList& list, const Words& words) {
  for (const auto& [name, word] : words) {
    const auto found = std::ranges::find(list, name, &Option::name);
    if (found == list.end()) throw UnknownOption("there is no option '" + name + "'");
    if (!found->value.empty()) {
      found->take(word);
    } else if (word == "True") {
      found->take("");
    } else if (word != "False") {
      throw UsageError(message("{}: expected True or False.", option(name, word)));
    }
  }
}

}  // namespace hqe::options
