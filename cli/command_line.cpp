// SPDX-License-Identifier: MIT
#include "cli/command_line.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/help.h"
#include "cli/session.h"
#include "hqe/base/error.h"
#include "hqe/base/version.h"
#include "hqe/text/nearest.h"
#include "options/words.h"

namespace hqe::cli {

namespace {

/// CLI11 only tells the words apart; what they mean is for the option's own take().
void add_options(CLI::App& app, const std::vector<Option>& options) {
  for (const Option& option : options) {
    if (option.value.empty()) {
      app.add_flag_callback(option.names, [&option] { option.take(""); });
      continue;
    }
    app.add_option(option.names,
                   [&option](const CLI::results_t& words) {
                     for (const std::string& word : words) option.take(word);
                     return true;
                   })
        ->type_size(1)
        ->expected(1)
        ->multi_option_policy(option.repeats ? CLI::MultiOptionPolicy::TakeAll
                                             : CLI::MultiOptionPolicy::Throw);
  }
}

std::vector<std::string> known_options(const std::vector<Option>& options) {
  std::vector<std::string> names;
  for (const Option& option : options) {
    for (const std::string& name : options::split(option.names, ',')) names.push_back(name);
  }
  return names;
}

[[noreturn]] void refuse_unknown(const Command& command, const std::vector<Option>& globals,
                                 std::vector<std::string> extras) {
  const auto is_option = [](const std::string& word) { return word.starts_with('-'); };
  const auto found = std::ranges::find_if(extras, is_option);
  if (found == extras.end()) {
    throw UsageError(fmt::format("{}: what is \"{}\"? `hqe {} --help` shows what it takes.",
                                 command.name, extras.front(), command.name));
  }
  const std::string word = found->substr(0, found->find('='));
  auto names = known_options(command.options);
  for (const std::string& name : known_options(globals)) names.push_back(name);
  throw UsageError(fmt::format("{}: unknown option {}; did you mean {}? `hqe {} --help` lists all.",
                               command.name, word, nearest_word(word, names), command.name));
}

[[noreturn]] void refuse_command(const std::vector<Command>& commands, const std::string& word) {
  std::vector<std::string> names;
  for (const Command& command : commands) names.push_back(command.name);
  throw UsageError(fmt::format("unknown command {}; did you mean {}? `hqe --help` lists all.", word,
                               nearest_word(word, names)));
}

void refuse_output(const Command& command, const Globals& globals) {
  const auto has = [&](Output output) {
    return std::ranges::find(command.outputs, output) != command.outputs.end();
  };
  const auto refuse = [&](const char* option) {
    throw UsageError(fmt::format("{} has no {}.", command.name, option));
  };
  if (globals.json && globals.csv) throw UsageError("--json and --csv exclude each other.");
  if (globals.json && !has(Output::json)) refuse("--json");
  if (globals.csv && !has(Output::csv)) refuse("--csv");
  if (!globals.output.empty() && !has(Output::file) && !has(Output::folder)) refuse("-o");
}

/// The sentence that CLI11 found, without its habit of naming no command.
[[noreturn]] void refuse_parse(const CLI::ParseError& error, const Command* command) {
  const std::string name = command == nullptr ? "" : command->name + " ";
  throw UsageError(fmt::format("{}. `hqe {}--help` shows what it takes.", error.what(), name));
}

/// `hqe help prune` is `hqe prune --help`, and `hqe help` the overview.
Parsed help_on(const std::vector<Command>& commands, const std::vector<Option>& globals,
               const std::vector<std::string>& words) {
  const std::string name = words.size() > 1 ? words[1] : "--help";
  if (name.starts_with('-')) return {.text = overview(commands)};
  const auto found = std::ranges::find(commands, name, &Command::name);
  if (found == commands.end()) refuse_command(commands, name);
  return {.text = help(*found, globals)};
}

}  // namespace

std::vector<Option> global_options(Globals& globals) {
  const auto set = [](bool& flag) { return [&flag](const std::string&) { flag = true; }; };
  return {
      {"-o,--output", "FILE", "Write the result to a file, whole or not at all.",
       [&](const std::string& word) { globals.output = parse_output("-o", word); }},
      {"--json", "", "Print one JSON document and nothing else on standard output.",
       set(globals.json)},
      {"--csv", "", "Print comma-separated rows, where the result has rows.", set(globals.csv)},
      {"--top", "K", "Show K teams in tables for people; documents always hold all.",
       [&](const std::string& word) { globals.top = options::parse_count("top", word); }},
      {"--by-name", "", "Show teams by the names of their models (the default).",
       set(globals.by_name)},
      {"--by-id", "", "Show teams by the ids of their models, which take less room.",
       [&](const std::string&) { globals.by_name = false; }},
      {"--verbose", "", "Show every table there is, not only the answer.", set(globals.verbose)},
      {"--threads", "T", "Threads to use (default: all); no result depends on it.",
       [&](const std::string& word) { globals.threads = options::parse_threads(word); }},
      {"--quiet", "", "Show no progress, and with -o no table either.", set(globals.quiet)},
  };
}

Parsed parse_command_line(const std::vector<Command>& commands,
                          const std::vector<std::string>& arguments) {
  Parsed parsed;
  const std::vector<Option> globals = global_options(parsed.globals);
  if (!arguments.empty() && arguments.front() == "help")
    return help_on(commands, globals, arguments);
  CLI::App app;
  app.set_help_flag("-h,--help");
  app.set_version_flag("-V,--version", "hqe " + std::string(version()) + "\n");
  app.require_subcommand(0, 1);  // A pool may be called like another command.
  add_options(app, globals);
  std::vector<std::vector<std::string>> words(commands.size());
  std::vector<CLI::App*> subcommands;
  for (std::size_t i = 0; i < commands.size(); ++i) {
    CLI::App* const subcommand = app.add_subcommand(commands[i].name);
    subcommand->fallthrough();
    subcommands.push_back(subcommand);
    // Nobody reaches the options of a command that no word names, and they are many.
    if (std::ranges::find(arguments, commands[i].name) == arguments.end()) continue;
    add_options(*subcommand, commands[i].options);
    if (commands[i].take_words) subcommand->add_option("words", words[i])->expected(0, 1 << 20);
  }
  const auto chosen = [&]() -> std::size_t {
    const auto found =
        std::ranges::find_if(subcommands, [](const CLI::App* sub) { return sub->parsed(); });
    return static_cast<std::size_t>(found - subcommands.begin());
  };
  try {
    // CLI11 takes the words last first.
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::CallForHelp&) {
    const std::size_t place = chosen();
    parsed.text = place < commands.size() ? help(commands[place], globals) : overview(commands);
    return parsed;
  } catch (const CLI::CallForVersion& asked) {
    parsed.text = asked.what();
    return parsed;
  } catch (const CLI::ExtrasError&) {
    const std::size_t place = chosen();
    const auto extras = app.remaining(true);
    if (place < commands.size()) refuse_unknown(commands[place], globals, extras);
    refuse_command(commands, extras.front());
  } catch (const CLI::ParseError& error) {
    const std::size_t place = chosen();
    refuse_parse(error, place < commands.size() ? &commands[place] : nullptr);
  }
  const std::size_t place = chosen();
  if (place == commands.size()) throw UsageError("which command? `hqe --help` lists all.");
  parsed.command = &commands[place];
  refuse_output(*parsed.command, parsed.globals);
  if (parsed.command->take_words) parsed.command->take_words(words[place]);
  return parsed;
}

}  // namespace hqe::cli
