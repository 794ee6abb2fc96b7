// SPDX-License-Identifier: MIT
#include "cli/spelling.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace hqe::cli {

namespace {

using namespace std::string_view_literals;
constexpr std::array repeated{std::pair{"metrics"sv, "metric"sv},
                              std::pair{"methods"sv, "method"sv}, std::pair{"teams"sv, "team"sv}};

}  // namespace

std::string spelled_option(const OptionName& option) {
  const auto found =
      std::ranges::find(repeated, option.name, [](const auto& row) { return row.first; });
  std::string text = "--";
  text += found == repeated.end() ? option.name : found->second;
  std::ranges::replace(text, '_', '-');
  if (option.value) text.append(" ").append(option.value->empty() ? "''" : *option.value);
  return text;
}

std::string spelled_command(const CommandName& command) {
  if (command.name == "read_table") {
    return "hqe.Pool.from_table(hqe.read_table(path), label=...) of Python";
  }
  std::string text = "hqe " + command.name;
  if (command.is_saved) text += " POOL";
  if (command.with_option) text += " " + spelled_option({.name = *command.with_option});
  if (command.is_saved) text += " -o FILE";
  return text;
}

Spelling command_line_spelling() { return {spelled_option, spelled_command}; }

void add_options(Command& command, const options::OptionList& list) {
  for (const options::Option& option : list) {
    command.options.push_back({.names = spelled_option({.name = option.name}),
                               .value = option.value,
                               .help = option.help.text(command_line_spelling()),
                               .take = option.take,
                               .repeats = option.repeats});
  }
}

}  // namespace hqe::cli
