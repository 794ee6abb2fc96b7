// SPDX-License-Identifier: MIT
// What fuzzing once found stays found: every build replays the kept corpora.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/fuzz/targets.h"
#include "tests/support/io.h"

namespace hqe::fuzz {
namespace {

TEST_CASE("no reader is brought down by its corpus, nor by any other reader's") {
  for (const NamedTarget& corpus : all_targets()) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::filesystem::path(HQE_CORPUS_DIR) / corpus.name)) {
      files.push_back(entry.path());
    }
    std::ranges::sort(files);
    CHECK_MESSAGE(!files.empty(), "the corpus of ", corpus.name, " is empty");
    for (const auto& file : files) {
      CAPTURE(file.string());
      const std::string bytes = testing::content(file);
      for (const NamedTarget& target : all_targets()) CHECK_NOTHROW(target.run(bytes));
    }
  }
}

}  // namespace
}  // namespace hqe::fuzz
