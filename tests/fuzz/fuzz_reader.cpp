// SPDX-License-Identifier: MIT
// One libFuzzer program a target; HQE_FUZZ_TARGET names it.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "tests/fuzz/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto& target =
      *std::ranges::find(hqe::fuzz::all_targets(), HQE_FUZZ_TARGET, &hqe::fuzz::NamedTarget::name);
  target.run({reinterpret_cast<const char*>(data), size});
  return 0;
}
