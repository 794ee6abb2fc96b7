// SPDX-License-Identifier: MIT
/// Comparisons and fronts as documents. docs/formats.md describes every key. Written in
/// compare_json.cpp and csv_writer.cpp.

#pragma once

#include <string>

#include "hqe/methods/compare.h"
#include "hqe/methods/front.h"
#include "hqe/text/sink.h"

namespace hqe {

/// Each document ends with a newline. Its bytes depend on the value alone. Throws what the sink
/// throws.
void write_json(const Comparison& comparison, const Sink& sink);
void write_json(const Front& front, const Sink& sink);

/// The same in one string.
[[nodiscard]] std::string to_json(const Comparison& comparison);
[[nodiscard]] std::string to_json(const Front& front);

/// A row a method; a row a cost and team.
void write_csv(const Comparison& comparison, const Sink& sink);
void write_csv(const Front& front, const Sink& sink);

}  // namespace hqe
