// SPDX-License-Identifier: MIT
#include "hqe/documents/team_json.h"

#include <fmt/core.h>

#include <cassert>

#include "hqe/base/version.h"
#include "hqe/documents/json_parts.h"

namespace hqe {
namespace {

constexpr std::string_view document_end = "}\n";
constexpr std::string_view checksum_begin = ",\n\"checksum\":\"";
constexpr std::string_view checksum_end = "\"";
constexpr std::size_t checksum_digits = 16;

std::string checksum_of(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char byte : bytes) {
    hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  }
  return fmt::format("{:016x}", hash);
}

void write_members(JsonWriter& json, const TeamFile& file) {
  json.line().key("members").begin_array();
  for (const TeamFile::Member& member : file.members) {
    json.line()
        .begin_object()
        .field("name", std::string_view(member.name))
        .field("correct", member.correct)
        .end_object();
  }
  json.end_array();
}

void write_weights(JsonWriter& json, const TeamFile& file) {
  json.key("weights");
  if (file.weights.empty()) {
    json.null();
    return;
  }
  json.begin_array();
  for (const double weight : file.weights) json.value(weight);
  json.end_array();
}

void write_exit(JsonWriter& json, const TeamFile& file) {
  json.line().key("early_exit");
  if (!file.early_exit) {
    json.null();
    return;
  }
  const TeamFile::Exit& exit = *file.early_exit;
  json.begin_object().key("order").begin_array();
  for (const std::size_t place : exit.order) json.value(std::string_view(file.members[place].name));
  json.end_array().field("bound", exit.bound).key("cost");
  exit.cost ? json.value(to_string(*exit.cost)) : json.null();
  json.field("full_cost", exit.full_cost)
      .field("expected_models", exit.expected_models)
      .field("expected_cost", exit.expected_cost)
      .end_object();
}

}  // namespace

std::string sealed(std::string document) {
  assert(document.ends_with(document_end));
  std::string member(checksum_begin);
  member.append(checksum_of(document)).append(checksum_end);
  document.insert(document.size() - document_end.size(), member);
  return document;
}

bool is_sealed(std::string_view text) {
  const std::size_t tail =
      checksum_begin.size() + checksum_digits + checksum_end.size() + document_end.size();
  if (text.size() <= tail) return false;
  std::string document(text.substr(0, text.size() - tail));
  return sealed(document.append(document_end)) == text;
}

void write_expected(JsonWriter& json, const TeamFile::Expected& expected) {
  json.key("expected")
      .begin_object()
      .field("accuracy", expected.accuracy)
      .key("interval")
      .begin_array()
      .value(expected.interval.low)
      .value(expected.interval.high)
      .end_array()
      .field("judged_on", to_string(expected.judged_on))
      .field("samples", expected.samples)
      .end_object();
}

std::string to_json(const TeamFile& file) {
  std::string text;
  JsonWriter json([&text](std::string_view bytes) { text.append(bytes); });
  json.begin_object()
      .field("schema", 1)
      .field("command", "team")
      .field("version", version())
      .line()
      .field("name", std::string_view(file.name))
      .field("kind", to_string(file.kind))
      .field("samples", file.sample_count)
      .field("model_count", file.model_count);
  write_members(json, file);
  json.line().field("vote", to_string(file.vote)).field("ties", to_string(file.ties));
  write_weights(json, file);
  json.field("temperature", file.temperature).line().field("class_count", file.class_count);
  if (file.class_names.empty()) {
    json.key("classes").null();
  } else {
    write_texts(json, "classes", file.class_names);
  }
  write_exit(json, file);
  json.line();
  write_expected(json, file.expected);
  json.line();
  write_costs(json, file.costs);
  const std::vector<Message> warnings = warnings_of(file);
  if (!warnings.empty()) write_texts(json.line(), "warnings", warnings);
  json.end_object().finish();
  return sealed(std::move(text));
}

void write_json(const TeamFile& file, const Sink& sink) { sink(to_json(file)); }

}  // namespace hqe
