// SPDX-License-Identifier: MIT
/// `recommended.serving` of a study's document, written.

#pragma once

#include <optional>

#include "hqe/calibration/serving.h"
#include "hqe/documents/json_writer.h"

namespace hqe {

/// Into the open object; null where there is nothing.
void write_serving(JsonWriter& json, const std::optional<Serving>& serving);

}  // namespace hqe
