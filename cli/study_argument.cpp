// SPDX-License-Identifier: MIT
#include "cli/study_argument.h"

#include <filesystem>

#include "hqe/base/error.h"
#include "hqe/documents/json.h"
#include "hqe/files/mapped_file.h"
#include "hqe/report/html.h"
#include "hqe/saved/saved.h"

namespace hqe::cli {

namespace {

FileBytes open_study(const std::string& path, const Session& session) {
  if (path.empty()) {
    throw UsageError("name a study: a file that hqe prune POOL -o study.json wrote.");
  }
  session.protect_inputs({path});
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    throw InputError(path, "", "is a folder where a saved study was expected",
                     "Write one with hqe prune POOL -o FILE");
  }
  return map_file(path);
}

}  // namespace

Study StudyArgument::read(const Session& session) const {
  return read_document(open_study(path, session), study_from_json);
}

std::string StudyArgument::page(const Session& session) const {
  return read_document(open_study(path, session), page_of_document);
}

void add_study_argument(Command& command, StudyArgument& argument) {
  command.take_words = [&argument](const std::vector<std::string>& words) {
    if (words.size() > 1) throw UsageError("name one study, not " + std::to_string(words.size()));
    if (!words.empty()) argument.path = words.front();
  };
}

}  // namespace hqe::cli
