// SPDX-License-Identifier: MIT
#include "cli/commands/commands.h"
#include "cli/pool_arguments.h"
#include "cli/session.h"
#include "cli/spelling.h"
#include "hqe/report/html.h"
#include "options/prune_options.h"

namespace hqe::cli {

namespace {

struct PruneArguments {
  PoolArguments pool;
  options::PruneWords prune;
  PoolArguments test;
  std::string page;
};

int run_prune(const PruneArguments& arguments, Session& session) {
  session.announce_output(arguments.page);
  PruneOptions options = arguments.prune.settled();
  options.detail = !session.globals().output.empty() || !arguments.page.empty();
  Pool pool = arguments.pool.open(session);
  std::optional<Pool> test;
  if (!arguments.test.words.empty()) test = arguments.test.open(session);
  const Study study = prune(std::move(pool), options, session.run(), std::move(test));
  session.publish(study, TextOptions{}.top, {arguments.page, [&] { return report_page(study); }});
  return study.empty() ? session.nothing_selected(study.warnings) : 0;
}

}  // namespace

Command prune_command() {
  const auto arguments = std::make_shared<PruneArguments>();
  Command command{
      .name = "prune",
      .summary = "the diverse teams worth using, and which one to take",
      .arguments = "POOL [--size S] [--beta B] [--metric NAME]... [--test POOL2 | --holdout SHARE]",
      .about =
          "Grows teams one model at a time, drops the least diverse of each size together "
          "with all that contain them, and judges what is left against the entire ensemble. "
          "Intervals and verdicts say how sure that is; on samples that took no part in the choice "
          "with --holdout, --folds or --test. "
          "A file written with -o can be read again and holds every scored team.",
      .outputs = {Output::json, Output::csv, Output::file},
      .examples = {"hqe prune pool", "hqe prune pool --size 4 --beta 10% --metric F-GD --top 10",
                   "hqe prune pool --holdout 0.5 --seed 1",
                   "hqe prune pool --verbose -o study.json",
                   "hqe prune pool --report report.html"}};
  options::OptionList list;
  options::add_size_and_beta(list, arguments->prune);
  options::add_prune_options(list, arguments->prune);
  options::add_trust_options(list, arguments->prune);
  add_options(command, list);
  command.options.push_back(
      {"--test", "POOL2", "Choose on POOL, and count the chosen teams on this pool too.",
       [arguments](const std::string& word) { arguments->test.words = {word}; }});
  add_page_argument(command, arguments->page);
  add_pool_arguments(command, arguments->pool);
  command.run = [arguments](Session& session) { return run_prune(*arguments, session); };
  return command;
}

}  // namespace hqe::cli
