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
  const auto add_column = [&](const char* name, const char* help, std::string& column) {
    command.options.push_back(
        {name, "NAME", help, [&column](const std::string& word) { column = word; }});
  };
  TableColumns& columns = pool.path.columns;
  add_column("--label-column", "The column of true labels: makes POOL a table, a .csv file.",
             columns.label);
  add_column("--id-column", "The column of the samples' ids, by which rows are sorted and joined.",
             columns.id);
  add_column("--model-column",
             "The column of models' names, in a table of rows a model and sample.", columns.model);
  command.options.push_back(
      {"--columns", "NAMES",
       "The columns that are models, or the models of columns called "
       "model.class (default: all others).",
       [&columns](const std::string& word) { columns.models = options::split(word, ','); }});
  command.take_words = [&pool](std::vector<std::string> words) { pool.words = std::move(words); };
  command.models = [&pool] {
    std::vector<std::string> names;
    for (const Model& model : pool.open(Session({}), true).models) names.push_back(model.name);
    return names;
  };
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
