// SPDX-License-Identifier: MIT
/// A team's answers as documents: what there is to say of them all, and rows as they come.

#pragma once

#include <memory>
#include <string>

#include "hqe/text/sink.h"
#include "hqe/verbs/apply.h"

namespace hqe {

/// The document of apply: without the answers, which go to a file of their own. Throws
/// what the sink throws.
void write_json(const Combined& combined, const Sink& sink);
[[nodiscard]] std::string to_json(const Combined& combined);

/// Write a row a sample: its label (a class's name where classes have names), the answer's
/// probability, margin, how many members agree, and whether it is correct. What is not known is
/// null, or an empty cell. Throw what the sink throws.
[[nodiscard]] std::unique_ptr<AnswerConsumer> answers_as_json(Sink sink);
[[nodiscard]] std::unique_ptr<AnswerConsumer> answers_as_csv(const Sink& sink);

}  // namespace hqe
