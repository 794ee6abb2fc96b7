// SPDX-License-Identifier: MIT
#include "hqe/bits/target.h"

#include <algorithm>
#include <cstdlib>
#include <mutex>

#include "hqe/base/error.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hqe/bits/target.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace hqe {
namespace HWY_NAMESPACE {

int64_t compiled_target() { return HWY_TARGET; }

}  // namespace HWY_NAMESPACE
}  // namespace hqe
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hqe {
HWY_EXPORT(compiled_target);

namespace {

struct Target {
  std::string name;
  std::int64_t mask;
};

std::string name_of(std::int64_t mask) {
  // Depending on the compiler, Highway's fallback without vectors is one or the other.
  if (mask == HWY_SCALAR || mask == HWY_EMU128) return "scalar";
  std::string name = hwy::TargetName(mask);
  std::ranges::transform(name, name.begin(), [](char c) {
    return 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return name;
}

// Asked once, before anything is forced: Highway then lists only what was forced.
const std::vector<Target>& targets() {
  static const std::vector<Target> list = [] {
    std::vector<Target> result;
    for (const std::int64_t mask : hwy::SupportedAndGeneratedTargets()) {
      if (name_of(mask) != "scalar") result.push_back({name_of(mask), mask});
    }
    // Not in that list on every CPU, but always compiled.
    result.push_back({"scalar", HWY_TARGETS & (HWY_SCALAR | HWY_EMU128)});
    std::ranges::reverse(result);
    return result;
  }();
  return list;
}

std::once_flag environment_applied;

void force(std::string_view name) {
  const auto& list = targets();
  const auto found = std::ranges::find(list, name, &Target::name);
  if (found == list.end()) {
    std::string known;
    for (const Target& target : list) known += (known.empty() ? "" : ", ") + target.name;
    throw UsageError("there is no target '" + std::string(name) + "' here. Available: " + known);
  }
  hwy::SetSupportedTargetsForTest(found->mask);
}

}  // namespace

std::vector<std::string> available_targets() {
  std::vector<std::string> names;
  for (const Target& target : targets()) names.push_back(target.name);
  return names;
}

void force_target(std::string_view name) {
  force(name);
  std::call_once(environment_applied, [] {});
}

std::string active_target() {
  apply_target_from_environment();
  return name_of(HWY_DYNAMIC_DISPATCH(compiled_target)());
}

void apply_target_from_environment() {
  std::call_once(environment_applied, [] {
    const char* name = std::getenv("HQE_TARGET");
    if (name != nullptr && *name != '\0') force(name);
  });
}

}  // namespace hqe
#endif  // HWY_ONCE
