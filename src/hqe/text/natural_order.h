// SPDX-License-Identifier: MIT
/// The order in which people count: model_2 before model_10.

#pragma once

#include <string_view>

namespace hqe {

/// True when `a` comes before `b`: runs of digits compare as numbers, everything else byte by byte;
/// among names equal in that sense ("a01", "a1") plain byte order decides. A strict total order.
[[nodiscard]] bool natural_less(std::string_view a, std::string_view b);

}  // namespace hqe
