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

void add_options(Command& command, const options::OptionList& list) {
  for (const options::Option& option : list) {
    command.options.push_back({.names = spelled_option({.name = option.name}),
                               .value = option.value,
                               .help = option.help.text(spelled_option),
                               .take = option.take,
                               .repeats = option.repeats});
  }
}

}  // namespace hqe::cli
