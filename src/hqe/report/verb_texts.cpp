// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <span>

#include "hqe/diversity/metric.h"
#include "hqe/documents/json_parts.h"
#include "hqe/report/page.h"
#include "hqe/report/team_text.h"
#include "hqe/report/text.h"

namespace hqe {

namespace {

std::string fate_text(Explanation::Fate fate) {
  std::string text(to_string(fate));
  std::ranges::replace(text, '_', ' ');
  return text;
}

void more_line(Page& page, std::size_t shown, std::size_t all) {
  if (shown >= all) return;
  page.paragraph(fmt::format("... and {}", counted(all - shown, "more team")), 2, Paint::faint);
}

/// The first `top` of `count` places in the order of `before`.
template <typename Before>
std::vector<std::size_t> best_places(std::size_t count, std::size_t top, Before before) {
  std::vector<std::size_t> places(count);
  std::iota(places.begin(), places.end(), std::size_t{0});
  const std::size_t shown = std::min(count, top);
  std::partial_sort(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(shown),
                    places.end(), before);
  places.resize(shown);
  return places;
}

/// The column that orders the table: F-GD where it was asked for, else the last.
std::size_t leading_column(const Scores& scores) {
  for (std::size_t c = 0; c < scores.columns.size(); ++c) {
    if (scores.columns[c].metric == Metric::f_gd) return c;
  }
  return scores.columns.size() - 1;
}

std::string focal_text(const Page& page, const Scores::Column& column, std::size_t first,
                       TeamView team) {
  std::string text;
  for (std::size_t place = 0; place < team.size(); ++place) {
    const double correlation = column.focal[first + place];
    if (!text.empty()) text += ", ";
    const std::string name = page.team(team.subspan(place, 1));
    text += std::isnan(correlation) ? name + "=none" : name + "=" + score_text(correlation);
  }
  return text;
}

void focal_tables(Page& page, const Scores& scores, const std::vector<std::size_t>& places) {
  std::vector<std::size_t> first{0};
  for (std::size_t i = 0; i < scores.teams.size(); ++i) {
    first.push_back(first.back() + scores.teams[i].size());
  }
  for (const Scores::Column& column : scores.columns) {
    if (column.focal.empty()) continue;
    page.heading(fmt::format("{}, unscaled, by focal model", to_string(column.metric)));
    Table table({{"team", left, true}, {"focal model=q", left, true}});
    for (const std::size_t i : places) {
      table.add({page.team(scores.teams[i]), focal_text(page, column, first[i], scores.teams[i])});
    }
    page.table(table);
  }
}

}  // namespace

std::string to_text(const Scores& scores, const TextOptions& options) {
  Page page(scores.pool, options);
  page.title();
  if (!scores.columns.empty() && !scores.teams.empty()) {
    const Scores::Column& leading = scores.columns[leading_column(scores)];
    page.paragraph(fmt::format("{}, highest {} first; higher is more diverse.",
                               counted(scores.teams.size(), "team"), to_string(leading.metric)));
    page.blank();
    const auto places =
        best_places(scores.teams.size(), options.top, [&](std::size_t a, std::size_t b) {
          return leading.scores[a] != leading.scores[b] ? leading.scores[a] > leading.scores[b]
                                                        : a < b;
        });
    std::vector<Table::Column> columns{{"team", left, true}};
    for (const Scores::Column& column : scores.columns) {
      columns.push_back({std::string(to_string(column.metric))});
    }
    Table table(columns);
    for (const std::size_t i : places) {
      std::vector<Table::Cell> row{page.team(scores.teams[i])};
      for (const Scores::Column& column : scores.columns) {
        row.emplace_back(score_text(column.scores[i]));
      }
      table.add(std::move(row));
    }
    page.table(table);
    more_line(page, places.size(), scores.teams.size());
    focal_tables(page, scores, places);
  }
  page.notes(scores.warnings);
  return page.take();
}

std::string to_text(const Evaluation& evaluation, const TextOptions& options) {
  Page page(evaluation.pool, options);
  page.title();
  const TeamTable& teams = evaluation.teams;
  const std::uint64_t samples = evaluation.pool.sample_count;
  page.paragraph(sentence(fmt::format("{} vote, {}{}", to_string(evaluation.vote),
                                      counted(teams.size(), "team"),
                                      teams.size() > 1 ? ", most accurate first" : "")));
  page.blank();
  const auto places = best_places(teams.size(), options.top, [&](std::size_t a, std::size_t b) {
    return evaluation.correct[a] != evaluation.correct[b]
               ? evaluation.correct[a] > evaluation.correct[b]
               : a < b;
  });
  Table table({{"team", left, true}, {"correct"}, {"accuracy"}});
  for (const std::size_t i : places) {
    table.add({page.team(teams[i]), count_text(evaluation.correct[i]),
               accuracy_text(evaluation.correct[i], samples)});
  }
  page.table(table);
  more_line(page, places.size(), teams.size());
  page.notes(evaluation.warnings);
  return page.take();
}

namespace {

/// The rows of a sweep by their settings, which are in the order of the rows.
struct SweepGrid {
  explicit SweepGrid(const Sweep& sweep) {
    const auto note = [](auto& seen, const auto& value) {
      if (std::ranges::find(seen, value) == seen.end()) seen.push_back(value);
    };
    for (const SweepRow& row : sweep.rows) {
      note(metrics, row.metric);
      note(sizes, row.size);
      note(betas, row.beta);
      found[{row.metric, row.size, row.beta}] = &row.quality;
    }
  }

  std::vector<std::string> metrics;
  std::vector<int> sizes;
  std::vector<double> betas;
  std::map<std::tuple<std::string, int, double>, const Quality*> found;
};

/// A metric's precision, recall and number selected: three rows a size, a column a beta.
Table sweep_table(const SweepGrid& grid, const std::string& metric, std::span<const double> betas) {
  std::vector<Table::Column> columns{{"size"}, {"beta", left}};
  for (const double beta : betas) columns.push_back({fmt::format("{:.4g} %", 100 * beta)});
  Table table(columns);
  for (const int size : grid.sizes) {
    std::vector<Table::Cell> precision{std::to_string(size), "precision"};
    std::vector<Table::Cell> recall{"", "recall"};
    std::vector<Table::Cell> selected{"", {"selected", Paint::faint}};
    for (const double beta : betas) {
      const auto entry = grid.found.find({metric, size, beta});
      const Quality* quality = entry == grid.found.end() ? nullptr : entry->second;
      precision.emplace_back(quality ? percent_text(quality->precision, 1) : "");
      recall.emplace_back(quality ? percent_text(quality->recall, 1) : "");
      selected.emplace_back(quality ? count_text(quality->selected) : "", Paint::faint);
    }
    table.add(std::move(precision));
    table.add(std::move(recall));
    table.add(std::move(selected));
  }
  return table;
}

}  // namespace

std::string to_text(const Sweep& sweep, const TextOptions& options) {
  Page page(sweep.pool, options);
  page.title();
  page.paragraph(fmt::format("Entire ensemble, {} vote: {} ({} correct).", to_string(sweep.vote),
                             accuracy_text(sweep.reference.correct, sweep.pool.sample_count),
                             count_text(sweep.reference.correct)));
  const SweepGrid grid(sweep);
  const auto columns_that_fit = static_cast<std::size_t>(std::max(1, (options.width - 20) / 10));
  for (const std::string& metric : grid.metrics) {
    page.heading(metric);
    for (std::size_t begin = 0; begin < grid.betas.size(); begin += columns_that_fit) {
      const std::size_t count = std::min(columns_that_fit, grid.betas.size() - begin);
      page.table(sweep_table(grid, metric, std::span(grid.betas).subspan(begin, count)));
    }
  }
  page.notes(sweep.warnings);
  return page.take();
}

std::string to_text(const Explanations& explanations, const TextOptions& options) {
  Page page(explanations.pool, options);
  const std::uint64_t samples = explanations.pool.sample_count;
  page.title();
  page.paragraph(fmt::format(
      "Entire ensemble, {} vote: {}. Wanted: teams of {}.", to_string(explanations.vote),
      accuracy_text(explanations.reference.correct, samples), explanations.desired_size));
  for (const Explanation& explanation : explanations.teams) {
    page.heading(fmt::format("{} (ids {})", page.names(explanation.team.view()),
                             to_string(explanation.team.view())));
    page.paragraph(
        fmt::format("Accuracy {}, {} points against the entire ensemble.",
                    accuracy_text(explanation.correct, samples),
                    gain_text(explanation.correct, explanations.reference.correct, samples)),
        2);
    if (!explanation.why.empty()) page.paragraph(sentence(message_text(explanation.why)), 2);
    page.blank();
    Table table({{"metric", left},
                 {"fate", left},
                 {"because of", left, true},
                 {"score"},
                 {"rank"},
                 {"of"}});
    for (const Explanation::Opinion& opinion : explanation.opinions) {
      const bool scored = !opinion.culprit.empty();
      const Paint paint = opinion.fate == Explanation::Fate::kept ? Paint::good : Paint::bad;
      table.add({opinion.metric,
                 {fate_text(opinion.fate), paint},
                 scored ? page.team(opinion.culprit.view()) : "-",
                 scored ? score_text(opinion.score) : "-",
                 scored ? count_text(opinion.rank) : "-",
                 scored ? count_text(opinion.candidates) : "-"});
    }
    page.table(table);
  }
  page.notes(explanations.warnings);
  return page.take();
}

std::string to_text(const Combined& combined, const TextOptions& options) {
  Page page(combined.pool, options);
  page.title();
  const std::uint64_t samples = combined.pool.sample_count;
  const std::string team = page.team(combined.figures.team.view());
  if (combined.pool.has_labels) {
    page.paragraph(fmt::format("Team {}, {} vote: {} ({} correct).", team, to_string(combined.vote),
                               accuracy_text(combined.figures.correct, samples),
                               count_text(combined.figures.correct)));
  } else {
    page.paragraph(fmt::format("Team {}, {} vote; there are no true labels to judge it by.", team,
                               to_string(combined.vote)));
  }
  if (combined.expected) {
    page.paragraph("Expected accuracy: " + expected_text(*combined.expected) + ".");
  }
  const std::uint64_t silent = samples - combined.answers;
  if (silent > 0) page.paragraph(counted(silent, "sample") + " got no answer (-1).");
  page.notes(combined.warnings);
  return page.take();
}

}  // namespace hqe
