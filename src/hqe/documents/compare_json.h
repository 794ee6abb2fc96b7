// SPDX-License-Identifier: MIT
/// Comparisons and fronts as documents, and a saved comparison read back. docs/formats.md
/// describes every key. Written in compare_json.cpp and csv_writer.cpp, read in compare_read.cpp.

#pragma once

#include <string>
#include <string_view>

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

/// Reads what to_json(Comparison) wrote: to_json(comparison_from_json(text, file)) == text for such
/// a text. `file` is for the error message. Throws InputError.
[[nodiscard]] Comparison comparison_from_json(std::string_view text, const std::string& file);

}  // namespace hqe
