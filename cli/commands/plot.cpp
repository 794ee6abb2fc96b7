// SPDX-License-Identifier: MIT
#include "hqe/report/plot.h"

#include <fmt/format.h>

#include "cli/commands/commands.h"
#include "cli/session.h"
#include "cli/study_argument.h"
#include "hqe/documents/compare_json.h"
#include "hqe/files/mapped_file.h"
#include "hqe/report/compare_text.h"
#include "hqe/report/display.h"
#include "options/words.h"

namespace hqe::cli {

namespace {

struct PlotArguments {
  StudyArgument study;
  std::optional<Figure> figure;
  bool is_of_ranks = false;
  PlotOptions options;
};

std::string figure_names() { return options::words_of(all_figures) + ", ranks"; }

Figure figure_of(const std::string& word) {
  if (const auto figure = parse_figure(word)) return *figure;
  throw UsageError(fmt::format("unknown figure '{}'. Use one of {}.", word, figure_names()));
}

RankSummary read_ranks(const std::string& path, const Session& session) {
  if (path.empty()) {
    throw UsageError("name a comparison: a file that hqe compare POOL -o compare.json wrote.");
  }
  session.protect_inputs({path});
  return rank_summary(read_document(map_file(path), comparison_from_json));
}

int run_plot(const PlotArguments& arguments, Session& session) {
  const std::string& path = session.globals().output;
  if (!arguments.figure && !arguments.is_of_ranks)
    throw UsageError("plot needs --figure, one of " + figure_names() + ".");
  if (!path.ends_with(".svg")) {
    throw UsageError("plot needs -o FILE, a name that ends in .svg.");
  }
  const std::string svg =
      arguments.is_of_ranks
          ? plot_ranks(read_ranks(arguments.study.path, session))
          : plot(arguments.study.read(session), *arguments.figure, arguments.options);
  session.write_output(path, [&](const Sink& sink) { sink(svg); });
  if (!session.globals().quiet) Session::show("Wrote " + message_text(path) + ".\n");
  return 0;
}

}  // namespace

Command plot_command() {
  const auto arguments = std::make_shared<PlotArguments>();
  Command command{.name = "plot",
                  .summary = "one figure of a study as SVG, for papers and READMEs",
                  .arguments = "STUDY.json --figure NAME -o figure.svg",
                  .about =
                      "The ranks figure is of a comparison that hqe compare POOL -o FILE wrote; "
                      "the others are of a study.",
                  .outputs = {Output::file},
                  .examples = {"hqe prune pool -o study.json",
                               "hqe plot study.json --figure scatter -o scatter.svg",
                               "hqe plot study.json --figure tiers --metric F-BD -o tiers.svg"}};
  command.options = {
      {"--figure", "NAME", "One of " + figure_names() + ".",
       [arguments](const std::string& word) {
         arguments->is_of_ranks = word == "ranks";
         if (!arguments->is_of_ranks) arguments->figure = figure_of(word);
       }},
      {"--metric", "NAME", "The metric to draw (default: F-GD where the study has it).",
       [arguments](const std::string& word) {
         const auto metric = parse_metric(word);
         arguments->options.metric = metric ? std::string(to_string(*metric)) : word;
       }}};
  add_study_argument(command, arguments->study);
  command.run = [arguments](Session& session) { return run_plot(*arguments, session); };
  return command;
}

}  // namespace hqe::cli
