// SPDX-License-Identifier: MIT
// What the documents list is what the tables of the library hold, word for word. A test that fails
// shows the lines to paste.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "hqe/methods/method.h"

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

}  // namespace
}  // namespace hqe
