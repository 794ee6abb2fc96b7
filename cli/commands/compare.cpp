// SPDX-License-Identifier: MIT
#include "cli/commands/commands.h"
#include "cli/pool_arguments.h"
#include "cli/session.h"
#include "cli/spelling.h"
#include "hqe/documents/compare_json.h"
#include "hqe/report/compare_text.h"
#include "hqe/report/html.h"
#include "options/compare_options.h"
#include "options/vote_options.h"

namespace hqe::cli {

namespace {

struct CompareArguments {
  PoolArguments pool, test;
  CompareOptions options;
  options::VoteWords vote;
  std::string page;
};

int run_compare(const CompareArguments& arguments, Session& session) {
  session.announce_output(arguments.page);
  CompareOptions options = arguments.options;
  options.vote = arguments.vote.settled();
  Pool pool = arguments.pool.open(session);
  std::optional<Pool> test;
  if (!arguments.test.words.empty()) test = arguments.test.open(session);
  const Comparison found = compare(std::move(pool), options, session.run(), std::move(test));
  session.publish(found, 0, {arguments.page, [&] { return report_page(found); }});
  return found.empty() ? session.nothing_selected(found.warnings) : 0;
}

}  // namespace

Command compare_command() {
  const auto arguments = std::make_shared<CompareArguments>();
  Command command{
      .name = "compare",
      .summary = "a fair tournament of pruning methods on this pool",
      .arguments = "POOL [--size S] [--budget latency_ms=20] [--repeats R] [--test POOL2]",
      .about =
          "Every method chooses a team on one half of the samples and is judged on the other, over "
          "repeated seeded splits, or chooses on POOL and is judged on POOL2.",
      .outputs = {Output::json, Output::csv, Output::file},
      .examples = {"hqe compare pool --size 3",
                   "hqe compare pool --size 3 --method branch-and-bound --time-limit 60",
                   "hqe compare pool --report ranks.html"}};
  options::OptionList own, vote;
  options::add_compare_options(own, arguments->options);
  options::add_vote_options(vote, arguments->vote);
  add_options(command, own);
  command.options.push_back(
      {"--test", "POOL2", "Choose on POOL, and judge on this pool in place of splits.",
       [arguments](const std::string& word) { arguments->test.words = {word}; }});
  add_page_argument(command, arguments->page);
  add_options(command, vote);
  add_pool_arguments(command, arguments->pool);
  command.run = [arguments](Session& session) { return run_compare(*arguments, session); };
  return command;
}

}  // namespace hqe::cli
