// SPDX-License-Identifier: MIT
/// One file that holds many models.

#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hqe/files/mapped_file.h"
#include "hqe/formats/format.h"
#include "hqe/predictions/array.h"

namespace hqe {

struct ManyModels {
  std::vector<std::pair<std::string, Array>> models;
  std::optional<Array> labels;  ///< Where the file carries them.
};

/// The models of one file: the arrays of an archive but its labels, in natural order of their
/// names; or the rows of a .npy file of M x N x C numbers, or of M x N where `labels` has N rows
/// and not M, called model_0, model_1 and so on. Nothing where the file is one model's. Throws
/// InputError.
[[nodiscard]] std::optional<ManyModels> read_many_models(const FileBytes& bytes, Format format,
                                                         const std::optional<Array>& labels);

}  // namespace hqe
