// SPDX-License-Identifier: MIT
#include "hqe/tables/headers.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <utility>

#include "hqe/base/listed.h"
#include "hqe/text/printable.h"

namespace hqe {
namespace {

/// Whether class `a` comes before `b`: whole numbers by size, before all other words.
bool class_less(const std::string& a, const std::string& b) {
  const auto key = [](const std::string& word) {
    const bool is_number = is_whole_number(word);
    return std::pair(is_number ? 0 : 1, is_number ? std::strtoll(word.c_str(), nullptr, 10) : 0);
  };
  return std::pair(key(a), a) < std::pair(key(b), b);
}

using namespace std::string_view_literals;

constexpr std::array label_words{"label"sv,  "labels"sv, "y"sv,          "y_true"sv,
                                 "target"sv, "truth"sv,  "true_label"sv, "ground_truth"sv};
constexpr std::array id_words{"id"sv,        "ids"sv,    "index"sv,      "idx"sv,
                              "row"sv,       "row_id"sv, "rowid"sv,      "row_number"sv,
                              "sample_id"sv, ""sv,       "unnamed: 0"sv, "__index_level_0__"sv,
                              "level_0"sv};

std::string in_lower_case(std::string_view name) {
  const std::size_t first = name.find_first_not_of(" \t");
  if (first == std::string_view::npos) return "";
  std::string word(name.substr(first, name.find_last_not_of(" \t") + 1 - first));
  std::ranges::transform(word, word.begin(), [](unsigned char letter) {
    return static_cast<char>(std::tolower(letter));
  });
  return word;
}

/// One name cut in two.
struct Cut {
  std::string model, word;
  std::size_t column;
};

/// The first cut that leaves a true label leaves the longest.
std::optional<Cut> cut_at_label(const std::string& name, std::size_t column,
                                const std::set<std::string>& truth) {
  for (std::size_t place = 0; place < name.size(); ++place) {
    if (name[place] != '.' && name[place] != '_') continue;
    if (truth.contains(name.substr(place + 1))) {
      return Cut{name.substr(0, place), name.substr(place + 1), column};
    }
  }
  return std::nullopt;
}

std::optional<Cut> cut_at_last(const std::string& name, std::size_t column, char mark) {
  const std::size_t place = name.rfind(mark);
  if (place == std::string::npos) return std::nullopt;
  return Cut{name.substr(0, place), name.substr(place + 1), column};
}

std::optional<ColumnGroups> groups_of(const std::vector<Cut>& cuts) {
  std::map<std::string, std::map<std::string, std::size_t>> by_model;
  std::vector<std::string> order;
  std::set<std::string> words;
  for (const Cut& cut : cuts) {
    if (!by_model.contains(cut.model)) order.push_back(cut.model);
    by_model[cut.model][cut.word] = cut.column;
    words.insert(cut.word);
  }
  ColumnGroups groups{.classes = {words.begin(), words.end()}, .models = {}};
  if (groups.classes.size() < 2) return std::nullopt;
  std::ranges::sort(groups.classes, class_less);
  for (const std::string& model : order) {
    if (by_model[model].size() != words.size() || model.empty()) return std::nullopt;
    ColumnGroup group{model, {}};
    for (const std::string& word : groups.classes) group.columns.push_back(by_model[model][word]);
    groups.models.push_back(std::move(group));
  }
  return groups;
}

}  // namespace

std::span<const std::string_view> label_headers() { return label_words; }
std::span<const std::string_view> id_headers() { return id_words; }

bool is_label_header(std::string_view name) {
  return std::ranges::find(label_words, in_lower_case(name)) != label_words.end();
}

bool is_id_header(std::string_view name) {
  return std::ranges::find(id_words, in_lower_case(name)) != id_words.end();
}

bool is_whole_number(std::string_view word) {
  if (word.starts_with('-')) word.remove_prefix(1);
  return !word.empty() && word.size() <= 18 &&
         std::ranges::all_of(word, [](unsigned char letter) { return std::isdigit(letter) != 0; });
}

std::string listed_columns(const std::vector<std::string>& names) {
  constexpr std::size_t shown = 8;
  std::vector<std::string> words;
  for (std::size_t i = 0; i < std::min(shown, names.size()); ++i) {
    words.push_back(printable(names[i]));
  }
  if (names.size() > shown) words.emplace_back("...");
  return listed(words);
}

std::optional<ColumnGroups> group_columns(const std::vector<std::string>& names,
                                          const std::set<std::string>& truth) {
  std::optional<ColumnGroups> found;
  for (const char way : {' ', '.', '_'}) {
    std::vector<Cut> cuts;
    for (std::size_t i = 0; i < names.size(); ++i) {
      auto cut = way == ' ' ? cut_at_label(names[i], i, truth) : cut_at_last(names[i], i, way);
      if (cut) cuts.push_back(std::move(*cut));
    }
    if (cuts.size() != names.size()) continue;
    std::optional<ColumnGroups> groups = groups_of(cuts);
    if (!groups) continue;
    const bool holds_all = std::ranges::all_of(truth, [&](const std::string& word) {
      return std::ranges::find(groups->classes, word) != groups->classes.end();
    });
    if (holds_all) return groups;
    if (!found) found = std::move(groups);
  }
  return found;
}

}  // namespace hqe
