// SPDX-License-Identifier: MIT
/// The file formats of a pool, one row each. docs/formats.md says what each may hold.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hqe {

struct FileBytes;  // files/mapped_file.h
struct Member;     // members.h

enum class Format { npy, npz, pt, safetensors, csv };

struct FormatRow {
  Format format;
  std::string_view name;   ///< "npy": the extension, without its dot.
  std::string_view alias;  ///< Another extension that means the same; "" for none.
  std::string_view title;  ///< Whose format it is.
  /// The arrays of a file. At least one. Throws InputError.
  std::vector<Member> (*read)(const FileBytes&);
};

/// Every format, in the order of the enumeration.
[[nodiscard]] std::span<const FormatRow> format_rows();
/// Throws std::out_of_range for a format that was given no row.
[[nodiscard]] const FormatRow& row_of(Format format);

/// The format that a file name's extension names, in any case; nothing for any other.
[[nodiscard]] std::optional<Format> format_of(std::string_view file_name);

/// "a" of "a.npy": a file name without its extension. Requires: format_of(file_name).
[[nodiscard]] std::string stem_of(std::string_view file_name);

/// ".npy, .npz, .pt, .safetensors or .csv" with " or " as the last separator.
[[nodiscard]] std::string format_names(std::string_view last = ", ");

}  // namespace hqe
