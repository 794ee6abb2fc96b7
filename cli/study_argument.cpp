// SPDX-License-Identifier: MIT
#include "cli/study_argument.h"

#include <filesystem>

#include "hqe/base/error.h"
#include "hqe/io/json.h"
#include "hqe/io/mapped_file.h"
#include "hqe/report/html.h"

namespace hqe::cli {

namespace {

FileBytes open_study(const std::string& path) {
  if (path.empty()) {
    throw UsageError("name a study: a file that hqe prune POOL -o study.json wrote.");
  }
  if (std::filesystem::is_directory(path)) {
    throw InputError(path, "", "is a folder where a saved study was expected",
                     "Write one with hqe prune POOL -o FILE");
  }
  return map_file(path);
}

std::string_view text_of(const FileBytes& file) {
  return {reinterpret_cast<const char*>(file.bytes.data()), file.size()};
}

}  // namespace

Study StudyArgument::read() const {
  const FileBytes file = open_study(path);
  return study_from_json(text_of(file), path);
}

std::string StudyArgument::page() const {
  const FileBytes file = open_study(path);
  return page_of_document(text_of(file), path);
}

void add_study_argument(Command& command, StudyArgument& argument) {
  command.take_words = [&argument](const std::vector<std::string>& words) {
    if (words.size() > 1) throw UsageError("name one study, not " + std::to_string(words.size()));
    if (!words.empty()) argument.path = words.front();
  };
}

}  // namespace hqe::cli
