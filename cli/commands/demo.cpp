// SPDX-License-Identifier: MIT
#include <filesystem>

#include "cli/binary.h"
#include "cli/carried_pool.h"
#include "cli/commands/commands.h"
#include "cli/session.h"
#include "hqe/hqe.h"
#include "hqe/report/html.h"

namespace hqe::cli {

namespace {

namespace fs = std::filesystem;

/// The installed pool lies beside the binary; in a source tree, above it. Empty: it is in neither.
fs::path demo_folder(const fs::path& binary) {
  std::error_code error;
  fs::path installed = binary.parent_path() / "share" / "hqe" / "demo";
  if (fs::is_directory(installed / "validation", error)) return installed;
  for (fs::path folder = binary; folder.has_relative_path(); folder = folder.parent_path()) {
    fs::path source = folder / "examples" / "fashion-mnist";
    if (fs::is_directory(source / "validation", error)) return source;
  }
  return {};
}

/// "validation" or "test": what lies beside this binary, else what it carries.
Pool demo_pool(const std::string& half, const Session& session) {
  fs::path binary = binary_folder();
  if (binary.empty()) binary = "/usr/bin";  // A package's place is the best guess.
  if (const fs::path folder = demo_folder(binary); !folder.empty()) {
    Pool pool = open_pool({.folder = folder / half});
    session.protect_inputs(pool.files);
    return pool;
  }
  if (auto carried = carried_pool(half)) return std::move(*carried);
  throw InputError((binary.parent_path() / "share" / "hqe" / "demo").string(), "",
                   "the demo pool is not there",
                   "Install hqe with its data, or run the command from its source tree");
}

int run_demo(const std::string& page, Session& session) {
  session.announce_output(page);
  PruneOptions options;
  options.detail = true;
  Pool pool = demo_pool("validation", session);
  Pool test = demo_pool("test", session);
  const Study study = prune(std::move(pool), options, session.run(), std::move(test));
  session.publish(study, TextOptions{}.top, {page, [&] { return report_page(study); }});
  return 0;
}

}  // namespace

Command demo_command() {
  const auto page = std::make_shared<std::string>("hqe-demo.html");
  Command command{
      .name = "demo",
      .summary = "prunes the pool that ships with hqe, and writes its report",
      .arguments = "[--report FILE]",
      .about =
          "Chooses among classifiers of Fashion-MNIST on a validation half and judges on a test "
          "half.",
      .outputs = {Output::json, Output::file},
      .examples = {"hqe demo"}};
  command.options = {{"--report", "FILE", "Where to write the page (default: hqe-demo.html).",
                      [page](const std::string& word) { *page = parse_output("--report", word); }}};
  command.run = [page](Session& session) { return run_demo(*page, session); };
  return command;
}

}  // namespace hqe::cli
