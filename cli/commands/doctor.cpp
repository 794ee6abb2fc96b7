// SPDX-License-Identifier: MIT
#include <fmt/core.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>

#include <fstream>

#include "cli/commands/commands.h"
#include "cli/python.h"
#include "cli/session.h"
#include "hqe/base/listed.h"
#include "hqe/base/version.h"
#include "hqe/bits/target.h"
#include "hqe/documents/json_writer.h"
#include "hqe/report/display.h"
#include "hqe/report/table.h"
#include "options/words.h"

namespace hqe::cli {

namespace {

/// A Python package that hqe can work with, by the name of its distribution.
struct Friend {
  const char* name;
  const char* use;
  std::string version{};  ///< Empty: it is not there.
};

/// All of them: what pyproject.toml names, and whose arrays and tables are taken.
std::vector<Friend> friends() {
  return {{"hqe", "the module: hqe collect, hqe export, import hqe"},
          {"numpy", "all of the module"},
          {"pandas", "tables"},
          {"polars", "tables"},
          {"pyarrow", "tables"},
          {"duckdb", "tables"},
          {"scikit-learn", "hqe.sklearn"},
          {"onnx", "hqe collect, hqe export"},
          {"onnxruntime", "hqe collect, hqe export"},
          {"torch", "hqe.torch"},
          {"jax", "arrays"},
          {"dask", "hqe.dask"},
          {"distributed", "hqe.dask"},
          {"tqdm", "progress in notebooks"}};
}

struct Findings {
  std::string machine, target;
  std::vector<std::string> targets;
  int threads = 0;
  std::uint64_t memory = 0, free_memory = 0;
  std::string python;  ///< Its path and version; empty: there is none.
  std::vector<Friend> friends;
};

// Answers a line each, in the order of the names, without importing what it is asked for, which
// takes torch seconds.
constexpr const char* question = R"python(
import sys
from importlib import metadata
print(sys.executable, "(" + ".".join(map(str, sys.version_info[:3])) + ")")
for name in "{}".split():
    try:
        print(metadata.version(name))
    except metadata.PackageNotFoundError:
        print()
)python";

/// What programs may still take without anything being written to disk. The kernel's own estimate
/// where it can be read.
std::uint64_t available_memory(const struct sysinfo& system) {
  std::ifstream file("/proc/meminfo");
  for (std::string name, unit; file >> name;) {
    std::uint64_t kibibytes = 0;
    if (name == "MemAvailable:" && file >> kibibytes) return kibibytes * 1024;
    std::getline(file, unit);
  }
  return std::uint64_t{system.freeram} * system.mem_unit;
}

void find_python(Findings& found) {
  std::vector<Friend> asked = friends();
  std::string names;
  for (const Friend& package : asked) names.append(package.name).append(" ");
  const auto answer = ask_python(fmt::format(question, names));
  if (!answer) return;
  const auto lines = options::split(*answer, '\n');
  found.python = lines.front();
  for (std::size_t i = 0; i < asked.size() && i + 1 < lines.size(); ++i) {
    asked[i].version = lines[i + 1];
  }
  found.friends = std::move(asked);
}

Findings look(const Session& session) {
  Findings found;
  utsname name{};
  if (::uname(&name) == 0) found.machine = fmt::format("{} {}", name.sysname, name.machine);
  found.target = active_target();
  found.targets = available_targets();
  found.threads = session.run().thread_count();
  struct sysinfo system{};
  if (::sysinfo(&system) == 0) {
    found.memory = std::uint64_t{system.totalram} * system.mem_unit;
    found.free_memory = available_memory(system);
  }
  find_python(found);
  return found;
}

void print_json(const Findings& found) {
  JsonWriter json(Session::print);
  json.begin_object().field("schema", 1).field("command", "doctor").field("version", version());
  json.field("compiler", compiler_name()).field("machine", std::string_view(found.machine));
  json.field("target", std::string_view(found.target)).key("targets").begin_array();
  for (const std::string& target : found.targets) json.value(std::string_view(target));
  json.end_array().field("threads", found.threads);
  json.field("memory_bytes", found.memory).field("available_bytes", found.free_memory);
  json.key("python");
  found.python.empty() ? json.null() : json.value(std::string_view(found.python));
  json.key("packages").begin_object();
  for (const Friend& package : found.friends) {
    json.key(package.name);
    package.version.empty() ? json.null() : json.value(std::string_view(package.version));
  }
  json.end_object().end_object().finish();
}

double gigabytes(std::uint64_t bytes) { return static_cast<double>(bytes) / 1e9; }

std::string text_of(const Findings& found) {
  constexpr auto left = Table::Align::left;
  Table table({{"", left}, {"", left, true}});
  table.add({"version", fmt::format("hqe {}, {}", version(), compiler_name())});
  table.add({"machine", found.machine});
  table.add({"SIMD target", fmt::format("{} (HQE_TARGET can force one of: {})", found.target,
                                        listed(found.targets))});
  table.add({"threads", std::to_string(found.threads)});
  table.add({"memory", fmt::format("{:.1f} GB, {:.1f} GB of it available", gigabytes(found.memory),
                                   gigabytes(found.free_memory))});
  table.add({"Python", found.python.empty()
                           ? python_name() +
                                 " cannot be asked (HQE_PYTHON names another); only hqe "
                                 "collect and hqe export need one"
                           : found.python});
  for (const Friend& package : found.friends) {
    table.add({fmt::format("  {}", package.name),
               fmt::format("{} ({})", package.version.empty() ? "not there" : package.version,
                           package.use)});
  }
  return table.text(100, false);
}

int run_doctor(Session& session) {
  const Findings found = look(session);
  if (session.globals().json) {
    print_json(found);
  } else {
    Session::show(text_of(found));
  }
  return 0;
}

}  // namespace

Command doctor_command() {
  return {.name = "doctor",
          .summary = "what hqe finds on this machine: SIMD, threads, memory, Python's packages",
          .arguments = "",
          .about =
              "For a report of a problem, or to see why something is slow or missing. Everything "
              "below Python is optional for the command.",
          .outputs = {Output::json},
          .examples = {"hqe doctor"},
          .run = run_doctor};
}

}  // namespace hqe::cli
