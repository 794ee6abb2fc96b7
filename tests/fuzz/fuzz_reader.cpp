// SPDX-License-Identifier: MIT
// One libFuzzer program a reader; HQE_FUZZ_TARGET names the target.
#include <cstddef>
#include <cstdint>

#include "tests/fuzz/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  hqe::fuzz::HQE_FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
  return 0;
}
