// SPDX-License-Identifier: MIT
#include "hqe/report/team_text.h"

#include <fmt/core.h>

#include "hqe/report/numbers.h"
#include "hqe/report/page.h"

namespace hqe {
namespace {

std::string judge_text(const TeamFile::Expected& expected) {
  const std::string samples = counted(expected.samples, "sample");
  switch (expected.judged_on) {
    case HeldOut::nothing:
      return fmt::format("on the {} it was chosen on", samples);
    case HeldOut::half:
      return fmt::format("on {}, by what the other half chose", samples);
    case HeldOut::share:
      return fmt::format("on {} held out", samples);
    case HeldOut::folds:
      return fmt::format("on {} in folds", samples);
    case HeldOut::test:
      return fmt::format("on {} of a test pool", samples);
  }
  return "";
}

std::string exit_text(const TeamFile& file) {
  std::string names;
  for (const std::size_t place : file.early_exit->order) {
    names += (names.empty() ? "" : ", ") + Page::name(file.members[place].name);
  }
  return fmt::format("Run {}: {:.1f} of {} run on average.", names,
                     file.early_exit->expected_models, counted(file.members.size(), "model"));
}

}  // namespace

std::string expected_text(const TeamFile::Expected& expected) {
  return fmt::format("{} ({} to {}) {}", percent_text(expected.accuracy),
                     percent_text(expected.interval.low), percent_text(expected.interval.high),
                     judge_text(expected));
}

std::string to_text(const TeamFile& file, const TextOptions& options,
                    const std::vector<Message>& notes) {
  const PoolSummary none;
  Page page(none, options);
  page.paragraph(fmt::format(
      "A team of {} from {}, {} vote{}.", counted(file.members.size(), "model"),
      Page::name(file.name), to_string(file.vote),
      file.temperature ? fmt::format(" at temperature {:.2f}", *file.temperature) : std::string()));
  page.blank();
  std::vector<Table::Column> columns{{"model", left, true}, {"accuracy"}};
  if (!file.weights.empty()) columns.push_back({"weight"});
  Table table(columns);
  for (std::size_t place = 0; place < file.members.size(); ++place) {
    std::vector<Table::Cell> row{Page::name(file.members[place].name),
                                 accuracy_text(file.members[place].correct, file.sample_count)};
    if (!file.weights.empty()) row.emplace_back(score_text(file.weights[place]));
    table.add(std::move(row));
  }
  page.table(table);
  page.blank();
  page.paragraph("Expected accuracy: " + expected_text(file.expected) + ".");
  if (file.early_exit && file.size() > 1) page.paragraph(exit_text(file));
  std::vector<Message> all = notes;
  for (const Message& warning : warnings_of(file)) all.push_back(warning);
  page.notes(all);
  return page.take();
}

}  // namespace hqe
