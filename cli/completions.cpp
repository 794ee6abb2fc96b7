// SPDX-License-Identifier: MIT
#include "cli/completions.h"

#include <algorithm>

#include "cli/command_line.h"
#include "cli/help.h"
#include "cli/python.h"
#include "hqe/base/error.h"
#include "hqe/text/printable.h"
#include "options/words.h"

namespace hqe::cli {

namespace {

/// Collects lines of words that begin as the unfinished one does.
class Lines {
 public:
  explicit Lines(std::string_view begun) : begun_(begun) {}

  void add(const std::string& word, std::string_view about = "") {
    // A line is a word: a name with a line's end in it cannot be offered.
    if (word.starts_with(begun_) && displayable(word) == word) {
      text_.append(word).append("\t").append(about).append("\n");
    }
  }
  [[nodiscard]] std::string text() const { return text_; }

 private:
  std::string begun_;
  std::string text_;
};

const Option* find_option(const std::vector<Option>& options, const std::string& word) {
  const auto found = std::ranges::find_if(options, [&](const Option& option) {
    const auto names = options::split(option.names, ',');
    return std::ranges::find(names, word) != names.end();
  });
  return found == options.end() ? nullptr : &*found;
}

/// The options and the plain words among what was typed, given to the command as a run would.
void take(const Command& command, const std::vector<Option>& options,
          const std::vector<std::string>& typed) {
  std::vector<std::string> plain;
  for (std::size_t i = 0; i < typed.size(); ++i) {
    const Option* const option = find_option(options, typed[i]);
    if (option == nullptr) {
      if (!typed[i].starts_with('-')) plain.push_back(typed[i]);
    } else if (!option->value.empty() && i + 1 < typed.size()) {
      option->take(typed[++i]);
    }
  }
  if (command.take_words) command.take_words(plain);
}

/// Of a list joined by commas only its last name is unfinished.
void add_models(Lines& lines, const Command& command, const std::string& begun) {
  const std::size_t comma = begun.rfind(',');
  const std::string before = comma == std::string::npos ? "" : begun.substr(0, comma + 1);
  const auto named = options::split(before, ',');
  for (const std::string& model : command.models()) {
    if (std::ranges::find(named, model) == named.end()) lines.add(before + model, "a model");
  }
}

/// An option that knows its words refuses this one, and names them.
void add_choices(Lines& lines, const Option& option) {
  try {
    option.take("?");
  } catch (const options::UnknownChoice& choice) {
    for (const std::string& word : choice.allowed()) lines.add(word);
  }
}

void add_value(Lines& lines, const Command& command, const std::vector<Option>& options,
               const std::vector<std::string>& typed, const Option& option,
               const std::string& begun) {
  const bool names_models = option.value == "TEAM" || option.value == "MODEL";
  if (!names_models || !command.models) return add_choices(lines, option);
  take(command, options, typed);
  add_models(lines, command, begun);
}

void add_options(Lines& lines, const std::vector<Option>& options) {
  for (const Option& option : options) {
    for (const std::string& name : options::split(option.names, ',')) lines.add(name, option.help);
  }
  lines.add("--help", "Explain the command.");
}

void add_commands(Lines& lines, const std::vector<Command>& commands) {
  for (const Command& command : commands) lines.add(command.name, command.summary);
  for (const PythonCommand& command : python_commands) {
    lines.add(std::string(command.name), command.help);
  }
}

}  // namespace

std::string completions(const std::vector<Command>& commands, std::vector<std::string> words) {
  if (words.empty()) words.emplace_back();
  const std::string begun = words.back();
  words.pop_back();
  std::erase(words, "=");  // bash takes --by=mean apart.
  Lines lines(begun == "=" ? "" : begun);
  const auto chosen = std::ranges::find_first_of(words, commands, {}, {}, &Command::name);
  if (chosen == words.end()) {
    const bool is_help = !words.empty() && words.front() == "help";
    if (words.empty() || is_help) add_commands(lines, commands);
    if (words.empty()) {
      lines.add("help", "explains a command");
      lines.add("--help", "Lists the commands.");
      lines.add("--version", "Tells the version.");
    }
    return lines.text();
  }
  const Command& command = *std::ranges::find(commands, *chosen, &Command::name);
  Globals globals;
  std::vector<Option> options = command.options;
  std::ranges::copy(global_options(globals), std::back_inserter(options));
  const std::vector<std::string> typed(chosen + 1, words.end());
  const Option* const option = typed.empty() ? nullptr : find_option(options, typed.back());
  try {
    if (option != nullptr && !option->value.empty()) {
      add_value(lines, command, options, {typed.begin(), typed.end() - 1}, *option, begun);
    } else if (begun.starts_with('-')) {
      add_options(lines, options);
    } else {
      for (const std::string& word : command.words) lines.add(word);
      if (command.name == "man") add_commands(lines, commands);
    }
  } catch (const Error&) {
    return "";  // What was typed is wrong so far. Its command will say so, a shell cannot.
  }
  return lines.text();
}

}  // namespace hqe::cli
