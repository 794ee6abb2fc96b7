// SPDX-License-Identifier: MIT
/// A command of hqe: a name, its options, its help, and what it does.

#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace hqe::cli {

class Session;

/// `--name VALUE`, or a flag where `value` is empty.
struct Option {
  std::string names;  ///< "--size", "-o,--output".
  std::string value;  ///< How help calls the value: "S". Empty: a flag.
  std::string help;   ///< One sentence; wrapped by help.
  /// Called once an occurrence, in order, a flag with "". Throws UsageError.
  std::function<void(const std::string&)> take;
  bool repeats = false;  ///< May be given more than once.
};

/// What a command can do with its result beside a table for people.
enum class Output {
  json,
  csv,
  file,    ///< -o FILE.
  folder,  ///< -o FOLDER.
};

struct Command {
  std::string name;
  std::string summary;    ///< For the list of commands, and the first line of help.
  std::string arguments;  ///< For the usage line: "POOL --size S".
  std::string about;      ///< A paragraph for help; may be empty.
  std::vector<Option> options;
  /// Takes the words that belong to no option, in order. None: they are refused.
  std::function<void(std::vector<std::string>)> take_words;
  /// The names of the models in the pool that the words named, for who completes what is typed.
  /// None: the command reads no pool. Throws as the command would.
  std::function<std::vector<std::string>()> models;
  std::vector<std::string> words;  ///< What its one word may be; empty: a file, or anything.
  std::vector<Output> outputs;
  std::vector<std::string> examples;  ///< Each works when pasted, given such a pool.
  /// Returns the exit code.
  std::function<int(Session&)> run;
};

/// Options that every command has.
struct Globals {
  int threads = 0;
  bool quiet = false;
  bool json = false;
  bool csv = false;
  bool by_name = true;
  bool verbose = false;
  std::string output;
  std::optional<std::size_t> top;
};

}  // namespace hqe::cli
