// SPDX-License-Identifier: MIT
#include "cli/manual.h"

#include <fmt/core.h>

#include <algorithm>

#include "cli/help.h"
#include "cli/python.h"
#include "hqe/base/capital.h"
#include "hqe/base/version.h"
#include "hqe/report/display.h"

namespace hqe::cli {

namespace {

constexpr int page_width = 90;

/// As it reads: man would make something else of backslashes, of hyphens, and of what begins a
/// line.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char character : text) {
    if (character == '\\') {
      result += "\\e";
    } else if (character == '-') {
      result += "\\-";
    } else {
      result += character;
    }
  }
  return result.starts_with('.') || result.starts_with('\'') ? "\\&" + result : result;
}

std::string filled(const std::string& text) {
  std::string shown;
  for (const std::string& line : wrap(text, page_width)) shown.append(escaped(line)).append("\n");
  return shown;
}

std::string head(const std::string& name, const std::string& summary) {
  std::string title = name;
  std::ranges::transform(title, title.begin(), capital);
  // No date: the same version has the same page.
  return fmt::format(".TH {} 1 \"\" \"hqe {}\"\n.SH NAME\n{} \\- {}\n", escaped(title), version(),
                     escaped(name), escaped(summary));
}

std::string option_entries(const std::vector<Option>& options) {
  std::string text;
  for (const Option& option : options) {
    text.append(".TP\n.B ").append(escaped(spaced_names(option))).append("\n");
    text.append(filled(option.help));
  }
  return text;
}

std::string example_list(const std::vector<std::string>& examples) {
  std::string text = ".SH EXAMPLES\n.nf\n";
  for (const std::string& example : examples) text.append(escaped(example)).append("\n");
  return text.append(".fi\n");
}

std::string exit_codes() {
  std::string text = ".SH EXIT STATUS\n";
  for (const auto& [code, about] :
       {std::pair("0", "Done."), std::pair("1", "Unexpected, or a result that cannot be written."),
        std::pair("2", "A wrong command line."), std::pair("3", "Bad input."),
        std::pair("4", "Nothing was selected."), std::pair("128+N", "Ended by signal N.")}) {
    text += fmt::format(".TP\n.B {}\n{}\n", code, about);
  }
  return text;
}

std::string environment() {
  return ".SH ENVIRONMENT\n.TP\n.B HQE_TARGET\n" +
         filled("The SIMD target to use; no result depends on it. hqe version lists them.") +
         ".TP\n.B HQE_PYTHON\n" +
         filled(
             "The Python that runs what needs one (default: that of hqe's own virtual environment, "
             "else python3).");
}

}  // namespace

std::string manual(const std::vector<Command>& commands, const std::vector<Option>& globals) {
  std::string text = head("hqe", "exact pruning of classifier pools with focal diversity");
  text += ".SH SYNOPSIS\n.B hqe\n.I COMMAND\n.RI [ option ...]\n.SH DESCRIPTION\n";
  text += filled(
      "Finds the small team of trained classifiers worth shipping, from their predictions alone. " +
      pool_about());
  text += ".SH COMMANDS\n";
  for (const Command& command : commands) {
    text.append(".TP\n.BR hqe\\-").append(command.name).append(" (1)\n");
    text.append(filled(sentence(command.summary)));
  }
  for (const PythonCommand& command : python_commands) {
    text.append(".TP\n.B hqe ").append(command.name).append("\n");
    text.append(filled(sentence(std::string(command.help) + ", with Python")));
  }
  text.append(".SH OPTIONS\n").append(option_entries(globals));
  text.append(".TP\n.B \\-h, \\-\\-help\nExplain hqe or a command.\n");
  text.append(".TP\n.B \\-V, \\-\\-version\nTell the version.\n");
  return text + exit_codes() + environment() + example_list({"hqe demo", "hqe prune pool"});
}

std::string manual(const Command& command, const std::vector<Option>& globals) {
  std::string text = head("hqe-" + command.name, command.summary);
  text += ".SH SYNOPSIS\n";
  text += filled("hqe " + command.name + " " + command.arguments);
  text.append(".SH DESCRIPTION\n").append(filled(sentence(command.summary)));
  if (!command.about.empty()) text.append(".PP\n").append(filled(command.about));
  if (!command.options.empty())
    text.append(".SH OPTIONS\n").append(option_entries(command.options));
  text.append(".SH FOR EVERY COMMAND\n").append(option_entries(globals));
  return text + example_list(command.examples) + ".SH SEE ALSO\n.BR hqe (1)\n";
}

}  // namespace hqe::cli
