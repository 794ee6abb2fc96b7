// SPDX-License-Identifier: MIT
#include <algorithm>

#include "cli/commands/commands.h"
#include "cli/pool_arguments.h"
#include "cli/session.h"
#include "cli/spelling.h"
#include "options/prune_options.h"
#include "options/words.h"

namespace hqe::cli {

namespace {

struct SweepArguments {
  PoolArguments pool;
  options::PruneWords prune;
  std::vector<int> sizes;
  std::vector<double> betas;
};

int run_sweep(const SweepArguments& arguments, Session& session) {
  if (arguments.sizes.empty() || arguments.betas.empty()) {
    throw UsageError("sweep needs --size and --beta, such as --size 3:5 --beta 0.05:0.35:0.05.");
  }
  const Sweep result = sweep(arguments.pool.open(session), arguments.sizes, arguments.betas,
                             arguments.prune.settled(), session.run());
  session.publish(result, TextOptions{}.top);
  const bool selected = std::ranges::any_of(
      result.rows, [](const SweepRow& row) { return row.quality.selected > 0; });
  return selected ? 0 : session.nothing_selected(result.warnings);
}

}  // namespace

Command sweep_command() {
  const auto arguments = std::make_shared<SweepArguments>();
  Command command{.name = "sweep",
                  .summary = "precision and recall for many sizes and betas",
                  .arguments = "POOL --size 3:6 --beta 0.05:0.35:0.05 [options of prune]",
                  .outputs = {Output::json, Output::csv, Output::file},
                  .examples = {"hqe sweep pool --size 3:5 --beta 0.05:0.35:0.05",
                               "hqe sweep pool --size 4 --beta 5%,10%,20% --metric F-GD --csv"}};
  command.options = {{"--size", "S", "Sizes: 4, 3:6 (ends included) or 3,5.",
                      [arguments](const std::string& word) {
                        arguments->sizes = options::parse_sizes("size", word);
                      }},
                     {"--beta", "B", "Betas: 0.1, 0.05:0.35:0.05 (ends included) or 5%,10%.",
                      [arguments](const std::string& word) {
                        arguments->betas = options::parse_fraction_range("beta", word);
                      }}};
  options::OptionList list;
  options::add_prune_options(list, arguments->prune);
  add_options(command, list);
  add_pool_arguments(command, arguments->pool);
  command.run = [arguments](Session& session) { return run_sweep(*arguments, session); };
  return command;
}

}  // namespace hqe::cli
