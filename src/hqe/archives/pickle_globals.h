// SPDX-License-Identifier: MIT
/// The Python names that a pickle of tensors may mention.

#pragma once

#include <optional>
#include <string_view>

#include "hqe/predictions/array.h"

namespace hqe {

/// True for the names of tensor constructors, storages, number types and OrderedDict.
[[nodiscard]] bool is_known_global(std::string_view name);

/// The number type of a storage class ("torch.FloatStorage") or dtype ("torch.float32"); nothing
/// for any other name.
[[nodiscard]] std::optional<DType> dtype_of_global(std::string_view name);

/// True for storages that do not know the type of their numbers.
[[nodiscard]] bool is_untyped_storage(std::string_view name);

}  // namespace hqe
