// SPDX-License-Identifier: MIT
#include "hqe/pictures/plot.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "cli/commands/commands.h"
#include "cli/session.h"
#include "cli/study_argument.h"
#include "hqe/files/mapped_file.h"
#include "hqe/report/display.h"
#include "hqe/saved/saved.h"
#include "options/words.h"

namespace hqe::cli {

namespace {

/// A figure of another document than a study.
struct OtherFigure {
  std::string_view name, document, words;
  std::string (*draw)(const FileBytes& file);
};

constexpr std::array other_figures{
    OtherFigure{"ranks", "comparison", "hqe compare POOL -o compare.json",
                [](const FileBytes& file) {
                  return plot_ranks(rank_summary(read_document(file, comparison_from_json)));
                }},
    OtherFigure{"cascades", "cascade", "hqe front POOL --cascade -o cascade.json",
                [](const FileBytes& file) {
                  return plot_cascades(read_document(file, cascade_from_json));
                }},
};

struct PlotArguments {
  StudyArgument study;
  std::optional<Figure> figure;
  const OtherFigure* other = nullptr;
  PlotOptions options;
};

std::string figure_names() {
  std::string names = options::words_of(all_figures);
  for (const OtherFigure& other : other_figures) names += fmt::format(", {}", other.name);
  return names;
}

void take_figure(PlotArguments& arguments, const std::string& word) {
  const auto other = std::ranges::find(other_figures, word, &OtherFigure::name);
  arguments.other = other == other_figures.end() ? nullptr : &*other;
  arguments.figure = parse_figure(word);
  if (arguments.other != nullptr || arguments.figure) return;
  throw options::UnknownChoice(
      fmt::format("unknown figure '{}'. Use one of {}.", word, figure_names()), figure_names());
}

std::string draw_other(const OtherFigure& figure, const std::string& path, const Session& session) {
  if (path.empty()) {
    throw UsageError(
        fmt::format("name a {}: a file that {} wrote.", figure.document, figure.words));
  }
  session.protect_inputs({path});
  return figure.draw(map_file(path));
}

int run_plot(const PlotArguments& arguments, Session& session) {
  const std::string& path = session.globals().output;
  if (!arguments.figure && arguments.other == nullptr) {
    throw UsageError("plot needs --figure, one of " + figure_names() + ".");
  }
  if (!path.ends_with(".svg")) {
    throw UsageError("plot needs -o FILE, a name that ends in .svg.");
  }
  const std::string svg =
      arguments.other != nullptr
          ? draw_other(*arguments.other, arguments.study.path, session)
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
                      "The ranks figure is of a comparison that hqe compare POOL -o FILE wrote, "
                      "the cascades figure of what hqe front POOL --cascade -o FILE wrote; the "
                      "others are of a study.",
                  .outputs = {Output::file},
                  .examples = {"hqe prune pool -o study.json",
                               "hqe plot study.json --figure scatter -o scatter.svg",
                               "hqe plot study.json --figure tiers --metric F-BD -o tiers.svg"}};
  command.options = {{"--figure", "NAME", "One of " + figure_names() + ".",
                      [arguments](const std::string& word) { take_figure(*arguments, word); }},
                     {"--metric", "NAME",
                      fmt::format("The metric to draw (default: {} where the study has it).",
                                  to_string(Metric::f_gd)),
                      [arguments](const std::string& word) {
                        const auto metric = parse_metric(word);
                        arguments->options.metric = metric ? std::string(to_string(*metric)) : word;
                      }}};
  add_study_argument(command, arguments->study);
  command.run = [arguments](Session& session) { return run_plot(*arguments, session); };
  return command;
}

}  // namespace hqe::cli
