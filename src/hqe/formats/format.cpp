// SPDX-License-Identifier: MIT
#include "hqe/formats/format.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>

#include "hqe/archives/members.h"
#include "hqe/archives/pt.h"
#include "hqe/base/listed.h"
#include "hqe/formats/csv.h"
#include "hqe/formats/npy.h"
#include "hqe/formats/npz.h"
#include "hqe/formats/safetensors.h"

namespace hqe {
namespace {

std::vector<Member> read_npy_array(const FileBytes& bytes) {
  return {{"", [bytes] { return read_npy(bytes); }}};
}

std::vector<Member> read_csv_array(const FileBytes& bytes) {
  return {{"", [bytes] { return read_csv(bytes); }}};
}

constexpr auto format_table = std::to_array<FormatRow>({
    {Format::npy, "npy", "", "NumPy", read_npy_array},
    {Format::npz, "npz", "", "NumPy", read_npz},
    // PyTorch's own examples call it .pth.
    {Format::pt, "pt", "pth", "PyTorch", read_pt},
    {Format::safetensors, "safetensors", "", "Hugging Face", read_safetensors},
    {Format::csv, "csv", "", "text", read_csv_array},
});

static_assert(
    [] {
      for (std::size_t i = 0; i < format_table.size(); ++i) {
        if (static_cast<std::size_t>(format_table[i].format) != i) return false;
      }
      return true;
    }(),
    "the rows stand in the order of the formats");

}  // namespace

std::span<const FormatRow> format_rows() { return format_table; }

const FormatRow& row_of(Format format) { return format_table.at(static_cast<std::size_t>(format)); }

std::optional<Format> format_of(std::string_view file_name) {
  const std::size_t dot = file_name.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return std::nullopt;
  std::string extension(file_name.substr(dot + 1));
  std::ranges::transform(extension, extension.begin(), [](unsigned char character) {
    return static_cast<char>(std::tolower(character));
  });
  if (extension.empty()) return std::nullopt;
  for (const FormatRow& row : format_table) {
    if (row.name == extension || row.alias == extension) return row.format;
  }
  return std::nullopt;
}

std::string stem_of(std::string_view file_name) {
  return std::string(file_name.substr(0, file_name.rfind('.')));
}

std::string format_names(std::string_view last) {
  std::vector<std::string> names;
  for (const FormatRow& row : format_table) names.push_back("." + std::string(row.name));
  return listed(names, last);
}

}  // namespace hqe
