// SPDX-License-Identifier: MIT
#include "hqe/bits/processor.h"

#include <atomic>

#include "hwy/targets.h"

namespace hqe {

std::int64_t processor_targets() {
  std::int64_t targets = HWY_STATIC_TARGET;
#if HWY_ARCH_X86
  __builtin_cpu_init();
  // Each target needs the ones before it.
  if (!__builtin_cpu_supports("ssse3")) return targets;
  targets |= HWY_SSSE3;
  if (!__builtin_cpu_supports("sse4.1") || !__builtin_cpu_supports("sse4.2") ||
      !__builtin_cpu_supports("pclmul") || !__builtin_cpu_supports("aes")) {
    return targets;
  }
  targets |= HWY_SSE4;
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi") ||
      !__builtin_cpu_supports("bmi2") || !__builtin_cpu_supports("fma") ||
      !__builtin_cpu_supports("f16c") || !__builtin_cpu_supports("lzcnt")) {
    return targets;
  }
  targets |= HWY_AVX2;
  if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512vl") ||
      !__builtin_cpu_supports("avx512dq") || !__builtin_cpu_supports("avx512bw") ||
      !__builtin_cpu_supports("avx512cd")) {
    return targets;
  }
  targets |= HWY_AVX3;
  if (!__builtin_cpu_supports("avx512vnni") || !__builtin_cpu_supports("vpclmulqdq") ||
      !__builtin_cpu_supports("avx512vbmi") || !__builtin_cpu_supports("avx512vbmi2") ||
      !__builtin_cpu_supports("vaes") || !__builtin_cpu_supports("avx512bitalg") ||
      !__builtin_cpu_supports("avx512vpopcntdq")) {
    return targets;
  }
  targets |= HWY_AVX3_DL;
#endif
  return targets;
}

}  // namespace hqe

namespace hwy {
namespace {

std::atomic<std::int64_t> forced_targets{0};  // 0 = none.

}  // namespace

[[gnu::weak]] ChosenTarget& GetChosenTarget() {
  static ChosenTarget chosen;
  return chosen;
}

[[gnu::weak]] std::int64_t SupportedTargets() {
  static const std::int64_t found = hqe::processor_targets();
  const std::int64_t forced = forced_targets;
  return forced != 0 ? forced : found;
}

[[gnu::weak]] void SetSupportedTargetsForTest(std::int64_t targets) {
  forced_targets = targets;
  GetChosenTarget().DeInit();
}

}  // namespace hwy
