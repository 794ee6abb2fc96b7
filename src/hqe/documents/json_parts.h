// SPDX-License-Identifier: MIT
/// The parts that the documents of spec section 9 share. Implemented in json_parts.cpp; a study's
/// detail in json_detail.cpp, its trust in json_trust.cpp.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hqe/documents/json_writer.h"
#include "hqe/methods/compare.h"
#include "hqe/study/study.h"
#include "hqe/study/team_file.h"
#include "hqe/verbs/verbs.h"
#include "hqe/votes/vote.h"

namespace hqe {

enum class ScoredForm;  // json_packed.h

/// {"schema":1,"command":..,"version":..,"pool":{..}: the document stays open.
void write_head(JsonWriter& json, std::string_view command, const PoolSummary& pool);

/// {"id":..,"name":..,"correct":..: the object of a model stays open.
void begin_model(JsonWriter& json, const PoolSummary& pool, std::size_t id);

/// Nothing where there are no true labels.
template <typename Figure>
[[nodiscard]] std::optional<Figure> if_labelled(const PoolSummary& pool, Figure figure) {
  return pool.has_labels ? std::optional(figure) : std::nullopt;
}

void write_pool(JsonWriter& json, const PoolSummary& pool);
void write_options(JsonWriter& json, const PruneOptions& options);
void write_options(JsonWriter& json, const ScoreOptions& options);
void write_options(JsonWriter& json, const EvaluateOptions& options);

/// Fields of an open object.
void write_vote_options(JsonWriter& json, const VoteOptions& options);
void write_budget(JsonWriter& json, const std::vector<Budget>& budgets);
/// A seed is no count: above 2^53 it is written as text, or nobody could repeat the run.
void write_seed(JsonWriter& json, std::uint64_t seed);

/// {"team":[..],"correct":n}.
void write_figures(JsonWriter& json, TeamView team, std::uint64_t correct);

/// The fields of spec section 6, into an open object.
void write_quality_fields(JsonWriter& json, const Quality& quality);

/// One array under `name`.
void write_sweep_rows(JsonWriter& json, std::string_view name, const std::vector<SweepRow>& rows);

void write_costs(JsonWriter& json, const TeamCosts& costs);
/// Implemented in team_json.cpp.
void write_expected(JsonWriter& json, const TeamFile::Expected& expected);
void write_texts(JsonWriter& json, std::string_view name, const std::vector<std::string>& texts);
/// In plain words.
void write_texts(JsonWriter& json, std::string_view name, const std::vector<Message>& messages);

/// An M x M table as rows.
void write_matrix(JsonWriter& json, std::string_view name, std::span<const std::uint64_t> values,
                  std::size_t columns);
void write_matrix(JsonWriter& json, std::span<const std::uint64_t> values, std::size_t columns);

/// What a report needs beyond the answer, into the open document. Requires: study.detail.
void write_detail(JsonWriter& json, const Study& study, ScoredForm form);

/// How far a study can be trusted, into the open document.
void write_trust(JsonWriter& json, const Trust& trust);

/// "accuracy_intervals": for each correct count that occurs in `columns` the count and the ends of
/// its Wilson interval.
void write_accuracy_intervals(JsonWriter& json,
                              const std::vector<const std::vector<std::uint32_t>*>& columns,
                              std::uint64_t samples);

/// "kept", "pruned", "cut", "not_eligible", "larger", "single".
[[nodiscard]] std::string_view to_string(Explanation::Fate fate);

/// Of a choice that has one.
void write_certificate(JsonWriter& json, const Choice& choice);

}  // namespace hqe
