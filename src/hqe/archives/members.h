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
