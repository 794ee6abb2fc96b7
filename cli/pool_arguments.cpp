// SPDX-License-Identifier: MIT
#include "cli/pool_arguments.h"

#include <filesystem>

#include "hqe/base/error.h"
#include "options/words.h"

namespace hqe::cli {

void add_pool_arguments(Command& command, PoolArguments& pool) {
  command.options.push_back({"--labels", "FILE",
                             "True labels; of loose files, one a model, or in place of the "
                             "folder's own labels.",
                             [&pool](const std::string& word) { pool.path.labels = word; }});
  command.options.push_back({"--kind", "KIND",
                             "What the files hold: " + options::words_of(all_kinds, " or ") +
                                 " (default: what pool.toml says, else what the values look like).",
                             [&pool](const std::string& word) {
                               pool.path.kind = options::parse_choice("kind", word, all_kinds);
                             }});
  command.take_words = [&pool](std::vector<std::string> words) { pool.words = std::move(words); };
}

Pool PoolArguments::open(const Session& session, bool single) const {
  if (words.empty()) throw UsageError("which pool? Name a folder, or files with --labels FILE.");
  PoolPath where = path;
  where.single = single;
  std::error_code error;
  const bool is_file = std::filesystem::is_regular_file(words.front(), error);
  if (words.size() == 1 && !is_file) {
    where.folder = words.front();
  } else {
    for (const std::string& word : words) {
      if (std::filesystem::is_directory(word, error)) {
        throw UsageError(word + ": one pool at a time: a folder alone, or files with --labels.");
      }
      where.files.emplace_back(word);
    }
  }
  Pool pool = open_pool(where);
  session.protect_inputs(pool.files);
  return pool;
}

}  // namespace hqe::cli
