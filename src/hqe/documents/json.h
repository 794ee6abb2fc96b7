// SPDX-License-Identifier: MIT
/// The JSON documents of spec section 9. docs/formats.md describes every key. Written in
/// json_study.cpp, json_verbs.cpp and json_cascade.cpp.

#pragma once

#include <string>

#include "hqe/digest/write_digest.h"
#include "hqe/study/study.h"
#include "hqe/text/sink.h"
#include "hqe/verbs/verbs.h"

namespace hqe {

/// Whether Study::detail, where there is one, is written too. `for_page` is what the report page
/// reads: the same, said shorter, and many teams are packed (web/README.md). `summary` leaves out
/// the selected teams as well: for callers that read them as columns.
enum class JsonDetail { included, left_out, for_page, summary };

/// Each document ends with a newline. Its bytes depend on the value alone. Memory does not grow
/// with the document. Throws what the sink throws.
void write_json(const Study& study, const Sink& sink, JsonDetail detail = JsonDetail::included);
void write_json(const Sweep& sweep, const Sink& sink);
void write_json(const Explanations& explanations, const Sink& sink);
void write_json(const Scores& scores, const Sink& sink);
void write_json(const Evaluation& evaluation, const Sink& sink);
void write_json(const Inspection& inspection, const Sink& sink);
void write_json(const Ordering& ordering, const Sink& sink);
void write_json(const Cascading& cascading, const Sink& sink);
void write_json(const DigestSummary& summary, const Sink& sink);

/// The same in one string.
[[nodiscard]] std::string to_json(const Study& study, JsonDetail detail = JsonDetail::included);
[[nodiscard]] std::string to_json(const Sweep& sweep);
[[nodiscard]] std::string to_json(const Explanations& explanations);
[[nodiscard]] std::string to_json(const Scores& scores);
[[nodiscard]] std::string to_json(const Evaluation& evaluation);
[[nodiscard]] std::string to_json(const Inspection& inspection);
[[nodiscard]] std::string to_json(const Ordering& ordering);
[[nodiscard]] std::string to_json(const Cascading& cascading);
[[nodiscard]] std::string to_json(const DigestSummary& summary);

}  // namespace hqe
