// SPDX-License-Identifier: MIT
#include "hqe/base/version.h"

#include <fmt/core.h>

#include "cli/commands/commands.h"
#include "cli/session.h"
#include "hqe/base/listed.h"
#include "hqe/bits/target.h"
#include "hqe/documents/json_writer.h"

namespace hqe::cli {

std::string_view compiler_name() {
#if defined(__clang__)
  return "clang " __clang_version__;
#else
  return "g++ " __VERSION__;
#endif
}

namespace {

int run_version(Session& session) {
  const auto targets = available_targets();
  if (session.globals().json) {
    JsonWriter json(Session::print);
    json.begin_object()
        .field("schema", 1)
        .field("command", "version")
        .field("version", version())
        .field("target", std::string_view(active_target()))
        .key("targets")
        .begin_array();
    for (const std::string& target : targets) json.value(std::string_view(target));
    json.end_array().field("compiler", compiler_name()).end_object().finish();
    return 0;
  }
  Session::show(fmt::format("hqe {}\nSIMD target {} (HQE_TARGET can force one of: {})\n{}\n",
                            version(), active_target(), listed(targets), compiler_name()));
  return 0;
}

}  // namespace

Command version_command() {
  return {.name = "version",
          .summary = "the version, the SIMD target in use, the compiler",
          .arguments = "",
          .outputs = {Output::json},
          .examples = {"hqe version", "HQE_TARGET=scalar hqe version"},
          .run = run_version};
}

}  // namespace hqe::cli
