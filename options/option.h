// SPDX-License-Identifier: MIT
/// Options as the faces of hqe offer them: the command spells them, Python calls them by name.

#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "hqe/base/error.h"
#include "hqe/base/message.h"

namespace hqe::options {

struct Option {
  std::string name;   ///< As documents call it: "max_candidates".
  std::string value;  ///< How help calls the value: "S". Empty: a flag.
  Message help;       ///< One sentence.
  /// Called once an occurrence, in order, a flag with "". Throws UsageError.
  std::function<void(const std::string&)> take;
  bool repeats = false;  ///< May be given more than once.
};

using OptionList = std::vector<Option>;

/// What was asked for, option by option: ("size", "3"), ("keep_last_tier", "True").
using Words = std::vector<std::pair<std::string, std::string>>;

/// There is no option of that name.
class UnknownOption : public UsageError {
 public:
  using UsageError::UsageError;
};

/// Gives each word to the option of its name, to a flag where it is True. Throws UnknownOption, and
/// UsageError for what the option does not take.
void take_words(const OptionList& list, const Words& words);

/// What words ask for; `add` lets a list fill it in. Throws as take_words().
template <typename Asked, typename Add>
[[nodiscard]] Asked read_words(const Words& words, Add add) {
  OptionList list;
  Asked asked;
  add(list, asked);
  take_words(list, words);
  return asked;
}

}  // namespace hqe::options
