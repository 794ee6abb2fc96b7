// SPDX-License-Identifier: MIT
/// The arrays of one file, by name, before anybody has chosen among them.

#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hqe/files/mapped_file.h"
#include "hqe/predictions/array.h"

namespace hqe {

/// One array of a file. Its bytes are looked at when it is read, so that a file's other members
/// cost nothing.
struct Member {
  std::string name;             ///< Empty where the format has no names.
  std::function<Array()> read;  ///< Throws InputError.
};

/// The file formats of a pool, by extension.
enum class Format { npy, npz, pt, safetensors, csv };

/// "npy": the extension of a format, without its dot.
[[nodiscard]] std::string_view to_string(Format format);

/// The format that a file name's extension names, in any case; nothing for any other.
[[nodiscard]] std::optional<Format> format_of(std::string_view file_name);

/// "a" of "a.npy": a file name without its extension. Requires: format_of(file_name).
[[nodiscard]] std::string stem_of(std::string_view file_name);

/// The arrays of a file of that format. At least one. Throws InputError.
[[nodiscard]] std::vector<Member> read_members(const FileBytes& bytes, Format format);

/// The predictions of a model's file, and the true labels where it carries them.
struct ModelArrays {
  Array predictions;
  std::optional<Array> labels;
};

/// Chooses: predictions are the member called predictions or predictionVectors, else the only one
/// not called labels or labelVectors; labels the one called so. Throws InputError naming what was
/// found where the choice is not clear.
[[nodiscard]] ModelArrays choose_predictions(const FileBytes& bytes,
                                             const std::vector<Member>& members);

/// Chooses from a file of true labels: the member called labels or labelVectors, else the only one.
/// Throws InputError.
[[nodiscard]] Array choose_labels(const FileBytes& bytes, const std::vector<Member>& members);

}  // namespace hqe
