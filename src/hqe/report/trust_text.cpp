// SPDX-License-Identifier: MIT
#include "hqe/report/trust_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "hqe/base/percentage.h"
#include "hqe/ensemble/team.h"

namespace hqe {

namespace {

/// A difference of two accuracies on other samples, as one quotient of integers.
struct Change {
  std::uint64_t up = 0, down = 0, whole = 0;  ///< (up - down) / whole.

  [[nodiscard]] bool falls() const { return up < down; }
  [[nodiscard]] std::string points() const {
    return whole == 0 ? "-" : count_percentage(falls() ? down - up : up - down, whole);
  }
};

/// Accuracy on the samples chosen on less that on held-out ones; nothing without any.
std::optional<Change> optimism_of(const SideBySide& row) {
  if (!row.held_out) return std::nullopt;
  const AccuracyFigures &chosen = row.selection, &held_out = *row.held_out;
  // At most 2^31 samples each: the products fit.
  return Change{.up = chosen.correct * held_out.samples,
                .down = held_out.correct * chosen.samples,
                .whole = chosen.samples * held_out.samples};
}

/// "+0.79", "0.00" without a sign.
std::string signed_points(const Change& change) {
  std::string points = change.points();
  if (change.whole == 0 || points == "0.00") return points;
  return (change.falls() ? "-" : "+") + points;
}

Table::Cell verdict_cell(const BaselineComparison& comparison) {
  const Paint paint = comparison.verdict == Verdict::better  ? Paint::good
                      : comparison.verdict == Verdict::worse ? Paint::bad
                                                             : Paint::plain;
  return {verdict_text(comparison), paint};
}

/// "points", "points of balanced accuracy", "log-loss".
std::string_view gain_unit(Merit merit) {
  switch (merit) {
    case Merit::accuracy:
      return "points";
    case Merit::balanced:
      return "points of balanced accuracy";
    case Merit::logloss:
      break;
  }
  return "log-loss, above 0 where it is lower";
}

/// "0.5 points", "0.005".
std::string gain_size(Merit merit, double margin) {
  return merit == Merit::logloss ? fmt::format("{:.4g}", margin)
                                 : fmt::format("{:.4g} points", 100 * margin);
}

class TrustText {
 public:
  TrustText(Page& page, const Study& study) : page_(page), study_(study), trust_(study.trust) {}

  void add() {
    page_.heading("How sure is that?");
    page_.paragraph(page_.spelled(trust_.says), 2);
    teams();
    comparisons();
    optimism();
    chosen();
    folds();
    stability();
    pruning();
  }

 private:
  void teams() {
    const bool has_held_out = trust_.held_out != HeldOut::nothing;
    std::vector<Table::Column> columns{{"", left}, {"chosen on"}};
    columns.push_back({"95 % interval", Table::Align::right, false, true});
    if (has_held_out) {
      columns.insert(columns.end(), {{"held out"}, {"95 % interval"}, {"optimism"}});
    }
    Table table(columns);
    for (const SideBySide& row : trust_.teams) {
      std::vector<Table::Cell> cells{label_of(row.rule, row.team.size()),
                                     accuracy_text(row.selection.correct, row.selection.samples),
                                     interval_text(row.selection.interval)};
      if (has_held_out) {
        cells.insert(
            cells.end(),
            {row.held_out ? accuracy_text(row.held_out->correct, row.held_out->samples) : "-",
             row.held_out ? interval_text(row.held_out->interval) : "-",
             row.held_out ? signed_points(*optimism_of(row)) : "-"});
      }
      table.add(std::move(cells));
    }
    page_.blank();
    page_.table(table);
  }

  void comparisons() {
    if (trust_.comparisons.empty()) return;
    const bool has_held_out = trust_.held_out != HeldOut::nothing;
    Table table({{"recommended against", left},
                 {"gain"},
                 {"95 % interval"},
                 {"p"},
                 {"verdict", left, true}});
    for (const BaselineComparison& comparison : trust_.comparisons) {
      const double p_value =
          (comparison.held_out ? *comparison.held_out : comparison.selection).p_value;
      const Interval& interval = comparison.interval();
      const Merit merit = study_.options.merit;
      const std::string p_text = p_value < 0.0001 ? "<0.0001" : fmt::format("{:.4f}", p_value);
      table.add(
          {label_of(comparison.against, comparison.team.size()),
           gain_text(merit, comparison.difference()),
           fmt::format("{} to {}", gain_text(merit, interval.low), gain_text(merit, interval.high)),
           comparison.merit ? "-" : p_text, verdict_cell(comparison)});
    }
    page_.blank();
    page_.table(table);
    page_.paragraph(
        fmt::format("Gains in {}{}; {}. As good: surely within {}.",
                    gain_unit(study_.options.merit),
                    has_held_out ? " on held-out samples"
                                 : ", their intervals corrected for the choice among many teams",
                    study_.options.merit == Merit::accuracy
                        ? "p is McNemar's, exact. Better: surely more accurate"
                        : "better: surely above 0",
                    gain_size(study_.options.merit, study_.options.margin)),
        2, Paint::faint);
  }

  /// What of the loss on held-out samples is due to having chosen.
  void optimism() {
    const auto find = [&](JudgedRule rule) {
      return std::ranges::find(trust_.teams, rule, &SideBySide::rule);
    };
    const auto recommended = find(JudgedRule::recommended);
    const auto entire = find(JudgedRule::entire_ensemble);
    if (recommended == trust_.teams.end() || entire == trust_.teams.end()) return;
    const auto of_team = optimism_of(*recommended), of_entire = optimism_of(*entire);
    if (!of_team || !of_entire) return;
    const auto words = [](const Change& change) {
      return fmt::format("{} {} points", change.falls() ? "gains" : "loses", change.points());
    };
    // Both were judged on the same samples.
    const Change by_choice{.up = of_team->up + of_entire->down,
                           .down = of_team->down + of_entire->up,
                           .whole = of_team->whole};
    const std::string verdict =
        signed_points(by_choice).starts_with('+')
            ? fmt::format("so choosing flattered the team by about {}.", by_choice.points())
            : "so choosing did not flatter the team.";
    page_.paragraph(
        fmt::format("On held-out samples the {} {}; the entire ensemble, which nobody chose, {}: "
                    "{}",
                    trust_.held_out == HeldOut::folds || trust_.held_out == HeldOut::half ? "choice"
                                                                                          : "team",
                    words(*of_team), words(*of_entire), verdict),
        2);
  }

  void chosen() {
    if (!trust_.chosen) return;
    const ChosenInterval& chosen = *trust_.chosen;
    const std::string noun = study_.options.choose == Choose::consensus ? "kept team" : "team";
    const std::string among = chosen.among < chosen.kept ? fmt::format("the {} most accurate of {}",
                                                                       count_text(chosen.among),
                                                                       counted(chosen.kept, noun))
                                                         : counted(chosen.kept, noun);
    page_.paragraph(
        fmt::format("Corrected for having been chosen among {}, its accuracy on samples like those "
                    "it was chosen on is {} %.",
                    among, interval_text(chosen.interval)),
        2);
  }

  void folds() {
    if (trust_.folds.empty()) return;
    Table table({{"fold"}, {"chosen without it", left, true}, {"chosen on"}, {"held out"}});
    for (std::size_t i = 0; i < trust_.folds.size(); ++i) {
      const FoldFigures& fold = trust_.folds[i];
      table.add({std::to_string(i + 1), page_.team(fold.team.view()),
                 accuracy_text(fold.selection.correct, fold.selection.samples),
                 accuracy_text(fold.held_out.correct, fold.held_out.samples)});
    }
    page_.blank();
    page_.table(table);
  }

  void stability() {
    if (!trust_.stability) return;
    const Stability& stability = *trust_.stability;
    if (!stability.not_measured.empty()) {
      page_.paragraph("Stability: " + page_.spelled(stability.not_measured) + ".", 2);
      return;
    }
    std::string text = fmt::format("Chosen again on {} resamples: the same team in {}",
                                   stability.resamples, percent_text(stability.same_team, 0));
    if (study_.recommended) {
      text += ", its members in";
      for (const ModelId model : study_.recommended->figures.team) {
        text += fmt::format(" {} ({})", percent_text(stability.members[model], 0), model);
      }
    }
    text += ". Kept teams in common (Jaccard index):";
    for (const Stability::Kept& kept : stability.kept) {
      text += fmt::format(" {} {:.2f}", kept.metric, kept.jaccard);
    }
    page_.paragraph(text + ".", 2);
    if (stability.without_team > 0) {
      page_.paragraph(
          fmt::format("In {} no team was selected.",
                      counted(static_cast<std::uint64_t>(stability.without_team), "resample")),
          2);
    }
  }

  void pruning() {
    if (trust_.pruning.empty()) return;
    if (!trust_.pruning.front().not_measured.empty()) {
      page_.paragraph(
          "Whether pruning threw away good teams: " + trust_.pruning.front().not_measured + ".", 2);
      return;
    }
    Table table({{"pruning by", left},
                 {"violations"},
                 {"cut", Table::Align::right, false, true},
                 {"upper half"},
                 {"best kept"},
                 {"thrown away"},
                 {"regret"}});
    for (const PruningCheck& check : trust_.pruning) table.add(pruning_row(check));
    page_.blank();
    page_.table(table);
    page_.paragraph(
        "A violation: a pruned team with a superset that scores in the upper half of its size. "
        "Of the cut teams that share scores there; cutting blindly it would be half. Regret: what "
        "the "
        "best team thrown away has over the best one kept.",
        2, Paint::faint);
  }

  [[nodiscard]] std::vector<Table::Cell> pruning_row(const PruningCheck& check) const {
    std::uint64_t pruned = 0;
    std::uint64_t violated = 0;
    for (const PruningCheck::Tier& tier : check.tiers) {
      pruned += tier.pruned;
      violated += tier.violated;
    }
    const std::uint64_t samples = study_.pool.sample_count;
    const auto best = [&](const std::optional<PruningCheck::Best>& one) {
      return one ? accuracy_text(one->correct, samples) : std::string("-");
    };
    const bool has_regret = check.best_kept && check.best_thrown_away;
    return {
        check.metric,
        fmt::format("{} of {}", count_text(violated), count_text(pruned)),
        count_text(check.cut),
        check.cut == 0
            ? "-"
            : percent_text(
                  static_cast<double>(check.cut_in_upper_half) / static_cast<double>(check.cut), 0),
        best(check.best_kept),
        best(check.best_thrown_away),
        has_regret ? gain_text(check.best_thrown_away->correct, check.best_kept->correct, samples)
                   : "-"};
  }

  Page& page_;
  const Study& study_;
  const Trust& trust_;
};

}  // namespace

std::string gain_text(Merit merit, double difference) {
  if (merit != Merit::logloss) return points_text(difference);
  std::string text = fmt::format("{:+.4f}", difference);
  return text == "+0.0000" || text == "-0.0000" ? "0.0000" : text;
}

std::string verdict_text(const BaselineComparison& comparison) {
  if (!comparison.samples_needed) return displayable(comparison.says);
  return fmt::format("cannot tell on {}, about {} would be needed",
                     counted(comparison.samples, "sample"), count_text(*comparison.samples_needed));
}

std::string interval_text(const Interval& interval) {
  return fmt::format("{:.2f} to {:.2f}", 100 * interval.low, 100 * interval.high);
}

void add_trust(Page& page, const Study& study) {
  if (!study.trust.teams.empty()) TrustText(page, study).add();
}

}  // namespace hqe
