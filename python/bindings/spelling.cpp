// SPDX-License-Identifier: MIT
#include <charconv>
#include <string>

#include "python/bindings/bindings.h"

namespace hqe::python {
namespace {

bool is_number(const std::string& word) {
  double number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  return error == std::errc() && end == word.data() + word.size();
}

std::string quoted(const std::string& word) {
  std::string text = "\"";
  for (const char byte : word) {
    if (byte == '"' || byte == '\\') text += '\\';
    text += byte;
  }
  return text + '"';
}

/// What the command calls --label-column is label= where a table is given.
std::string python_name(const std::string& option) {
  if (option == "label_column") return "label";
  if (option == "id_column") return "id";
  if (option == "model_column") return "model";
  return option == "columns" ? "models" : option;
}

std::string literal(const std::string& word) {
  return is_number(word) || word == "True" || word == "False" ? word : quoted(word);
}

}  // namespace

std::string spelled_option(const OptionName& option) {
  const std::string text = python_name(option.name) + "=";
  if (!option.value) return text;
  const std::string& value = *option.value;
  if (option.name == "test") return text + value;  // A pool, not a word.
  const std::size_t equals = value.find('=');
  if (option.name != "budget" || equals == std::string::npos) return text + literal(value);
  return text + "{" + quoted(value.substr(0, equals)) + ": " + literal(value.substr(equals + 1)) +
         "}";
}

std::string spelled_command(const CommandName& command) {
  if (command.name == "read_table") {
    return "hqe.Pool.from_table(hqe.read_table(path), label=...)";
  }
  // Teams are of a class of their own, as everything is that is handed on.
  std::string text = command.name == "team" ? "hqe.Team.of" : "hqe." + command.name;
  if (!command.is_saved) return text;
  text += command.name == "team" ? "(study" : "(pool";
  if (command.with_option) text += ", " + spelled_option({*command.with_option, "True"});
  return text + ").save(path)";
}

Spelling python_spelling() { return {spelled_option, spelled_command}; }

}  // namespace hqe::python
