// SPDX-License-Identifier: MIT
#include "hqe/base/version.h"

namespace hqe {

std::string_view version() { return HQE_VERSION; }

}  // namespace hqe
