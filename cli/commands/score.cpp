// SPDX-License-Identifier: MIT
#include "cli/commands/commands.h"
#include "cli/pool_arguments.h"
#include "cli/prune_arguments.h"
#include "cli/session.h"
#include "cli/words.h"

namespace hqe::cli {

namespace {

struct Arguments {
  PoolArguments pool;
  ScoreOptions options;
  std::optional<std::pair<int, int>> sizes;
  std::optional<std::uint64_t> seed;
};

int run_score(const Arguments& arguments, Session& session) {
  if (!arguments.sizes) throw UsageError("score needs --size S, or a range such as --size 2:4.");
  ScoreOptions options = arguments.options;
  std::tie(options.size_min, options.size_max) = *arguments.sizes;
  options.sample = settled_sample(options.sample, arguments.seed);
  session.publish(score(arguments.pool.open(session), options, session.run()), 10);
  return 0;
}

}  // namespace

Command score_command() {
  const auto arguments = std::make_shared<Arguments>();
  Command command{.name = "score",
                  .summary = "diversity scores of every team of a size",
                  .arguments = "POOL --size S [--metric NAME]... [--focal]",
                  .outputs = {Output::json, Output::csv, Output::file},
                  .examples = {"hqe score pool --size 3",
                               "hqe score pool --size 2:4 --metric F-GD --metric GD --csv"}};
  command.options = {{"--size", "S", "Size of the teams, or a range: 2:4 means 2, 3 and 4.",
                      [arguments](const std::string& word) {
                        arguments->sizes = parse_size_range("--size", word);
                      }},
                     {"--focal", "", "Also the unscaled score on each focal model's failures.",
                      [arguments](const std::string&) { arguments->options.focal = true; }}};
  add_metric_argument(command, arguments->options.metrics, false);
  add_weights_argument(command, arguments->options.weights);
  add_sample_arguments(command, arguments->options.sample, arguments->seed);
  command.options.push_back({"--max-candidates", "N",
                             "Refuse to score more teams (default: " +
                                 std::to_string(ScoreOptions{}.max_candidates) + ").",
                             [arguments](const std::string& word) {
                               arguments->options.max_candidates =
                                   parse_count("--max-candidates", word, 1);
                             }});
  add_pool_arguments(command, arguments->pool);
  command.run = [arguments](Session& session) { return run_score(*arguments, session); };
  return command;
}

}  // namespace hqe::cli
