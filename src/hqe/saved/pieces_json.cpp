// SPDX-License-Identifier: MIT
#include "hqe/saved/pieces_json.h"

#include <fmt/core.h>

#include <array>

#include "hqe/base/version.h"
#include "hqe/documents/json_parts.h"
#include "hqe/saved/json_read_study.h"
#include "hqe/saved/saved_kinds.h"

namespace hqe {
namespace {

void write_choice(JsonWriter& json, const MethodChoice& made) {
  const Choice& choice = made.choice;
  json.line()
      .begin_object()
      .field("method", to_string(made.method))
      .field("team", choice.team.view())
      .key("weights")
      .begin_array();
  for (const double weight : choice.weights) json.value(weight);
  json.end_array()
      .field("selection_correct", choice.selection_correct)
      .field("test_correct", choice.test_correct);
  write_certificate(json, choice);
  json.field("seconds", choice.seconds)
      .field("note", std::string_view(made.note))
      .field("not_computed", std::string_view(choice.not_computed))
      .end_object();
}

/// As much of it as readers ask for.
PoolSummary outline_of(const Pool& pool) {
  PoolSummary outline{.name = pool.name, .sample_count = pool.sample_count};
  for (const Model& model : pool.models) outline.models.push_back({.name = model.name});
  return outline;
}

/// Reads rounds on a pool.
class RoundsReader {
 public:
  explicit RoundsReader(const Pool& pool) : pool_(outline_of(pool)) {}

  [[nodiscard]] Round read(const Entry& entry) const {
    Round round{.number = entry.at("number").whole(0, most_repeats),
                .selection_samples = entry.at("selection_samples").count(sample_limit(pool_)),
                // A test pool may have more.
                .test_samples = entry.at("test_samples").count()};
    const Limit judged{round.test_samples, "the", "samples that judge"};
    round.reference_test_correct = entry.at("reference_test_correct").count(judged);
    for (const Entry choice : entry.at("choices").list()) {
      round.choices.push_back(read_choice(choice, round));
    }
    return round;
  }

 private:
  [[nodiscard]] static double mean_count(const Entry& entry, std::uint64_t most) {
    const double mean = entry.not_negative();
    if (mean > static_cast<double>(most) * (1 + read_rounding)) {
      entry.refuse_value(fmt::format("is more than the {} samples", most));
    }
    return mean;
  }

  [[nodiscard]] MethodChoice read_choice(const Entry& entry, const Round& round) const {
    MethodChoice made{.method = entry.at("method").word(parse_method)};
    Choice& choice = made.choice;
    choice.team = read_team(entry.at("team"), pool_, true);
    const Entry weights = entry.at("weights");
    if (!weights.list().empty()) {
      const auto members = static_cast<std::size_t>(choice.team.size());
      for (const Entry weight : weights.list_of(members, "one a member")) {
        choice.weights.push_back(weight.not_negative());
      }
    }
    choice.selection_correct = mean_count(entry.at("selection_correct"), round.selection_samples);
    choice.test_correct = mean_count(entry.at("test_correct"), round.test_samples);
    choice.certificate = maybe(entry, "certificate", [&](const Entry& found) {
      const Limit chosen_on{round.selection_samples, "the", "samples chosen on"};
      return Certificate{.upper_bound = found.at("upper_bound").count(chosen_on),
                         .is_proven = found.at("is_proven").truth(),
                         .counted = found.at("counted").count()};
    });
    choice.seconds = entry.at("seconds").not_negative();
    made.note = entry.at("note").text();
    choice.not_computed = entry.at("not_computed").text();
    return made;
  }

  PoolSummary pool_;
};

}  // namespace

std::string to_json(const std::vector<Round>& rounds) {
  std::string text;
  JsonWriter json([&text](std::string_view bytes) { text.append(bytes); });
  json.begin_object()
      .field("schema", 1)
      .field("command", saved_rounds.command)
      .field("version", version())
      .line()
      .key("rounds")
      .begin_array();
  for (const Round& round : rounds) {
    json.line()
        .begin_object()
        .field("number", round.number)
        .field("selection_samples", round.selection_samples)
        .field("test_samples", round.test_samples)
        .field("reference_test_correct", round.reference_test_correct)
        .key("choices")
        .begin_array();
    for (const MethodChoice& made : round.choices) write_choice(json, made);
    json.end_array().end_object();
  }
  json.end_array().end_object().finish();
  return text;
}

std::vector<Round> rounds_from_json(std::string_view text, const std::string& file,
                                    const Pool& pool) {
  const SavedDocument document(text, file, std::array{saved_rounds});
  const Entry root(document);
  check_same_version(root);
  const RoundsReader reader(pool);
  std::vector<Round> rounds;
  for (const Entry entry : root.at("rounds").list()) rounds.push_back(reader.read(entry));
  return rounds;
}

std::vector<SweepRow> sweep_rows_from_json(std::string_view text, const std::string& file,
                                           const Pool& pool) {
  const SavedDocument document(text, file, std::array{saved_sweep});
  const Entry root(document);
  check_same_version(root);
  const PoolSummary outline = outline_of(pool);
  std::vector<SweepRow> rows;
  for (const Entry entry : root.at("rows").list()) {
    rows.push_back({.size = entry.at("size").whole(1, pool.model_count()),
                    .beta = entry.at("beta").share(),
                    .metric = read_selection_name(entry.at("metric")),
                    .quality = read_quality(entry, sample_limit(outline))});
  }
  return rows;
}

}  // namespace hqe
