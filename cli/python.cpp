// SPDX-License-Identifier: MIT
#include "cli/python.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "hqe/base/error.h"

namespace hqe::cli {
namespace {

// Not -m: its own message for a module that is not there names neither the reason nor a way out.
constexpr const char* program = R"(
import sys
sys.path[:] = [path for path in sys.path if path]  # Nothing of the folder that we happen to be in.
try:
    from hqe.__main__ import main
except ImportError as error:
    print(f"hqe: {sys.argv[1]}: {sys.executable} cannot import hqe ({error}). Install the module there, "
          "or name another Python in HQE_PYTHON.", file=sys.stderr)
    sys.exit(2)
sys.exit(main(sys.argv[1:]))
)";

}  // namespace

const PythonCommand* python_command(std::string_view name) {
  const auto* const row = std::ranges::find(python_commands, name, &PythonCommand::name);
  return row == python_commands.end() ? nullptr : row;
}

void become_python(const PythonCommand& command, const std::vector<std::string>& arguments) {
  const char* chosen = std::getenv("HQE_PYTHON");
  const std::string python = chosen != nullptr && *chosen != '\0' ? chosen : "python3";
  std::vector<std::string> words{python, "-c", program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  ::execvp(python.c_str(), pointers.data());
  throw UsageError(std::string(command.name) + " " + std::string(command.does) +
                   " with Python, and " + python +
                   " cannot be started. Install Python and the module hqe, or name a Python in "
                   "HQE_PYTHON");
}

}  // namespace hqe::cli
