// SPDX-License-Identifier: MIT
#include "hqe/formats/members.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "hqe/base/error.h"
#include "hqe/formats/csv.h"
#include "hqe/formats/npy.h"
#include "hqe/formats/npz.h"
#include "hqe/formats/pt.h"
#include "hqe/formats/safetensors.h"
#include "hqe/text/printable.h"

namespace hqe {
namespace {

constexpr std::array all_formats{Format::npy, Format::npz, Format::pt, Format::safetensors,
                                 Format::csv};

bool is_predictions(const Member& member) {
  return member.name == "predictions" || member.name == "predictionVectors";
}
bool is_labels(const Member& member) {
  return member.name == "labels" || member.name == "labelVectors";
}

std::string names_text(const std::vector<Member>& members) {
  constexpr std::size_t shown = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(shown, members.size()); ++i) {
    text += (i == 0 ? "" : ", ") + printable(members[i].name);
  }
  if (members.size() > shown) text += fmt::format(" and {} more", members.size() - shown);
  return text;
}

// The only member that `wanted` accepts; null when there is none. Two are refused.
template <typename Wanted>
const Member* only(const FileBytes& bytes, const std::vector<Member>& members, Wanted wanted,
                   std::string_view what) {
  const auto found = std::ranges::find_if(members, wanted);
  if (found == members.end()) return nullptr;
  if (std::find_if(found + 1, members.end(), wanted) != members.end()) {
    throw InputError(
        bytes.file, "",
        fmt::format("several arrays could be the {}: the file holds {}", what, names_text(members)),
        fmt::format("Name the one that is meant \"{}\"", what));
  }
  return &*found;
}

}  // namespace

std::string_view to_string(Format format) {
  switch (format) {
    case Format::npy:
      return "npy";
    case Format::npz:
      return "npz";
    case Format::pt:
      return "pt";
    case Format::safetensors:
      return "safetensors";
    case Format::csv:
      return "csv";
  }
  return "";
}

std::optional<Format> format_of(std::string_view file_name) {
  const std::size_t dot = file_name.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return std::nullopt;
  std::string extension(file_name.substr(dot + 1));
  std::ranges::transform(extension, extension.begin(), [](unsigned char character) {
    return static_cast<char>(std::tolower(character));
  });
  for (const Format format : all_formats) {
    if (to_string(format) == extension) return format;
  }
  return std::nullopt;
}

std::string stem_of(std::string_view file_name) {
  return std::string(file_name.substr(0, file_name.rfind('.')));
}

std::vector<Member> read_members(const FileBytes& bytes, Format format) {
  switch (format) {
    case Format::npy:
      return {{"", [bytes] { return read_npy(bytes); }}};
    case Format::npz:
      return read_npz(bytes);
    case Format::pt:
      return read_pt(bytes);
    case Format::safetensors:
      return read_safetensors(bytes);
    case Format::csv:
      return {{"", [bytes] { return read_csv(bytes); }}};
  }
  return {};
}

ModelArrays choose_predictions(const FileBytes& bytes, const std::vector<Member>& members) {
  const Member* predictions = only(bytes, members, is_predictions, "predictions");
  if (predictions == nullptr) {
    predictions = only(
        bytes, members, [](const Member& member) { return !is_labels(member); }, "predictions");
  }
  if (predictions == nullptr) {
    throw InputError(bytes.file, "", "no predictions: the file holds only " + names_text(members),
                     "Save the predictions under the name \"predictions\"");
  }
  const Member* labels = only(bytes, members, is_labels, "labels");
  ModelArrays arrays{predictions->read(), std::nullopt};
  if (labels != nullptr) arrays.labels = labels->read();
  return arrays;
}

Array choose_labels(const FileBytes& bytes, const std::vector<Member>& members) {
  const Member* labels = only(bytes, members, is_labels, "labels");
  if (labels == nullptr) {
    labels = only(bytes, members, [](const Member&) { return true; }, "labels");
  }
  return labels->read();
}

}  // namespace hqe
