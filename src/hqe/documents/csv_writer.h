// SPDX-License-Identifier: MIT
/// Results as comma-separated rows with a header line, for spreadsheets and data frames.

#pragma once

#include "hqe/study/study.h"
#include "hqe/text/sink.h"
#include "hqe/verbs/verbs.h"

namespace hqe {

/// Teams are ids joined by spaces; an unknown value is an empty cell; text is displayable and
/// quoted as RFC 4180 says, with an apostrophe before it where a spreadsheet would take it for a
/// formula; lines end with a line feed. Throws what the sink throws.
///
/// prune: a row a selected team, metric after metric, the consensus last.
void write_csv(const Study& study, const Sink& sink);
/// sweep: a row a size, beta and metric.
void write_csv(const Sweep& sweep, const Sink& sink);
/// explain: a row a team and metric.
void write_csv(const Explanations& explanations, const Sink& sink);
/// score: a row a team, a column a metric; with q_f also a column a metric and member's place.
void write_csv(const Scores& scores, const Sink& sink);
/// evaluate: a row a team.
void write_csv(const Evaluation& evaluation, const Sink& sink);
/// inspect: a row a model.
void write_csv(const Inspection& inspection, const Sink& sink);

/// order: a row a member, in the order that they run.
void write_csv(const Ordering& ordering, const Sink& sink);
/// front's cascades: a row a rule.
void write_csv(const Cascading& cascading, const Sink& sink);

}  // namespace hqe
