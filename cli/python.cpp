// SPDX-License-Identifier: MIT
#include "cli/python.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "cli/binary.h"
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

std::string python_name() {
  const char* chosen = std::getenv("HQE_PYTHON");
  if (chosen != nullptr && *chosen != '\0') return chosen;
  // A virtual environment's command goes with its Python, activated or not.
  const std::filesystem::path folder = binary_folder();
  std::error_code error;
  return std::filesystem::exists(folder.parent_path() / "pyvenv.cfg", error) &&
                 std::filesystem::exists(folder / "python3", error)
             ? (folder / "python3").string()
             : "python3";
}

std::optional<std::string> ask_python(const std::string& source) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return std::nullopt;
  std::string python = python_name(), option = "-c", text = source;
  std::array<char*, 4> words{python.data(), option.data(), text.data(), nullptr};
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int failed =
      ::posix_spawnp(&child, python.c_str(), &actions, nullptr, words.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  std::string answer;
  std::array<char, 4096> part{};
  for (ssize_t size = 0; (size = ::read(ends[0], part.data(), part.size())) != 0;) {
    if (size > 0) answer.append(part.data(), static_cast<std::size_t>(size));
    if (size < 0 && errno != EINTR) break;
  }
  ::close(ends[0]);
  int status = 0;
  while (failed == 0 && ::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return failed == 0 && status == 0 ? std::optional(answer) : std::nullopt;
}

void become_python(const PythonCommand& command, const std::vector<std::string>& arguments) {
  const std::string python = python_name();
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
