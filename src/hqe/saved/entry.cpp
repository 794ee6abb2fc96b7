// SPDX-License-Identifier: MIT
#include "hqe/saved/entry.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>
#include <vector>

#include "hqe/base/error.h"
#include "hqe/base/listed.h"
#include "hqe/base/option_name.h"
#include "hqe/documents/json_writer.h"
#include "hqe/text/printable.h"

namespace hqe {
namespace {

/// Documents have half as many; new keys may bring more.
constexpr std::size_t deepest_document = 16;

/// The way from one value to another: ".teams[3].correct". Only refusals ask, so nothing is kept
/// for them while reading. Calls itself at most `deepest_document` times.
std::optional<std::string> way_to(const Json& target, const Json& from) {
  if (&target == &from) return "";
  if (from.is_array()) {
    for (std::size_t i = 0; i < from.size(); ++i) {
      if (const auto rest = way_to(target, from[i])) return fmt::format("[{}]{}", i, *rest);
    }
  } else if (from.is_object()) {
    for (const auto& [name, value] : from.get_ref<const Json::object_t&>()) {
      if (const auto rest = way_to(target, value)) return "." + name + *rest;
    }
  }
  return std::nullopt;
}

/// A value as a message can hold it.
std::string shown_value(const Json& json) {
  if (json.is_string()) return printable(json.get_ref<const std::string&>());
  if (json.is_array()) return "a list";
  if (json.is_object()) return "an object";
  return json.dump();
}

}  // namespace

SavedDocument::SavedDocument(std::string_view text, std::string file,
                             std::span<const DocumentKind> kinds)
    : file_(std::move(file)) {
  expect(kinds);
  try {
    root_ = parse_json(text, deepest_document);
  } catch (const BadJson& problem) {
    throw InputError(file_, problem.place, fmt::format("not a saved {}: {}", name_, problem.reason),
                     advice_);
  }
  const std::string command = Entry(*this).at("command").text();
  const auto kind = std::ranges::find(kinds, command, &DocumentKind::command);
  if (kind == kinds.end()) refuse(root_, "its \"command\" is " + printable(command));
  expect({kind, 1});
  command_ = kind->command;
  const Entry schema = Entry(*this).at("schema");
  if (schema.count() != 1) schema.refuse_value("is a schema of another hqe, which reads schema 1");
}

void SavedDocument::expect(std::span<const DocumentKind> kinds) {
  std::vector<std::string_view> names;
  advice_ = "Write it again with ";
  for (const DocumentKind& kind : kinds) {
    if (!names.empty()) advice_ += names.size() + 1 == kinds.size() ? " or " : ", ";
    names.push_back(kind.name);
    advice_ += saved_by(kind.verb, kind.option);
  }
  name_ = listed(names, " or ");
}

void SavedDocument::refuse(const Json& where, const std::string& reason) const {
  std::string way = way_to(where, root_).value_or("");
  if (way.starts_with('.')) way.erase(0, 1);
  throw InputError(
      file_, way, way.empty() ? fmt::format("not a saved {}: {}", name_, reason) : reason, advice_);
}

void Entry::refuse(const std::string& reason) const { document_->refuse(*json_, reason); }

void Entry::refuse_value(const std::string& reason) const {
  refuse(shown_value(*json_) + " " + reason);
}

Entry Entry::at(std::string_view name) const {
  if (!json_->is_object()) refuse_value("stands where an object is due");
  const auto found = json_->find(name);
  if (found == json_->end()) refuse(fmt::format("has no \"{}\"", name));
  return {*found, *document_};
}

std::optional<Entry> Entry::find(std::string_view name) const {
  if (!json_->is_object()) refuse_value("stands where an object is due");
  const auto found = json_->find(name);
  if (found == json_->end() || found->is_null()) return std::nullopt;
  return Entry(*found, *document_);
}

Entry::List Entry::list() const {
  if (!is_list()) refuse_value("stands where a list is due");
  return {json_->get_ref<const Json::array_t&>(), *document_};
}

Entry::List Entry::list_of(std::size_t size, std::string_view why) const {
  const List entries = list();
  if (entries.size() != size) {
    refuse(fmt::format("holds {} where {} are due, {}", entries.size(), size, why));
  }
  return entries;
}

std::string Entry::text() const {
  if (!is_text()) refuse_value("stands where a text is due");
  return json_->get_ref<const std::string&>();
}

bool Entry::truth() const {
  if (!json_->is_boolean()) refuse_value("is neither true nor false");
  return json_->get<bool>();
}

int Entry::whole(int least, int most) const {
  // What is too large for 64 bits has become a number with a point while parsing.
  const bool fits = json_->is_number_unsigned() ? json_->get<std::uint64_t>() <=
                                                      static_cast<std::uint64_t>(std::max(most, 0))
                                                : json_->is_number_integer();
  const std::int64_t value = fits ? json_->get<std::int64_t>() : 0;
  if (!fits || value < least || value > most) {
    refuse_value(fmt::format("is not a whole number from {} to {}", least, most));
  }
  return static_cast<int>(value);
}

std::uint64_t Entry::count() const {
  if (!json_->is_number_unsigned()) refuse_value("is not a count");
  const auto value = json_->get<std::uint64_t>();
  if (value > largest_json_integer) refuse_value("is more than a document can count, 2^53");
  return value;
}

std::uint64_t Entry::count(const Limit& limit) const {
  if (json_->is_number_unsigned() && json_->get<std::uint64_t>() > limit.most) {
    refuse_value(fmt::format("is more than {} {} {}", limit.whose, limit.most, limit.what));
  }
  return count();
}

std::uint64_t Entry::seed() const {
  if (json_->is_number_unsigned()) return json_->get<std::uint64_t>();
  std::uint64_t value = 0;
  const std::string digits = is_text() ? text() : "";
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value);
  if (digits.empty() || error != std::errc() || stop != end) {
    refuse_value("is not a seed, a whole number from 0 to 2^64 - 1");
  }
  return value;
}

double Entry::number() const {
  if (!json_->is_number()) refuse_value("stands where a number is due");
  const auto value = json_->get<double>();
  if (!std::isfinite(value)) refuse_value("is not finite");
  return value;
}

double Entry::not_negative() const {
  const double value = number();
  if (value < 0) refuse_value("is negative");
  return value;
}

double Entry::number(double least, double most) const {
  const double value = number();
  if (value < least || value > most) {
    refuse_value(fmt::format("is not in {} to {}", least, most));
  }
  return value;
}

}  // namespace hqe
