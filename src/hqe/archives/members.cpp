// SPDX-License-Identifier: MIT
#include "hqe/archives/members.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>

#include "hqe/base/error.h"
#include "hqe/text/printable.h"

namespace hqe {
namespace {

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
