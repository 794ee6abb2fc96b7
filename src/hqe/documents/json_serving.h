// SPDX-License-Identifier: MIT
/// `recommended.serving` of a study's document, written.

#pragma once

#include "hqe/documents/json_writer.h"
#include "hqe/serving/early_exit.h"
#include "hqe/study/study.h"

namespace hqe {

/// Into the open object; null where there is nothing.
void write_serving(JsonWriter& json, const Recommendation& recommended, const PoolSummary& pool);

/// Into the open object, as `early_exit`.
void write_early_exit(JsonWriter& json, const EarlyExit& exit, const PoolSummary& pool);

}  // namespace hqe
