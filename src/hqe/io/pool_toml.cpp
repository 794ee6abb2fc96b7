// SPDX-License-Identifier: MIT
#include "hqe/io/pool_toml.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <span>

#define TOML_HEADER_ONLY 1
// toml++ 3.3 asserts what hostile text can violate, and then reports the error all the same.
#define TOML_ASSERT(condition) static_cast<void>(0)
#include <toml++/toml.h>

#include "hqe/base/error.h"
#include "hqe/io/nearest.h"
#include "hqe/io/printable.h"

namespace hqe {
namespace {

std::string place_of(const toml::node& node) {
  const toml::source_position position = node.source().begin;
  return fmt::format("line {}, column {}", position.line, position.column);
}

class Reader {
 public:
  explicit Reader(const std::string& file) : file_(file) {}

  PoolToml read(const toml::table& table) const {
    PoolToml result;
    for (const auto& [key, node] : table) {
      const std::string_view word = key.str();
      if (word == "name") {
        result.name = text(node, word);
      } else if (word == "kind") {
        result.kind = kind(node);
      } else if (word == "models") {
        result.models = model_names(node);
      } else if (word == "classes") {
        result.classes = texts(node, word);
      } else if (word == "about") {
        result.about = text(node, word);
      } else if (word == "licence") {
        result.licence = text(node, word);
      } else if (word == "source") {
        result.source = text(node, word);
      } else if (word == "cost") {
        result.costs = costs(node);
      } else {
        const std::string known[] = {"name",  "kind",    "models", "classes",
                                     "about", "licence", "source", "cost"};
        refuse_key(node, word, known);
      }
    }
    return result;
  }

 private:
  [[noreturn]] void refuse(const toml::node& node, std::string reason, std::string advice) const {
    throw InputError(file_, place_of(node), std::move(reason), std::move(advice));
  }
  [[noreturn]] void refuse_key(const toml::node& node, std::string_view key,
                               std::span<const std::string> known) const {
    refuse(node, fmt::format("unknown key {}", printable(key)),
           fmt::format("Did you mean \"{}\"? Known are {}", nearest_word(key, known),
                       fmt::join(known, ", ")));
  }
  [[noreturn]] void refuse_type(const toml::node& node, std::string_view key,
                                std::string_view expected) const {
    refuse(node, fmt::format("{} must be {}", printable(key), expected), "Correct the value");
  }

  std::string text(const toml::node& node, std::string_view key) const {
    const auto* value = node.as_string();
    if (value == nullptr) refuse_type(node, key, "a text in quotes");
    return value->get();
  }

  std::vector<std::string> texts(const toml::node& node, std::string_view key) const {
    const auto* list = node.as_array();
    if (list == nullptr) refuse_type(node, key, "a list of texts, e.g. [\"a\", \"b\"]");
    std::vector<std::string> result;
    for (const toml::node& item : *list) result.push_back(text(item, key));
    return result;
  }

  Kind kind(const toml::node& node) const {
    const std::string word = text(node, "kind");
    if (const std::optional<Kind> known = parse_kind(word)) return *known;
    const std::string known[] = {"probabilities", "logits", "labels", "correctness"};
    refuse(node, fmt::format("unknown kind {}", printable(word)),
           fmt::format("Did you mean \"{}\"? Known are {}", nearest_word(word, known),
                       fmt::join(known, ", ")));
  }

  std::vector<std::string> model_names(const toml::node& node) const {
    std::vector<std::string> names = texts(node, "models");
    if (names.empty()) refuse(node, "\"models\" is empty", "Name the models, or remove the line");
    std::set<std::string> seen;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const toml::node& item = (*node.as_array())[i];
      const std::string& name = names[i];
      const bool has_separator = name.find_first_of(std::string_view("/\\\0", 3)) != name.npos;
      if (name.empty() || name == "." || name == ".." || has_separator) {
        refuse(item, fmt::format("{} is not a model name", printable(name)),
               "Use the file's name without its extension and without any folder");
      }
      if (!seen.insert(name).second) {
        refuse(item, fmt::format("the model {} is listed twice", printable(name)),
               "Every model needs a name of its own");
      }
    }
    return names;
  }

  double cost(const toml::node& node, std::string_view key) const {
    const std::optional<double> value = node.is_number() ? node.value<double>() : std::nullopt;
    if (!value) refuse_type(node, key, "a number");
    if (!std::isfinite(*value) || *value < 0) {
      refuse(node, fmt::format("{} is {}", printable(key), *value),
             "A cost must be finite and not negative");
    }
    return *value;
  }

  ModelCosts model_costs(const toml::node& node, std::string_view model) const {
    const auto* table = node.as_table();
    if (table == nullptr) refuse_type(node, model, "a table of costs, e.g. [cost.a]");
    ModelCosts result;
    for (const auto& [key, value] : *table) {
      if (key.str() == "lipschitz") {
        result.lipschitz = cost(value, key.str());
      } else if (const std::optional<Cost> known = parse_cost(key.str())) {
        result[*known] = cost(value, key.str());
      } else {
        const std::string words[] = {"params", "gflops", "latency_ms", "memory_mb", "lipschitz"};
        refuse_key(value, key.str(), words);
      }
    }
    return result;
  }

  std::vector<std::pair<std::string, ModelCosts>> costs(const toml::node& node) const {
    const auto* table = node.as_table();
    if (table == nullptr) refuse_type(node, "cost", "one table a model, e.g. [cost.a]");
    std::vector<std::pair<std::string, ModelCosts>> result;
    for (const auto& [model, value] : *table) {
      result.emplace_back(std::string(model.str()), model_costs(value, model.str()));
    }
    return result;
  }

  const std::string& file_;
};

// The position behind the string that begins at `begin` with a quote; text.size() if it does not
// end.
std::size_t end_of_string(std::string_view text, std::size_t begin) {
  const char quote = text[begin];
  const std::string fence(3, quote);
  const bool is_long = text.substr(begin).starts_with(fence);
  std::size_t position = begin + (is_long ? 3 : 1);
  while (position < text.size()) {
    if (quote == '"' && text[position] == '\\') {
      position += 2;
    } else if (is_long && text.substr(position).starts_with(fence)) {
      position += 3;
      // Up to two quotes may stand before the closing three.
      for (int i = 0; i < 2 && position < text.size() && text[position] == quote; ++i) ++position;
      return position;
    } else if (!is_long && (text[position] == quote || text[position] == '\n')) {
      return position + 1;
    } else {
      ++position;
    }
  }
  return text.size();
}

// toml++ destroys nested tables by recursion, so a key of a million parts would overflow the stack.
// It limits nested values itself.
void check_key_parts(std::string_view text, const std::string& file) {
  constexpr int limit = 8;
  int dots = 0;
  std::ptrdiff_t line = 1;
  for (std::size_t i = 0; i < text.size();) {
    const char character = text[i];
    if (character == '"' || character == '\'') {
      const std::size_t end = end_of_string(text, i);
      line += std::ranges::count(text.substr(i, end - i), '\n');
      i = end;
      continue;
    }
    if (character == '#') {
      i = std::min(text.find('\n', i), text.size());
      continue;
    }
    line += character == '\n' ? 1 : 0;
    dots = character == '.' ? dots + 1 : dots;
    if (std::string_view("\n=,[]{}").find(character) != std::string_view::npos) dots = 0;
    if (dots > limit) {
      throw InputError(file, fmt::format("line {}", line), "a key of too many parts",
                       "The deepest key that is known is cost.<model>.params");
    }
    ++i;
  }
}

}  // namespace

PoolToml read_pool_toml(std::string_view text, const std::string& file) {
  check_key_parts(text, file);
  try {
    return Reader(file).read(toml::parse(text));
  } catch (const toml::parse_error& error) {
    const toml::source_position position = error.source().begin;
    throw InputError(file, fmt::format("line {}, column {}", position.line, position.column),
                     "not valid TOML: " + std::string(error.description()), "Correct the line");
  }
}

}  // namespace hqe
