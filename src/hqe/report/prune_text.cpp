// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>

#include "hqe/diversity/metric.h"
#include "hqe/report/decision_text.h"
#include "hqe/report/page.h"
#include "hqe/report/text.h"
#include "hqe/report/trust_text.h"

namespace hqe {

namespace {

Table::Column extra(std::string title) {
  return {std::move(title), Table::Align::right, false, true};
}

/// Writes the parts of a study, in the order in which a reader asks.
class PruneText {
 public:
  PruneText(const Study& study, const TextOptions& options)
      : study_(study), page_(study.pool, options), costs_(known_costs(study.pool)) {}

  std::string text() {
    page_.title();
    add_decision(page_, study_);
    errors();
    head();
    for (const Selection& selection : study_.selections) metric(selection);
    if (study_.consensus) consensus(*study_.consensus);
    baselines();
    add_trust(page_, study_);
    page_.notes(study_.warnings);
    return page_.take();
  }

 private:
  [[nodiscard]] bool by_mean() const { return study_.options.by == By::mean; }
  [[nodiscard]] std::uint64_t samples() const { return study_.pool.sample_count; }
  [[nodiscard]] bool has_test() const { return study_.test.has_value(); }

  [[nodiscard]] std::string entire(std::uint64_t correct, std::uint64_t total) const {
    return fmt::format("{} ({} correct)", accuracy_text(correct, total), count_text(correct));
  }

  /// ", pruning 10 % of each tier" where that is one number.
  [[nodiscard]] std::string pruned_share() const {
    const PruneOptions& options = study_.options;
    if (options.beta_auto || options.beta.size() != 1) return "";
    return fmt::format(", pruning {:.4g} % of each tier", 100 * options.beta.front());
  }

  void head() {
    page_.blank();
    std::string line = fmt::format("Entire ensemble, {} vote: {}", to_string(study_.vote),
                                   entire(study_.reference.correct, samples()));
    if (has_test()) {
      const PoolSummary& test = study_.test->pool;
      line += fmt::format("; on {} ({}) {}", message_text(test.name),
                          counted(test.sample_count, "sample"),
                          entire(study_.test->reference_correct, test.sample_count));
    }
    line += by_mean()
                ? ". Wanted: teams of any size that score above the mean."
                : fmt::format(". Wanted: teams of {}{}.", study_.desired_size, pruned_share());
    page_.paragraph(line);
  }

  void metric(const Selection& selection) {
    page_.heading(selection.metric);
    if (selection.threshold) {
      page_.paragraph(fmt::format("Mean score {}.", score_text(*selection.threshold)), 2);
    } else {
      tiers(selection.tiers);
      page_.blank();
    }
    page_.paragraph(quality_sentence(selection.quality, samples()), 2);
    test_quality(selection);
    correlation(selection);
    teams(selection);
  }

  void tiers(const std::vector<TierSummary>& tiers) {
    const bool one_beta = std::ranges::all_of(
        tiers, [&](const TierSummary& tier) { return tier.beta == tiers.front().beta; });
    std::vector<Table::Column> columns{{"size"}, {"candidates"}, {"cut"}, {"pruned"}, {"kept"}};
    if (!one_beta) columns.push_back({"beta"});
    Table table(columns);
    for (const TierSummary& tier : tiers) {
      std::vector<Table::Cell> row{std::to_string(tier.size), count_text(tier.candidates),
                                   tier.cut ? count_text(*tier.cut) : "-", count_text(tier.pruned),
                                   count_text(tier.candidates - tier.pruned)};
      if (!one_beta) row.emplace_back(percent_text(tier.beta, 0));
      table.add(std::move(row));
    }
    page_.table(table);
  }

  [[nodiscard]] std::string share(const char* name, std::optional<double> fraction,
                                  std::uint64_t part, std::optional<std::uint64_t> whole) const {
    if (!fraction || !whole) return "";
    return fmt::format(", {} {} ({} of {})", name, percent_text(*fraction, 1), count_text(part),
                       count_text(*whole));
  }

  [[nodiscard]] std::string quality_sentence(const Quality& quality, std::uint64_t total) const {
    if (quality.selected == 0) return "Nothing was selected.";
    std::string text = quality.teams_of_size
                           ? fmt::format("{} of {} selected", count_text(quality.selected),
                                         counted(*quality.teams_of_size, "team"))
                           : counted(quality.selected, "team") + " selected";
    text += share("precision", quality.precision, quality.true_positive, quality.selected);
    text += share("recall", quality.recall, quality.true_positive, quality.good);
    if (quality.base_rate) text += ", base rate " + percent_text(quality.base_rate, 1);
    if (quality.correct_min && quality.correct_max) {
      text += fmt::format(", accuracy {} to {}", accuracy_text(*quality.correct_min, total),
                          accuracy_text(*quality.correct_max, total));
    }
    if (quality.cost_reduction) {
      text += fmt::format(", {} fewer models", percent_text(quality.cost_reduction, 0));
    }
    text += ".";
    if (!quality.not_computed.empty()) text += " Recall: " + quality.not_computed + ".";
    return text;
  }

  /// What the test pool says; nothing without one.
  void test_quality(const Selection& selection) {
    if (!selection.test_quality || selection.test_quality->selected == 0) return;
    const Quality& test = *selection.test_quality;
    const std::uint64_t total = study_.test->pool.sample_count;
    std::string figures = share("precision", test.precision, test.true_positive, test.selected) +
                          share("recall", test.recall, test.true_positive, test.good);
    if (test.correct_min && test.correct_max) {
      figures += fmt::format(", accuracy {} to {}", accuracy_text(*test.correct_min, total),
                             accuracy_text(*test.correct_max, total));
    }
    page_.paragraph(
        "On the test pool: " + figures.substr(std::min<std::size_t>(2, figures.size())) + ".", 2);
  }

  void correlation(const Selection& selection) {
    if (selection.correlations.empty()) return;
    const Correlation& last = selection.correlations.back();
    if (!last.spearman) return;
    std::string text = fmt::format(
        "Score and accuracy of the {} of {} that were scored: Spearman "
        "{:+.2f}",
        counted(last.teams, "team"), last.size, *last.spearman);
    if (!selection.baseline_correlations.empty()) {
      const auto& baseline = selection.baseline_correlations.back();
      const auto metric = parse_metric(selection.metric);
      if (baseline.spearman && metric) {
        text += fmt::format(" ({} {:+.2f})", to_string(baseline_of(*metric)), *baseline.spearman);
      }
    }
    page_.paragraph(text + ".", 2);
  }

  [[nodiscard]] std::vector<Table::Column> team_columns(bool with_votes) const {
    std::vector<Table::Column> columns{{"team", left, true}};
    if (with_votes) columns.push_back({"votes"});
    columns.push_back({"score"});
    add_count_columns(columns);
    columns.push_back(extra("models"));
    for (const Cost cost : costs_) columns.push_back(extra(cost_title(cost)));
    return columns;
  }

  /// The interval is that of the last accuracy: on the test pool where there is one.
  void add_count_columns(std::vector<Table::Column>& columns) const {
    columns.insert(columns.end(), {{"accuracy"}, {"gain"}});
    if (has_test()) columns.insert(columns.end(), {{"test"}, {"gain"}});
    columns.push_back(extra("95 % interval"));
  }

  void add_counts(std::vector<Table::Cell>& row, TeamView team, std::uint64_t correct,
                  std::optional<std::uint64_t> test_correct) const {
    row.emplace_back(accuracy_text(correct, samples()));
    row.push_back(gain_cell(correct, study_.reference.correct, samples()));
    if (has_test()) {
      const std::uint64_t total = study_.test->pool.sample_count;
      if (test_correct) {
        row.emplace_back(accuracy_text(*test_correct, total));
        row.push_back(gain_cell(*test_correct, study_.test->reference_correct, total));
      } else {
        row.insert(row.end(), {"-", "-"});
      }
    }
    const auto last = has_test() ? test_correct : std::optional(correct);
    const std::uint64_t total = has_test() ? study_.test->pool.sample_count : samples();
    row.emplace_back(last && total > 0 ? interval_text(wilson_interval(*last, total)) : "-");
    const auto models = static_cast<double>(study_.pool.models.size());
    row.emplace_back(reduction_text((models - static_cast<double>(team.size())) / models));
    const TeamCosts costs = team_costs(study_.pool, team);
    for (const Cost cost : costs_) {
      const auto& known = costs.values[static_cast<std::size_t>(cost)];
      row.emplace_back(known ? reduction_text(known->reduction) : "-");
    }
  }

  void teams(const Selection& selection) {
    const SelectedTeams& selected = selection.selected;
    if (selected.size() == 0) return;
    const bool with_votes = !selected.votes.empty();
    Table table(team_columns(with_votes));
    const std::size_t shown = std::min(selected.size(), page_.options().top);
    for (std::size_t i = 0; i < shown; ++i) {
      std::vector<Table::Cell> row{page_.team(selected.teams[i])};
      if (with_votes) row.emplace_back(std::to_string(selected.votes[i]));
      row.emplace_back(score_text(selected.scores[i]));
      add_counts(
          row, selected.teams[i], selected.correct[i],
          selected.test_correct.empty() ? std::nullopt : std::optional(selected.test_correct[i]));
      table.add(std::move(row));
    }
    if (shown == 0) return;
    page_.blank();
    page_.table(table);
    if (shown < selected.size()) {
      page_.paragraph(fmt::format("... and {}", counted(selected.size() - shown, "more team")), 2,
                      Paint::faint);
    }
  }

  void consensus(const Consensus& consensus) {
    page_.heading(consensus.selection.metric);
    std::string text = fmt::format("Kept by at least {} of {} focal metrics",
                                   consensus.metrics / 2 + 1, consensus.metrics);
    text += consensus.distinct_metrics < consensus.metrics
                ? fmt::format(" ({}: F-KW and F-BD order teams of one size alike). ",
                              counted(static_cast<std::uint64_t>(consensus.distinct_metrics),
                                      "distinct opinion"))
                : ". ";
    page_.paragraph(text + quality_sentence(consensus.selection.quality, samples()), 2);
    test_quality(consensus.selection);
    teams(consensus.selection);
  }

  void baselines() {
    page_.heading("For comparison");
    std::vector<Table::Column> columns{{"", left}, {"team", left, true}};
    add_count_columns(columns);
    columns.push_back(extra("models"));
    for (const Cost cost : costs_) columns.push_back(extra(cost_title(cost)));
    Table table(columns);
    const auto add = [&](const std::string& label, const TeamFigures& figures) {
      std::vector<Table::Cell> row{label, page_.team(figures.team.view())};
      add_counts(row, figures.team.view(), figures.correct, figures.test_correct);
      table.add(std::move(row));
    };
    const Baselines& baselines = study_.baselines;
    add(label_of(JudgedRule::best_single, 1), baselines.best_single);
    add(label_of(JudgedRule::most_accurate, baselines.most_accurate.team.size()),
        baselines.most_accurate);
    if (baselines.best_of_size) {
      add(fmt::format("best team of {}", baselines.best_of_size->team.size()),
          *baselines.best_of_size);
    }
    TeamFigures entire = study_.reference;
    if (has_test()) entire.test_correct = study_.test->reference_correct;
    add("entire ensemble", entire);
    page_.table(table);
    if (!baselines.best_of_size && !baselines.best_of_size_not_computed.empty()) {
      page_.paragraph("Best team of that size: " + baselines.best_of_size_not_computed + ".", 2);
    }
  }

  void errors() {
    std::string text;
    if (study_.recommended_errors && study_.recommended_errors->error_correlation) {
      const TeamErrors& errors = *study_.recommended_errors;
      text = fmt::format("Its members' failures correlate at {:.2f}", *errors.error_correlation);
      if (errors.posterior_error_correlation) {
        text += fmt::format(" (posterior errors at {:.2f})", *errors.posterior_error_correlation);
      }
      if (errors.added_error_ratio) {
        text += fmt::format(", so it keeps {} of a member's added error",
                            percent_text(*errors.added_error_ratio, 0));
      }
      text += ".";
    }
    if (study_.recommended_robustness) {
      const Robustness& robustness = *study_.recommended_robustness;
      if (!text.empty()) text += " ";
      text +=
          fmt::format("Median {} radius {:.4g}", robustness.estimated ? "estimated" : "certified",
                      robustness.median_radius);
      for (const Robustness::Certified& certified : robustness.certified) {
        text += fmt::format("; {} of samples at {:.4g}", percent_text(certified.share, 1),
                            certified.radius);
      }
      text += ".";
    }
    if (text.empty()) return;
    page_.blank();
    page_.paragraph(text, 2);
  }

  const Study& study_;
  Page page_;
  std::vector<Cost> costs_;
};

/// The decision and a row a metric: on one screen, whatever must be left out for that.
std::string screen_text(const Study& study, const TextOptions& options) {
  constexpr auto screen = 30;
  std::string text;
  for (auto left_out = LeftOut::nothing; left_out <= LeftOut::rows_of_metrics;
       left_out = LeftOut{static_cast<int>(left_out) + 1}) {
    Page page(study.pool, options);
    page.title();
    add_decision(page, study, left_out);
    add_summary(page, study, left_out);
    text = page.take();
    if (std::ranges::count(text, '\n') <= screen) break;
  }
  return text;
}

}  // namespace

std::string to_text(const Study& study, const TextOptions& options) {
  return options.verbose ? PruneText(study, options).text() : screen_text(study, options);
}

}  // namespace hqe
