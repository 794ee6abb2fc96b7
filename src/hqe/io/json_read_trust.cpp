// SPDX-License-Identifier: MIT
#include "hqe/io/json_read_parts.h"

namespace hqe {

namespace {

/// Reads one object of "trust" after the other; teams are checked by the reader of the study.
class TrustReader {
 public:
  explicit TrustReader(const TeamReader& team) : team_(team) {}

  Trust read(const Json& json) const {
    Trust trust;
    trust.held_out = word(json, "held_out", parse_held_out);
    trust.says = json.at("says");
    for (const Json& entry : json.at("teams")) {
      trust.teams.push_back({.name = entry.at("name"),
                             .team = team_(entry.at("team")),
                             .selection = accuracy(entry.at("selection")),
                             .held_out = held_out<AccuracyFigures>(entry, accuracy)});
    }
    for (const Json& entry : json.at("comparisons")) {
      trust.comparisons.push_back(comparison(entry));
    }
    if (const Json& entry = json.at("chosen"); !entry.is_null()) {
      trust.chosen = ChosenInterval{.interval = interval(entry.at("interval")),
                                    .quantile = entry.at("quantile"),
                                    .among = entry.at("among"),
                                    .kept = entry.at("kept"),
                                    .resamples = entry.at("resamples")};
    }
    for (const Json& entry : json.at("folds")) {
      trust.folds.push_back({.team = team_(entry.at("team")),
                             .selection = accuracy(entry.at("selection")),
                             .held_out = accuracy(entry.at("held_out"))});
    }
    if (!json.at("stability").is_null()) trust.stability = stability(json.at("stability"));
    for (const Json& entry : json.at("pruning")) trust.pruning.push_back(pruning_check(entry));
    return trust;
  }

 private:
  static Interval interval(const Json& json) { return {json.at(0), json.at(1)}; }

  static AccuracyFigures accuracy(const Json& json) {
    return {.correct = json.at("correct"),
            .samples = json.at("samples"),
            .interval = interval(json.at("interval"))};
  }

  static PairedFigures paired(const Json& json) {
    return {.counts = {.total = json.at("samples"),
                       .only_first = json.at("only_recommended"),
                       .only_second = json.at("only_baseline")},
            .interval = interval(json.at("interval")),
            .p_value = json.at("p_value")};
  }

  template <class Figures, class Read>
  static std::optional<Figures> held_out(const Json& json, Read read) {
    const Json& entry = json.at("held_out");
    return entry.is_null() ? std::nullopt : std::optional<Figures>(read(entry));
  }

  BaselineComparison comparison(const Json& json) const {
    return {.against = json.at("against"),
            .team = team_(json.at("team")),
            .selection = paired(json.at("selection")),
            .corrected = interval(json.at("corrected")),
            .held_out = held_out<PairedFigures>(json, paired),
            .verdict = word(json, "verdict", parse_verdict),
            .samples = json.at("samples"),
            .samples_needed = maybe<std::uint64_t>(json, "samples_needed"),
            .says = json.at("says")};
  }

  Stability stability(const Json& json) const {
    Stability read{.resamples = json.at("resamples"),
                   .without_team = json.at("without_team"),
                   .same_team = json.at("same_team"),
                   .members = json.at("members").get<std::vector<double>>(),
                   .not_measured = value_or(json, "not_measured", std::string())};
    for (const Json& entry : json.at("kept")) {
      read.kept.push_back({entry.at("metric"), entry.at("jaccard")});
    }
    for (const Json& entry : json.at("teams")) {
      read.teams.push_back({team_(entry.at("team")), entry.at("times")});
    }
    return read;
  }

  std::optional<PruningCheck::Best> best(const Json& json) const {
    if (json.is_null()) return std::nullopt;
    return PruningCheck::Best{.team = team_(json.at("team")),
                              .correct = json.at("correct"),
                              .test_correct = maybe<std::uint64_t>(json, "test_correct")};
  }

  PruningCheck pruning_check(const Json& json) const {
    PruningCheck check{.metric = json.at("metric"),
                       .not_measured = value_or(json, "not_measured", std::string())};
    if (!check.not_measured.empty()) return check;
    for (const Json& entry : json.at("tiers")) {
      check.tiers.push_back({entry.at("size"), entry.at("pruned"), entry.at("violated")});
    }
    check.cut = json.at("cut");
    check.cut_in_upper_half = json.at("cut_in_upper_half");
    check.best_kept = best(json.at("best_kept"));
    check.best_thrown_away = best(json.at("best_thrown_away"));
    return check;
  }

  const TeamReader& team_;
};

}  // namespace

Trust read_trust(const Json& json, const TeamReader& team) { return TrustReader(team).read(json); }

}  // namespace hqe
