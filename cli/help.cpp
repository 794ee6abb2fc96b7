// SPDX-License-Identifier: MIT
#include "cli/help.h"

#include "cli/python.h"
#include "hqe/base/capital.h"
#include "hqe/base/version.h"
#include "hqe/formats/format.h"
#include "hqe/report/display.h"
#include "hqe/report/table.h"

namespace hqe::cli {

namespace {

constexpr int width = 100;
constexpr auto to_the_left = Table::Align::left;

std::string paragraph(const std::string& text, int indent) {
  std::string shown;
  for (const std::string& line : wrap(text, width - indent)) {
    shown.append(static_cast<std::size_t>(indent), ' ').append(line).append("\n");
  }
  return shown;
}

std::string option_list(const std::vector<Option>& options) {
  Table table({{"", to_the_left}, {"", to_the_left, true}});
  for (const Option& option : options) {
    table.add({spaced_names(option), option.help});
  }
  return table.text(width, false);
}

}  // namespace

std::string pool_about() {
  return "A POOL is a folder with labels.npy and one file a model (" + format_names() +
         "), or such files with --labels FILE.";
}

std::string spaced_names(const Option& option) {
  std::string names = option.names;
  if (const std::size_t comma = names.find(','); comma != std::string::npos) {
    names.replace(comma, 1, ", ");
  }
  if (!option.value.empty()) names.append(" ").append(option.value);
  return names;
}

std::string sentence(const std::string& summary) { return capitalised(summary + "."); }

std::string overview(const std::vector<Command>& commands) {
  std::string text = "hqe ";
  text.append(version())
      .append(": exact pruning of classifier pools with focal diversity\n\n")
      .append("usage: hqe COMMAND ...\n\n");
  Table table({{"", to_the_left}, {"", to_the_left, true}});
  for (const Command& command : commands) table.add({command.name, command.summary});
  text += table.text(width, false);
  text.append("\n").append(paragraph(
      "hqe COMMAND --help, or hqe help COMMAND, explains a command; hqe --version tells the "
      "version. " +
          pool_about(),
      0));
  for (const PythonCommand& command : python_commands) {
    const std::string name = "hqe " + std::string(command.name);
    text.append(name).append(" ").append(command.help).append(", with Python: ");
    text.append(name).append(" --help.\n");
  }
  text +=
      "\nexamples:\n"
      "  hqe synth --models 10 --samples 5000 --classes 10 --seed 1 -o pool\n"
      "  hqe prune pool\n";
  return text;
}

std::string help(const Command& command, const std::vector<Option>& globals) {
  std::string text = paragraph(sentence(command.summary), 0);
  text.append("\nusage: hqe ").append(command.name).append(" ").append(command.arguments);
  text += "\n";
  if (!command.about.empty()) text.append("\n").append(paragraph(command.about, 0));
  if (!command.options.empty()) text.append("\noptions:\n").append(option_list(command.options));
  text.append("\nfor every command:\n").append(option_list(globals));
  text += "\nexamples:\n";
  for (const std::string& example : command.examples)
    text.append("  ").append(example).append("\n");
  return text;
}

}  // namespace hqe::cli
