// SPDX-License-Identifier: MIT
#include "hqe/tables/short_words.h"

#include <array>
#include <cstring>

namespace hqe {

void ShortWords::learn(std::string_view word, std::int32_t number) {
  if (word.empty() || word.size() > 16) return;
  std::array<std::uint64_t, 2> bytes{};
  std::memcpy(bytes.data(), word.data(), word.size());
  entries_[slot_of(bytes[0], bytes[1])] = {bytes[0], bytes[1],
                                           static_cast<std::uint32_t>(word.size()), number};
}

}  // namespace hqe
