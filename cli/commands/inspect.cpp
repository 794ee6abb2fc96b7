// SPDX-License-Identifier: MIT
#include "cli/commands/commands.h"
#include "cli/pool_arguments.h"
#include "cli/session.h"

namespace hqe::cli {

Command inspect_command() {
  const auto pool = std::make_shared<PoolArguments>();
  Command command{
      .name = "inspect",
      .summary = "what is in the pool, and what looks wrong with it",
      .arguments = "POOL",
      .about =
          "Shows each model's accuracy, what a careful colleague would notice about it, and "
          "which models fail together.",
      .outputs = {Output::json, Output::csv, Output::file},
      .examples = {"hqe inspect pool", "hqe inspect --labels labels.npy a.npy b.npy c.npy --json"}};
  add_pool_arguments(command, *pool);
  command.run = [pool](Session& session) {
    session.publish(inspect(pool->open(session), session.run()), TextOptions{}.top);
    return 0;
  };
  return command;
}

}  // namespace hqe::cli
