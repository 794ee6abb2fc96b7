// SPDX-License-Identifier: MIT
// What the documents list is what the tables of the library hold, word for word. A test that fails
// shows the lines to paste.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "hqe/base/listed.h"
#include "hqe/diversity/metric.h"
#include "hqe/formats/format.h"
#include "hqe/methods/method.h"
#include "hqe/votes/vote.h"

namespace hqe {
namespace {

/// A file of the repository, whole.
std::string text_of(const std::string& name) {
  std::ifstream file(std::filesystem::path(HQE_ROOT_DIR) / name);
  REQUIRE_MESSAGE(file.good(), name);
  return {std::istreambuf_iterator<char>(file), {}};
}

void check_holds(const std::string& page, const std::string& lines) {
  const bool holds = text_of(page).find(lines) != std::string::npos;
  CHECK_MESSAGE(holds, page << " lacks:\n" << lines);
}

std::string replaced(std::string_view word, char old, char by) {
  std::string text(word);
  std::ranges::replace(text, old, by);
  return text;
}

TEST_CASE("docs/methods.md has the row of every method, in their order") {
  std::string table =
      "| `--method` | in tables | looks at | sees complementarity | reference |\n"
      "|---|---|---|---|---|\n";
  for (const MethodRow& row : method_rows()) {
    table += "| `" + replaced(row.name, '_', '-') + "` | " + std::string(row.title) + " | " +
             replaced(to_string(row.needs), '_', ' ') + " | " +
             (row.sees_complementarity ? "yes" : "no") + " | " + std::string(row.reference) +
             " |\n";
  }
  check_holds("docs/methods.md", table + "\n");
}

TEST_CASE("docs/metrics.md defines every metric that is no focal form of another") {
  for (const MetricRow& row : metric_rows) {
    if (is_focal(row.metric)) continue;
    check_holds("docs/metrics.md",
                "\n| " + std::string(row.name) + ", " + std::string(row.title) + " | ");
    check_holds("docs/metrics.md", " | " + std::string(row.reference) + " |\n");
  }
}

TEST_CASE("docs/spec.md has the row of every vote") {
  const std::map<VoteNeeds, std::string> needs{{VoteNeeds::scores, "scores"},
                                               {VoteNeeds::labels, "labels"},
                                               {VoteNeeds::either, "scores, else labels"}};
  std::string table =
      "| vote | the class wins that has | of | weights | after |\n|---|---|---|---|---|\n";
  for (const VoteRow& row : vote_rows) {
    table += "| `" + std::string(row.name) + "` | " + std::string(row.title) + " | " +
             needs.at(row.needs) + " | " + (row.has_weights ? "yes" : "no") + " | " +
             std::string(row.reference) + " |\n";
    check_holds("docs/spec.md", "\n- **" + std::string(row.name) + "**");
  }
  check_holds("docs/spec.md", table + "\n");
  check_holds("docs/methods.md", "(" + vote_names() + ")");
}

TEST_CASE("the documents name every file format") {
  std::vector<std::string> quoted;
  for (const FormatRow& row : format_rows()) {
    quoted.push_back("`." + std::string(row.name) + "`");
    check_holds("docs/formats.md", "\n| " + quoted.back() + " | " + std::string(row.title) + " | ");
    if (row.alias.empty()) continue;
    check_holds("docs/inputs.md", quoted.back() + " or `." + std::string(row.alias) + "`");
  }
  check_holds("README.md", "(" + listed(quoted) + ")");
  check_holds("docs/architecture.md", "readers of " + listed(quoted) + " and `pool.toml`");
  quoted.front().insert(1, "<name>");
  check_holds("docs/formats.md", "one file a model, " + listed(quoted, " or "));
  check_holds("docs/spec.md", "one file a model (" + listed(quoted) + ")");
}

}  // namespace
}  // namespace hqe
