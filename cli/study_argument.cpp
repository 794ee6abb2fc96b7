// SPDX-License-Identifier: MIT
#include "cli/study_argument.h"

#include "hqe/base/error.h"
#include "hqe/io/json.h"
#include "hqe/io/mapped_file.h"

namespace hqe::cli {

Study StudyArgument::read() const {
  if (path.empty()) {
    throw UsageError("name a study: a file that hqe prune POOL -o study.json wrote.");
  }
  const FileBytes file = map_file(path);
  return study_from_json({reinterpret_cast<const char*>(file.bytes.data()), file.size()}, path);
}

void add_study_argument(Command& command, StudyArgument& argument) {
  command.take_words = [&argument](const std::vector<std::string>& words) {
    if (words.size() > 1) throw UsageError("name one study, not " + std::to_string(words.size()));
    if (!words.empty()) argument.path = words.front();
  };
}

}  // namespace hqe::cli
