// SPDX-License-Identifier: MIT
/// What this processor can do, in Highway's terms. Private to bits/.
///
/// Highway's headers ask three functions for it at run time. processor.cpp defines them, so that
/// its shared library is not needed: that one measures clocks whenever it is loaded, which took
/// half of the time in which a short command was done. The definitions are weak: a program that
/// brings Highway's own uses those.

#pragma once

#include <cstdint>

namespace hqe {

/// Every target of Highway that the processor and the system support, as bits.
[[nodiscard]] std::int64_t processor_targets();

}  // namespace hqe
