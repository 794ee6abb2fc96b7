// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>

#include "hqe/base/percentage.h"
#include "hqe/report/page.h"
#include "hqe/report/text.h"

namespace hqe {

namespace {

std::string notes_text(const std::vector<std::string>& notes) {
  std::string text;
  for (const std::string& note : notes) {
    if (!text.empty()) text += "; ";
    text += message_text(note);
  }
  return text;
}

void models_table(Page& page, const Inspection& inspection) {
  const PoolSummary& pool = inspection.pool;
  const auto any = [&](auto has) { return std::ranges::any_of(inspection.models, has); };
  const bool abstentions = any([](const auto& model) { return model.abstentions > 0; });
  const bool notes = any([](const auto& model) { return !model.notes.empty(); });
  std::vector<Table::Column> columns{
      {"id"}, {"model", left, true}, {"accuracy"}, {"correct"}, {"failures"}};
  if (abstentions) columns.push_back({"abstentions"});
  for (const Cost cost : known_costs(pool)) columns.push_back({cost_title(cost)});
  if (notes) columns.push_back({"notes", left, true});
  Table table(columns);
  for (std::size_t id = 0; id < pool.models.size(); ++id) {
    const PoolSummary::Member& model = pool.models[id];
    std::vector<Table::Cell> row{
        std::to_string(id), Page::name(model.name),
        pool.has_labels ? accuracy_text(model.correct, pool.sample_count) : "-",
        pool.has_labels ? count_text(model.correct) : "-",
        pool.has_labels ? count_text(pool.sample_count - model.correct) : "-"};
    if (abstentions) row.emplace_back(count_text(inspection.models[id].abstentions));
    for (const Cost cost : known_costs(pool)) row.emplace_back(quantity_text(*model.costs[cost]));
    if (notes) row.emplace_back(notes_text(inspection.models[id].notes), Paint::bad);
    table.add(std::move(row));
  }
  page.table(table);
}

/// Every pair, as a share of all samples.
void co_failure_matrix(Page& page, const Inspection& inspection) {
  const std::size_t models = inspection.pool.models.size();
  page.heading("Samples on which both models fail, in % (diagonal: on which the model fails)");
  std::vector<Table::Column> columns{{"id"}};
  for (std::size_t j = 0; j < models; ++j) columns.push_back({std::to_string(j)});
  Table table(columns);
  for (std::size_t i = 0; i < models; ++i) {
    std::vector<Table::Cell> row{{std::to_string(i), Paint::faint}};
    for (std::size_t j = 0; j <= i; ++j) {
      row.emplace_back(
          count_percentage(inspection.co_failures[i * models + j], inspection.pool.sample_count, 1),
          i == j ? Paint::faint : Paint::plain);
    }
    for (std::size_t j = i + 1; j < models; ++j) row.emplace_back("");
    table.add(std::move(row));
  }
  page.table(table);
}

struct FailingPair {
  std::size_t first = 0, second = 0;
  std::uint64_t both = 0, either = 0;
  [[nodiscard]] double shared() const {
    return either == 0 ? 0 : static_cast<double>(both) / static_cast<double>(either);
  }
};

/// A matrix of many models is no help; the pairs that fail most and least alike are.
void co_failure_extremes(Page& page, const Inspection& inspection) {
  const std::size_t models = inspection.pool.models.size();
  const auto& counts = inspection.co_failures;
  std::vector<FailingPair> pairs;
  for (std::size_t i = 0; i < models; ++i) {
    for (std::size_t j = i + 1; j < models; ++j) {
      const std::uint64_t both = counts[i * models + j];
      pairs.push_back({i, j, both, counts[i * models + i] + counts[j * models + j] - both});
    }
  }
  std::ranges::stable_sort(
      pairs, [](const FailingPair& a, const FailingPair& b) { return a.shared() > b.shared(); });
  const std::size_t shown = std::min<std::size_t>(page.options().top, pairs.size() / 2);
  page.heading("Pairs that fail most and least alike");
  Table table({{"models", left, true}, {"both fail"}, {"either fails"}, {"shared"}});
  const auto add = [&](const FailingPair& pair) {
    const std::vector<ModelId> team{static_cast<ModelId>(pair.first),
                                    static_cast<ModelId>(pair.second)};
    table.add({fmt::format("{}, {}: {}", pair.first, pair.second, page.names(team)),
               count_text(pair.both), count_text(pair.either), percent_text(pair.shared(), 1)});
  };
  for (std::size_t i = 0; i < shown; ++i) add(pairs[i]);
  table.add({"...", "", "", ""});
  for (std::size_t i = pairs.size() - shown; i < pairs.size(); ++i) add(pairs[i]);
  page.table(table);
}

void accuracy_line(Page& page, const Inspection& inspection) {
  const PoolSummary& pool = inspection.pool;
  std::uint64_t correct = 0;
  for (const PoolSummary::Member& model : pool.models) correct += model.correct;
  page.blank();
  page.paragraph(fmt::format("Accuracy: lowest {}, mean {}, highest {}.",
                             accuracy_text(inspection.correct_min, pool.sample_count),
                             accuracy_text(correct, pool.models.size() * pool.sample_count),
                             accuracy_text(inspection.correct_max, pool.sample_count)),
                 2);
}

}  // namespace

std::string to_text(const Inspection& inspection, const TextOptions& options) {
  const PoolSummary& pool = inspection.pool;
  Page page(pool, options);
  page.title();
  if (!pool.about.empty()) page.paragraph(message_text(pool.about), 0, Paint::faint);
  page.blank();
  models_table(page, inspection);
  if (pool.has_labels) accuracy_line(page, inspection);
  const std::size_t models = pool.models.size();
  if (models > 1 && inspection.co_failures.size() == models * models) {
    const bool fits = 4 + 6 * static_cast<int>(models) + 2 <= std::min(options.width, 100);
    fits ? co_failure_matrix(page, inspection) : co_failure_extremes(page, inspection);
  }
  page.notes(inspection.warnings);
  return page.take();
}

}  // namespace hqe
