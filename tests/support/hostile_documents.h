// SPDX-License-Identifier: MIT
/// Valid documents with one thing changed: what somebody may hand to HQE as its own.

#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace hqe::testing {

using DocumentJson = nlohmann::ordered_json;

/// The way to every value of a document but the document itself, outer ones first. Of a list only
/// the first and the last two: its entries are alike.
inline std::vector<DocumentJson::json_pointer> places_in(const DocumentJson& document) {
  std::vector<DocumentJson::json_pointer> places;
  std::vector<DocumentJson::json_pointer> open{DocumentJson::json_pointer()};
  while (!open.empty()) {
    const auto place = open.back();
    open.pop_back();
    if (!place.empty()) places.push_back(place);
    const DocumentJson& value = document.at(place);
    if (!value.is_structured()) continue;
    if (value.is_object()) {
      for (const auto& entry : value.items()) open.push_back(place / entry.key());
      continue;
    }
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (i == 0 || i + 2 >= value.size()) open.push_back(place / i);
    }
  }
  return places;
}

/// "consensus.teams[3].correct", as refusals name a place.
inline std::string way_of(const DocumentJson& document, DocumentJson::json_pointer place) {
  std::string way;
  while (!place.empty()) {
    const std::string last = place.back();
    place.pop_back();
    const bool is_index = document.at(place).is_array();
    way = is_index ? "[" + last + "]" + way : (place.empty() ? "" : ".") + last + way;
  }
  return way;
}

/// What was never meant to stand anywhere, as JSON.
inline constexpr std::array<std::string_view, 28> hostile_values{"-1",
                                                                 "0",
                                                                 "1",
                                                                 "2",
                                                                 "1.5",
                                                                 "-0.0",
                                                                 "100",
                                                                 "101",
                                                                 "25000000",
                                                                 "2147483647",
                                                                 "2147483648",
                                                                 "2147483649",
                                                                 "10000000000",
                                                                 "9007199254740993",
                                                                 "18446744073709551615",
                                                                 "18446744073709551616",
                                                                 "1e300",
                                                                 "-1e300",
                                                                 "5e-324",
                                                                 "true",
                                                                 "null",
                                                                 "\"\"",
                                                                 "\"</script>\\u001b[31m\\u2028\"",
                                                                 "[]",
                                                                 "{}",
                                                                 "[0,0]",
                                                                 "[3,2,1,0]",
                                                                 "[[[[]]]]"};

/// The document with `value` at `place`.
inline std::string with_value(const DocumentJson& document, const DocumentJson::json_pointer& place,
                              std::string_view value) {
  DocumentJson changed = document;
  changed[place] = DocumentJson::parse(value);
  return changed.dump();
}

/// The document without what is at `place`.
inline std::string without(const DocumentJson& document, DocumentJson::json_pointer place) {
  DocumentJson changed = document;
  const std::string last = place.back();
  place.pop_back();
  DocumentJson& parent = changed[place];
  parent.is_array() ? parent.erase(std::stoul(last)) : static_cast<void>(parent.erase(last));
  return changed.dump();
}

}  // namespace hqe::testing
