// SPDX-License-Identifier: MIT
/// The parts of a saved study that stand alone. Private: nlohmann's header is slow.

#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hqe/study/study.h"

namespace hqe {

using Json = nlohmann::json;

/// Thrown where the document is JSON but no study; becomes an InputError with the file's name.
struct NotAStudy {
  std::string reason;
};

template <typename T>
std::optional<T> maybe(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end() || found->is_null()) return std::nullopt;
  return found->get<T>();
}

template <typename T>
T value_or(const Json& json, const char* key, T otherwise) {
  return maybe<T>(json, key).value_or(std::move(otherwise));
}

/// A word that must be one of ours.
template <typename Parse>
auto word(const Json& json, const char* key, Parse parse) {
  const auto text = json.at(key).get<std::string>();
  const auto parsed = parse(text);
  if (!parsed) throw NotAStudy{"unknown " + std::string(key) + " \"" + text + "\""};
  return *parsed;
}

[[nodiscard]] std::vector<Metric> read_metrics(const Json& json);
[[nodiscard]] PoolSummary read_pool(const Json& json);
[[nodiscard]] PruneOptions read_options(const Json& json);

/// Turns an array of ids into a team of the study's pool, or throws NotAStudy.
using TeamReader = std::function<Team(const Json&)>;
[[nodiscard]] Trust read_trust(const Json& json, const TeamReader& team);

}  // namespace hqe
